const errorContent = {
  'application/json': { schema: { $ref: '#/components/schemas/Error' } },
  'text/html': { schema: { type: 'string' } },
  'text/plain': { schema: { type: 'string' } },
};

const error = (description: string): object => ({
  description: `${description} The form of the body depends on the switch errorBody; it may be empty.`,
  content: errorContent,
});

/** The error answers of the service; the document shows none of them. */
export const errorResponses = {
  400: error('The request is invalid.'),
  401: error('The API key is missing, or belongs to no account.'),
  404: error('Nothing has this identifier.'),
  409: error('The policy already has a rule for this network, and the switch duplicateCidr refuses that.'),
  413: error('The body is larger than 1 MiB.'),
  415: error('The Content-Type is not application/json.'),
  422: error('The parent does not exist, and its switch says so.'),
  429: {
    ...error('Too many requests in the window, or at once.'),
    headers: {
      'Retry-After': {
        description: 'Seconds, a date, absent or nonsense, by the switch retryAfter.',
        schema: { type: 'string' },
      },
    },
  },
} as const;

type ErrorStatus = keyof typeof errorResponses;

export function json(...names: readonly string[]): object {
  const references = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  return { 'application/json': { schema: references.length === 1 ? references[0] : { anyOf: references } } };
}

/** The success answer of an operation, and its errors, including those that any operation can give. */
export function responses(success: Record<number, object>, errors: readonly ErrorStatus[]): object {
  const statuses: readonly ErrorStatus[] = [400, 401, 429, ...errors];
  const references = statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }]);
  return { ...success, ...(Object.fromEntries(references) as object) };
}

/** The framework reads a body of DELETE before the service refuses or ignores it. */
export const deletion = responses({ 204: { description: 'Done; no body.' } }, [404, 413, 415]);

export const body = (content: object): object => ({ required: true, content });

/** A parameter of a path that is an identifier. */
export const idParameter = (
  name: string,
  part: { readonly name: string; readonly form: RegExp } | undefined,
): object => ({
  name,
  in: 'path',
  required: true,
  description: `Identifier of the ${part?.name ?? name}.`,
  schema: { type: 'string', pattern: part?.form.source },
});
