import type { SchemaName } from './schemas';

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
  400: error('The request is not as it must be.'),
  401: error('No API key, or not one of an account.'),
  404: error('There is nothing of this identifier.'),
  409: error('The network is there already, in one position of the switch duplicateCidr.'),
  413: error('The body is larger than 1 MiB.'),
  415: error('The Content-Type is not application/json.'),
  422: error('The parent is not there, in one position of its switch.'),
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

export function json(...names: readonly SchemaName[]): object {
  const references = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  return { 'application/json': { schema: references.length === 1 ? references[0] : { anyOf: references } } };
}

/** The success answer and the errors an operation can give, those that any can give included. */
export function responses(success: Record<number, object>, errors: readonly ErrorStatus[]): object {
  const statuses: readonly ErrorStatus[] = [400, 401, 429, ...errors];
  const references = statuses.map((status) => [status, { $ref: `#/components/responses/${status}` }]);
  return { ...success, ...(Object.fromEntries(references) as object) };
}
