import { randomIdentifier } from './identifiers';
import type { Switches } from './switches';

/** The answer of an operation. `body` is a JSON value; without it and without `raw` the answer has no body. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  /** A body that is not JSON, or JSON in another form than we write. */
  readonly raw?: { readonly contentType: string; readonly text: string };
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** The error answer in the form that the switch `errorBody` selects. */
export function errorAnswer(refusal: Refusal, errorBody: Switches['errorBody']): Answer {
  const { status, code, message, headers } = refusal;
  const body = { status_code: status, msg: message, details: { operation_id: randomIdentifier('op') } };
  const forms: Record<Switches['errorBody'], Pick<Answer, 'body' | 'raw'>> = {
    json: { body: { error_code: code, ...body } },
    'json-without-code': { body },
    empty: {},
    html: { raw: { contentType: 'text/html', text: htmlPage(status) } },
    text: { raw: { contentType: 'text/plain', text: `error ${status}` } },
  };
  return { status, headers, ...forms[errorBody] };
}

/** A page as a proxy in front of the service would send it. */
export function htmlPage(status: number): string {
  return `<!DOCTYPE html>\n<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>\n`;
}

export function bodyText(answer: Answer): string {
  if (answer.raw !== undefined) return answer.raw.text;
  return answer.body === undefined ? '' : JSON.stringify(answer.body);
}

export function contentType(answer: Answer): string | undefined {
  if (answer.raw !== undefined) return answer.raw.contentType;
  return answer.body === undefined ? undefined : 'application/json';
}
