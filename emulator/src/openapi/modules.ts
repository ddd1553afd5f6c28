// The part of the OpenAPI description about modules, made from their kinds.
import { identifierParts } from '../identifiers';
import { type ModuleKind, parametersOf, schemasOf } from '../routes/module-kind';
import { moduleKind, moduleNames } from '../routes/modules';
import { body, deletion, idParameter, json, responses } from './responses';

const kinds = moduleNames.map(moduleKind);

/** The operations of every module. */
export const modulePaths = Object.fromEntries(kinds.map((kind) => [kind.path, operations(kind)]));

/** The schemas of every module, in answers and in requests. */
export const moduleSchemas = Object.fromEntries(
  kinds.flatMap((kind) => [
    [kind.type, answerSchema(kind)],
    [`${kind.type}Replace`, requestSchema(kind)],
  ]),
);

function operations(kind: ModuleKind): object {
  const { type, parent } = kind;
  const parts = identifierParts(parent);
  return {
    parameters: parametersOf(kind).map((name, index) => idParameter(name, parts[index])),
    put: {
      operationId: `replace${type}`,
      requestBody: body(json(`${type}Replace`)),
      responses: responses(
        { 200: { description: 'The stored module.', content: json(type) } },
        [404, 413, 415, 422],
      ),
    },
    get: {
      operationId: `get${type}`,
      responses: responses({ 200: { description: 'The module.', content: json(type, 'NoModule') } }, [404]),
    },
    delete: { operationId: `delete${type}`, responses: deletion },
  };
}

function answerSchema(kind: ModuleKind): object {
  const properties = schemasOf(kind);
  return { type: 'object', required: Object.keys(properties), properties };
}

function requestSchema({ fields }: ModuleKind): object {
  const entries = Object.entries(fields);
  const required = entries.filter(([, { isRequired }]) => isRequired === true).map(([name]) => name);
  const properties = entries.map(([name, { schema, requestSchema: own = schema, isRequired, empty }]) => [
    name,
    isRequired === true ? own : { ...own, default: empty },
  ]);
  return {
    type: 'object',
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
    properties: Object.fromEntries(properties) as object,
  };
}
