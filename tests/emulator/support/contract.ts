import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';

import type { HttpAnswer } from './http';

export interface Operation {
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  /** Reference to the schema of the body, if there is one. */
  readonly bodySchema?: string;
  readonly responses: Readonly<Record<string, Response>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: object;
}

interface Response {
  readonly content?: Readonly<Record<string, unknown>>;
}

interface Document {
  openapi: string;
  paths: Record<string, Record<string, unknown>>;
  components: { schemas: Record<string, Record<string, unknown>> };
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** The description of the service as a judge of what it does. */
export class Contract {
  readonly operations: readonly Operation[];
  // The formats are names for what no schema can say.
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });

  constructor(readonly document: Document) {
    this.ajv.addSchema(closed(document), 'openapi');
    this.operations = Object.entries(document.paths).flatMap(([path, item]) =>
      methods.filter((method) => method in item).map((method) => this.operation(path, item, method)),
    );
  }

  /** What is wrong with the answer to an operation; nothing if it is as described. */
  violations(operation: Operation, answer: HttpAnswer): string[] {
    const response = operation.responses[answer.status];
    const place = `${operation.operationId} ${answer.status}`;
    if (response === undefined) return [`${place} is not described: ${answer.text}`];
    if (answer.text === '') {
      return response.content === undefined || answer.status >= 400 ? [] : [`${place} has no body`];
    }
    const type = answer.headers['content-type']?.split(';')[0] ?? 'none';
    if (response.content?.[type] === undefined) return [`${place} has the content type ${type}`];
    if (type !== 'application/json') return [];
    const pointer = [...this.pointerTo(operation, answer.status), 'content', type, 'schema'];
    return this.problems(reference(pointer), answer.json()).map((problem) => `${place}: ${problem}`);
  }

  /** Whether every reference of the document leads somewhere and every schema is one. */
  referencesWithoutTarget(): string[] {
    const references = JSON.stringify(this.document).match(/"\$ref":"[^"]*"/g) ?? [];
    return references.filter((text) => {
      const pointer = text.slice('"$ref":"'.length, -1);
      return resolve(this.document, pointer) === undefined;
    });
  }

  resolve(value: unknown): unknown {
    const target = (value as { $ref?: string }).$ref;
    return target === undefined ? value : resolve(this.document, target);
  }

  private problems(schemaReference: string, value: unknown): string[] {
    const validate = this.ajv.getSchema(`openapi${schemaReference}`) as ValidateFunction;
    validate(value);
    return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message ?? ''}`);
  }

  private operation(path: string, item: Record<string, unknown>, method: string): Operation {
    const own = item[method] as {
      operationId: string;
      parameters?: object[];
      requestBody?: { content: Record<string, { schema: { $ref: string } }> };
      responses: Record<string, object>;
    };
    const parameters = [...((item['parameters'] ?? []) as object[]), ...(own.parameters ?? [])];
    const bodySchema = own.requestBody?.content['application/json']?.schema.$ref;
    return {
      method: method.toUpperCase(),
      path,
      operationId: own.operationId,
      parameters: parameters.map((parameter) => this.resolve(parameter) as Parameter),
      ...(bodySchema === undefined ? {} : { bodySchema }),
      responses: Object.fromEntries(
        Object.entries(own.responses).map(([status, response]) => [
          status,
          this.resolve(response) as Response,
        ]),
      ),
    };
  }

  private pointerTo(operation: Operation, status: number): string[] {
    const own = ['paths', operation.path, operation.method.toLowerCase(), 'responses', String(status)];
    const target = (resolve(this.document, reference(own)) as { $ref?: string }).$ref;
    return target === undefined ? own : target.slice(2).split('/');
  }
}

/** With nothing allowed in an answer beyond what is described, so that surprises are found. */
function closed(document: Document): Document {
  const copy = structuredClone(document);
  for (const schema of Object.values(copy.components.schemas)) {
    if (schema['properties'] !== undefined) schema['additionalProperties'] ??= false;
  }
  return copy;
}

function reference(segments: readonly string[]): string {
  const escaped = segments.map((segment) => segment.replaceAll('~', '~0').replaceAll('/', '~1'));
  return `#/${escaped.map(encodeURIComponent).join('/')}`;
}

function resolve(document: unknown, pointer: string): unknown {
  return pointer
    .slice(2)
    .split('/')
    .map((segment) => decodeURIComponent(segment).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, segment) => (value as Record<string, unknown> | undefined)?.[segment], document);
}
