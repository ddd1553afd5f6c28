import { switchTable, type SwitchName } from '../../emulator/src/index';
import { ENDPOINTS } from '../../emulator/src/endpoints';
import { Contract } from './support/contract';
import { moduleKind } from '../../emulator/src/routes/modules';
import { send, type HttpAnswer, type Outgoing } from './support/http';
import { moduleSamples } from './support/modules';
import { startEmulator, useService } from './support/service';

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
