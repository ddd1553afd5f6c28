// What for: the OpenAPI description of the emulated service, written by hand.
// Must not know: the routes: a test compares the two.
import { paths } from './paths';
import { errorResponses } from './responses';
import { schemas } from './schemas';

/** The OpenAPI 3.1 description of the emulated service, written by hand, covering every position of the switches. */
export function openApiDocument(place: { url: string; versionHeader: string }): object {
  const versionHeader = { $ref: '#/components/parameters/Version' };
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Edge policy management service',
      version: '2',
      description:
        'IP policy rules, the traffic policy module of a TCP edge and the user agent filter module of an HTTPS ' +
        'edge route, as the emulator serves them.',
    },
    servers: [{ url: place.url }],
    security: [{ apiKey: [] }],
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [path, withParameter(item, versionHeader)]),
    ),
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } },
      parameters: {
        Version: { name: place.versionHeader, in: 'header', required: true, schema: { const: '2' } },
      },
      responses: errorResponses,
      schemas,
    },
  };
}

function withParameter(item: { parameters?: readonly object[] }, parameter: object): object {
  return { ...item, parameters: [parameter, ...(item.parameters ?? [])] };
}
