import { trafficPolicyOf, userAgentFilterOf } from '../../support/modules';
import type { EmulatorOptions } from '../../../emulator/src/index';
import type { ApiClient } from '../../../provider/src/api/client';
import type { ServiceRule } from '../../../provider/src/rule/rule';
import { canaryKey, createClient } from '../../support/api-client';
import { startService } from '../../support/service-stack';

jest.setTimeout(60_000);

const edgeId = 'edgtcp_2hXy0000000000000000000000a';

const setUp = async (options: EmulatorOptions = {}) => {
  const { emulator } = await startService({ accounts: { [canaryKey]: 'default' }, ...options });
  return { emulator, client: createClient(emulator.url) };
};

const listAll = async (client: ApiClient): Promise<readonly ServiceRule[]> => {
  const rules: ServiceRule[] = [];
  for await (const page of client.listIpPolicyRules(client.startOperation())) rules.push(...page.rules);
  return rules;
};

test('every request goes below the base URL with our headers, and a content type only with a body', async () => {
  const { emulator, client } = await setUp({ basePath: '/api' });
  const module = trafficPolicyOf(client, edgeId);
  await module.get(client.startOperation()).catch(() => undefined);
  await module.replace({ enabled: true, value: '{}' }, client.startOperation());
  const [get, put] = emulator.journal.map(({ headers }) => headers);
  expect(get).toMatchObject({ accept: 'application/json', 'service-version': '2' });
  expect(get?.['user-agent']).toMatch(/^pulumi-edge-policy\/\d+\.\d+\.\d+$/);
  expect(get).not.toHaveProperty('content-type');
  expect(get).not.toHaveProperty('content-length');
  expect(put).toMatchObject({ 'content-type': 'application/json' });
});

test('an empty update and an unsafe identifier reach nobody', async () => {
  const { emulator, client } = await setUp();
  const deadline = client.startOperation();
  for (const request of [
    () => client.updateIpPolicyRule({ id: 'ipr_1' }, {}, deadline),
    () => client.getIpPolicyRule({ id: '..' }, deadline),
    () => client.deleteIpPolicyRule('a/../b', deadline),
  ])
    await expect(request()).rejects.toMatchObject({ name: 'RequestError' });
  expect(() => trafficPolicyOf(client, 'edgtcp_?')).toThrow('letters, digits, ".", "_", "~" and "-"');
  expect(() => userAgentFilterOf(client, 'edghts_1/')).toThrow('is empty');
  expect(emulator.journal).toHaveLength(0);
});

test('a refusal by the rate limit is waited out, and told once', async () => {
  const { emulator } = await setUp();
  const lines: string[] = [];
  const client = createClient(emulator.url, {}, { warn: (line) => void lines.push(line) });
  emulator.fault({ kind: 'status', status: 429, headers: { 'retry-after': '1' } });
  await expect(listAll(client)).resolves.toEqual([]);
  expect(lines).toEqual([]);
  const [first, second] = emulator.journal;
  expect((second?.startedAt ?? 0) - (first?.startedAt ?? 0)).toBeGreaterThanOrEqual(995);
  emulator.fault({ kind: 'status', status: 429, headers: { 'retry-after': ['3600', '1'] }, times: 2 });
  await expect(listAll(client)).rejects.toMatchObject({ name: 'DeadlineError', outcome: 'rate-limited' });
  expect(lines).toEqual([expect.stringMatching(/^The service is rate limiting requests: waiting until 20/)]);
});
