// The description of the service as a judge of what it does.
import Ajv2020 from 'ajv/dist/2020';
import { switchTable, type SwitchName } from '../../emulator/src/index';
import { ENDPOINTS } from '../../emulator/src/endpoints';
import { moduleKind } from '../../emulator/src/routes/modules';
import { type HttpAnswer, type Outgoing, send } from './support/http';
import { moduleSamples } from './support/modules';
import { startEmulator, useService } from './support/service';

interface Operation {
  readonly operationId: string;
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, { readonly $ref?: string } & Described>>;
}

interface Described {
  readonly content?: Readonly<Record<string, unknown>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Record<string, unknown>>>;
    readonly responses: Readonly<Record<string, Described>>;
  };
}

const service = useService();
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

async function describedService() {
  const answer = await send({ method: 'GET', url: `${service.emulator.url}/openapi.json` });
  const document = answer.json() as Document;
  // With nothing allowed in an answer beyond what is described, so that surprises are found.
  for (const schema of Object.values(document.components.schemas))
    if (schema['properties'] !== undefined) schema['additionalProperties'] ??= false;
  // The formats are names for what no schema can say.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema(document, 'openapi');
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const own = item[method];
      return own ? [{ path, method: method.toUpperCase(), own }] : [];
    }),
  );

  /** What is wrong with the answer to an operation; nothing if it is as described. */
  function violations({ path, method, own }: (typeof operations)[number], answer: HttpAnswer): string[] {
    const place = `${own.operationId} ${answer.status}`;
    const response = own.responses[answer.status];
    if (response === undefined) return [`${place} is not described: ${answer.text}`];
    const { content } =
      response.$ref === undefined ? response : (document.components.responses[answer.status] ?? {});
    if (answer.text === '') return content === undefined || answer.status >= 400 ? [] : [`${place}: no body`];
    const type = answer.headers['content-type']?.split(';')[0] ?? 'none';
    if (content?.[type] === undefined) return [`${place} has the content type ${type}`];
    if (type !== 'application/json') return [];
    const encoded = encodeURIComponent(path.replaceAll('/', '~1'));
    const pointer = response.$ref ?? `#/paths/${encoded}/${method.toLowerCase()}/responses/${answer.status}`;
    const validate = ajv.getSchema(`openapi${pointer}/content/application~1json/schema`);
    if (!validate) return [`${place} has no schema`];
    void validate(answer.json());
    return (validate.errors ?? []).map(
      ({ instancePath, message = '' }) => `${place}: ${instancePath} ${message}`,
    );
  }
  return { document, operations, violations };
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

test('it describes exactly the operations that are served, each under an id of its own, with its schemas and the parameters of its path', async () => {
  const { operations, document } = await describedService();
  const described = operations.map(({ method, path }) => `${method} ${path}`);
  expect(described.sort()).toEqual(ENDPOINTS.map(({ method, path }) => `${method} ${path}`).sort());
  expect(new Set(operations.map(({ own }) => own.operationId)).size).toBe(ENDPOINTS.length);
  for (const [, name = ''] of JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g))
    expect(document.components.schemas).toHaveProperty(name);
  for (const [path, { parameters }] of Object.entries(document.paths)) {
    const declared = parameters as unknown as readonly { readonly name?: string }[];
    expect(declared.flatMap(({ name }) => name ?? [])).toEqual(
      Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name),
    );
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
  const create = (body: unknown, headers: Record<string, string> = {}) =>
    call('createIpPolicyRule', '/ip_policy_rules', body, { headers });
  const made = await create({ ...rule, description: 'd', metadata: 'm' });
  await create(rule);
  await create({ ...rule, cidr: '2001:DB8::1', surprise: 1 });
  await create({ ...rule, ip_policy_id: 'other' });
  await create('x', { 'Content-Type': 'text/plain' });
  for (const [query, headers] of [
    ['', {}],
    ['?limit=0', {}],
    ['', { Authorization: undefined }],
    ['', { 'Service-Version': '1' }],
  ] as const)
    await call('listIpPolicyRules', `/ip_policy_rules${query}`, undefined, { headers });
  for (const id of [(made.json() as { id?: string }).id ?? '', 'ipr_none']) {
    const path = `/ip_policy_rules/${id}`;
    await call('getIpPolicyRule', path);
    for (const body of [{ description: '' }, {}, { action: 'allow' }, { cidr: '10.0.0.1/8' }])
      await call('updateIpPolicyRule', path, body);
    await call('deleteIpPolicyRule', path);
  }
  for (const { name: seedName, path, module } of moduleSamples) {
    const name = moduleKind(seedName).type;
    for (const [verb, place, body] of [
      ['get', path],
      ['delete', path],
      ['replace', path, module],
      ['replace', path, { surprise: 1 }],
      ['replace', path.replace('edg', 'other'), module],
      ['get', path],
      ['delete', path],
    ] as const)
      await call(`${verb}${name}`, place, body);
  }
}

async function violationsUnderway() {
  const { operations, violations } = await describedService();
  const found: string[] = [];
  const statuses = new Set<number>();
  const unused = new Set(operations.map(({ own }) => own.operationId));
  await everyOperation(async (operationId, path, body, more) => {
    const operation = operations.find(({ own }) => own.operationId === operationId);
    if (operation === undefined) throw new Error(`${operationId} is not described`);
    const answer = await service.call(operation.method, path, body, more);
    found.push(...violations(operation, answer));
    statuses.add(answer.status);
    unused.delete(operationId);
    return answer;
  });
  return { violations: found, statuses: [...statuses].sort(), unused: [...unused] };
}

test('real answers of all operations are as described', async () => {
  expect(await violationsUnderway()).toEqual({
    ...{ violations: [], unused: [] },
    statuses: [200, 201, 204, 400, 401, 404, 415],
  });
});

test.each([413, 429])('%i is as described, for every operation that has it', async (status) => {
  if (status === 429) service.emulator.setSwitches({ rateLimit: 1 });
  await service.call('GET', '/ip_policy_rules');
  const { operations, violations } = await describedService();
  for (const operation of operations) {
    const { requestBody } = operation.own;
    if (status === 413 && !requestBody) continue;
    const body = requestBody && `"${'x'.repeat(status === 413 ? 2 ** 20 : 1)}"`;
    const path = operation.path.replace(/\{\w+\}/g, 'x');
    const answer = await service.call(operation.method, path, body);
    expect([answer.status, violations(operation, answer)]).toEqual([status, []]);
  }
});

/** The first position of each switch is the one in which the emulator starts. */
const otherPositions = (Object.keys(switchTable) as SwitchName[]).flatMap((name) => {
  const definition = switchTable[name];
  return definition.kind === 'number'
    ? []
    : definition.positions.slice(1).map((position) => [name, position]);
});

test.each(otherPositions)('real answers are as described with %s %s', async (name = '', position) => {
  service.emulator.setSwitches({ [name]: position });
  const { violations } = await violationsUnderway();
  // Undocumented fields are noticed, as the description is closed here.
  const isOdd = name === 'extraFields';
  expect(violations.some((each) => each.includes('must NOT have additional properties'))).toBe(isOdd);
  if (!isOdd) expect(violations).toEqual([]);
});
