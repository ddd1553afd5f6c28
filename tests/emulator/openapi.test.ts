import { switchTable, type SwitchName } from '../../emulator/src/index';
import { ENDPOINTS } from '../../emulator/src/endpoints';
import { moduleKind } from '../../emulator/src/routes/modules';
import { send, type HttpAnswer, type Outgoing } from './support/http';
import { moduleSamples } from './support/modules';
import { startEmulator, useService } from './support/service';
import Ajv2020 from 'ajv/dist/2020';
import type { ValidateFunction } from 'ajv/dist/2020';

interface Operation {
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  /** Reference to the schema of the body, if there is one. */
  readonly bodySchema?: string;
  readonly responses: Readonly<Record<string, Response>>;
}

interface Parameter {
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
class Contract {
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

const service = useService();

async function contractOf(url: string): Promise<Contract> {
  const answer = await send({ method: 'GET', url: `${url}/openapi.json` });
  return new Contract(answer.json() as ConstructorParameters<typeof Contract>[0]);
}

test('the description needs no key and names the address, the version header and the dialect', async () => {
  const emulator = await startEmulator({ basePath: '/api', versionHeader: 'Other-Version' });
  const answer = await send({ method: 'GET', url: `${new URL(emulator.url).origin}/openapi.json` });
  expect(answer.json()).toMatchObject({
    openapi: '3.1.0',
    servers: [{ url: emulator.url }],
    components: { parameters: { Version: { name: 'Other-Version', required: true } } },
  });
});

test('it describes exactly the operations that are served, each under an id of its own', async () => {
  const { operations } = await contractOf(service.emulator.url);
  const described = operations.map(({ method, path }) => `${method} ${path}`);
  expect(described.sort()).toEqual(ENDPOINTS.map(({ method, path }) => `${method} ${path}`).sort());
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(ENDPOINTS.length);
});

test('every reference leads somewhere, and every parameter of a path is declared', async () => {
  const contract = await contractOf(service.emulator.url);
  expect(contract.referencesWithoutTarget()).toEqual([]);
  for (const { path, parameters } of contract.operations) {
    const declared = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    expect(declared).toEqual([...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]));
  }
});

type Call = (
  operationId: string,
  path: string,
  body?: unknown,
  more?: Partial<Outgoing>,
) => Promise<HttpAnswer>;

const rule = { cidr: '192.0.2.0/24', ip_policy_id: 'ipp_1', action: 'deny' };

/** Every operation, with success and with every refusal that it knows. */
async function everyOperation(call: Call): Promise<void> {
  const made = await call('createIpPolicyRule', '/ip_policy_rules', {
    ...rule,
    description: 'd',
    metadata: 'm',
  });
  const own = `/ip_policy_rules/${(made.json() as { id?: string }).id ?? ''}`;
  await call('createIpPolicyRule', '/ip_policy_rules', rule);
  await call('createIpPolicyRule', '/ip_policy_rules', { ...rule, cidr: '2001:DB8::1', surprise: 1 });
  await call('createIpPolicyRule', '/ip_policy_rules', { ...rule, ip_policy_id: 'other' });
  await call('createIpPolicyRule', '/ip_policy_rules', 'x', { headers: { 'Content-Type': 'text/plain' } });
  await call('listIpPolicyRules', '/ip_policy_rules');
  await call('listIpPolicyRules', '/ip_policy_rules?limit=0');
  await call('listIpPolicyRules', '/ip_policy_rules', undefined, { headers: { Authorization: undefined } });
  await call('listIpPolicyRules', '/ip_policy_rules', undefined, { headers: { 'Service-Version': '1' } });
  for (const path of [own, '/ip_policy_rules/ipr_none']) {
    await call('getIpPolicyRule', path);
    for (const body of [{ description: '' }, {}, { action: 'allow' }, { cidr: '10.0.0.1/8' }]) {
      await call('updateIpPolicyRule', path, body);
    }
    await call('deleteIpPolicyRule', path);
  }
  await everyModuleOperation(call);
}

async function everyModuleOperation(call: Call): Promise<void> {
  for (const { name: seedName, path, module } of moduleSamples) {
    const name = moduleKind(seedName).type;
    await call(`get${name}`, path);
    await call(`delete${name}`, path);
    await call(`replace${name}`, path, module);
    await call(`replace${name}`, path, { surprise: 1 });
    await call(`replace${name}`, path.replace('edg', 'other'), module);
    await call(`get${name}`, path);
    await call(`delete${name}`, path);
  }
}

async function violationsUnderway(): Promise<{
  violations: string[];
  statuses: Set<number>;
  used: Set<string>;
}> {
  const contract = await contractOf(service.emulator.url);
  const violations: string[] = [];
  const statuses = new Set<number>();
  const used = new Set<string>();
  await everyOperation(async (operationId, path, body, more) => {
    const operation = contract.operations.find((candidate) => candidate.operationId === operationId);
    if (operation === undefined) throw new Error(`${operationId} is not described`);
    const answer = await service.call(operation.method, path, body, more);
    violations.push(...contract.violations(operation, answer));
    statuses.add(answer.status);
    used.add(operationId);
    return answer;
  });
  return { violations, statuses, used };
}

test('real answers of all operations are as described', async () => {
  const { violations, statuses, used } = await violationsUnderway();
  expect(violations).toEqual([]);
  expect([...statuses].sort()).toEqual([200, 201, 204, 400, 401, 404, 415]);
  const { operations } = await contractOf(service.emulator.url);
  expect([...used].sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
});

test.each([
  [413, undefined],
  [429, 1],
])('%i is as described, for every operation that has it', async (status, rateLimit) => {
  if (rateLimit !== undefined) service.emulator.setSwitches({ rateLimit });
  await service.call('GET', '/ip_policy_rules');
  const contract = await contractOf(service.emulator.url);
  const refusing = contract.operations.filter(
    ({ bodySchema }) => rateLimit === 1 || bodySchema !== undefined,
  );
  for (const operation of refusing) {
    const path = operation.path.replace(/\{\w+\}/g, 'x');
    const body =
      operation.bodySchema === undefined ? undefined : `"${'x'.repeat(rateLimit === 1 ? 1 : 2 ** 20)}"`;
    const answer = await service.call(operation.method, path, body);
    expect([answer.status, contract.violations(operation, answer)]).toEqual([status, []]);
  }
});

/** The first position of each switch is the one in which the emulator starts. */
const otherPositions = (Object.keys(switchTable) as SwitchName[]).flatMap((name) => {
  const definition = switchTable[name];
  if (definition.kind === 'number' || name === 'extraFields') return [];
  return definition.positions.slice(1).map((position) => [name, position] as const);
});

test.each(otherPositions)('real answers are as described with %s %s', async (name, position) => {
  service.emulator.setSwitches({ [name]: position });
  expect((await violationsUnderway()).violations).toEqual([]);
});

test('the closed description notices fields that are not described: extraFields some', async () => {
  service.emulator.setSwitches({ extraFields: 'some' });
  const { violations } = await violationsUnderway();
  expect(violations).toContainEqual(expect.stringContaining('must NOT have additional properties'));
});
