import type { Fault } from '../../emulator/src/index';
import { failureOf } from './support/http';
import { useService } from './support/service';

const service = useService();
const { post } = service;

describe('which requests a fault hits', () => {
  const failing = { kind: 'status', status: 503 } as const;
  const statusesOf = async (paths: readonly string[]): Promise<number[]> => {
    const all: number[] = [];
    for (const path of paths) all.push((await service.call('GET', path)).status);
    return all;
  };

  test('without a target: the next request, once', async () => {
    const fault = service.emulator.fault(failing);
    expect(await statusesOf(['/ip_policy_rules', '/ip_policy_rules'])).toEqual([503, 200]);
    expect(fault.hits).toBe(1);
  });

  test.each<[Fault['path'], number[]]>([
    ['/ip_policy_rules', [503, 404, 404]],
    ['/ip_policy_rules/{id}', [200, 503, 404]],
    ['/edges/tcp/edgtcp_1/traffic_policy', [200, 404, 503]],
    [/rules\/ipr/, [200, 503, 404]],
    [{ pattern: '^/edges' }, [200, 404, 503]],
  ])('by path: %p', async (path, expected) => {
    service.emulator.fault({ ...failing, path });
    const paths = [
      '/ip_policy_rules?limit=1',
      '/ip_policy_rules/ipr_1',
      '/edges/tcp/edgtcp_1/traffic_policy',
    ];
    expect(await statusesOf(paths)).toEqual(expected);
  });

  test('by method: upper or lower case, and no other method', async () => {
    service.emulator.fault({ ...failing, method: 'post' });
    expect(await statusesOf(['/ip_policy_rules'])).toEqual([200]);
    expect((await post()).status).toBe(503);
  });

  test('nth and times: so many from the nth matching request on', async () => {
    service.emulator.fault({ ...failing, nth: 2, times: 2 });
    expect(await statusesOf(Array<string>(5).fill('/ip_policy_rules'))).toEqual([200, 503, 503, 200, 200]);
  });

  test('always: until it is removed', async () => {
    const fault = service.emulator.fault({ ...failing, times: 'always' });
    expect(await statusesOf(Array<string>(3).fill('/ip_policy_rules'))).toEqual([503, 503, 503]);
    fault.remove();
    expect(await statusesOf(['/ip_policy_rules'])).toEqual([200]);
    expect(fault.hits).toBe(3);
  });

  test('of two faults for one request the first set wins, and both count it', async () => {
    service.emulator.fault({ ...failing, status: 500 });
    service.emulator.fault({ ...failing, status: 502, nth: 2 });
    expect(await statusesOf(Array<string>(3).fill('/ip_policy_rules'))).toEqual([500, 502, 200]);
  });
});

test('a fault that spoils the real answer cannot come before it', () => {
  expect(() => service.emulator.fault({ kind: 'cut', framing: 'length', when: 'before' })).toThrow(
    'its "when" must be "after"',
  );
});

test('the journal names the fault and the status that was sent', async () => {
  service.emulator.fault({ kind: 'status', status: 503 });
  service.emulator.fault({ kind: 'reset', nth: 2 });
  await post();
  await failureOf(post());
  expect(service.emulator.journal).toEqual([
    expect.objectContaining({ fault: 'status 503', status: 503 }),
    expect.objectContaining({ fault: 'reset' }),
  ]);
});
