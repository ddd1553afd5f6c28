import type { Machinery } from '../pipeline';
export function openApiDocument(machinery: Machinery): object {
  return { openapi: '3.1.0', servers: [{ url: machinery.service.url }] };
}
