import type { ClientSettings } from '../../../provider/src/api/client-settings';
import type { Interrupted } from '../../../provider/src/cli/recover/interrupted';
import { awaitEnd, timeUntilEnd } from '../../../provider/src/cli/recover/waiting';
import { IdleClock } from '../../support/idle-clock';

const writtenAt = Date.UTC(2030, 0, 1);
const settings = { requestTimeoutMs: 30_000, operationTimeoutMs: 300_000 } as ClientSettings;

const interrupted = (type: string, source: Interrupted['source'] = 'pending'): Interrupted => ({
  source,
  deployment: {
    manifest: { time: new Date(writtenAt).toISOString() },
    resources: [],
    pendingOperations: [],
  },
  operations: [{ type: 'creating', reference: 'urn:a', resource: { urn: 'urn:a', type }, inputs: {} }],
  window: { stackBeganAt: NaN, operationBeganAfter: NaN },
});
const own = (type: string): string => `pulumi-nodejs:dynamic/edge-policy:${type}`;
const [rule, set] = [own('IpPolicyRule'), own('IpPolicyRuleSet')];

test.each([
  // The plugin stops within 5 s, a request may take effect for 30 s more, and a list may lag by 10 s.
  ['just killed', interrupted(rule), 0, 45_000],
  ['a set, just killed', interrupted(set), 0, 45_000],
  ['near the end of its last operation', interrupted(rule), 290_000, 20_000],
  ['long after its last operation', interrupted(rule), 310_000, 0],
  ['a set, whose operation has no end of its own', interrupted(set), 3_600_000, 45_000],
  ['a set of a failed run, which has ended', interrupted(set, 'preview'), 310_000, 0],
  ['a state written by a clock that is ahead', interrupted(rule), -120_000, 45_000],
  ['nothing of this package', interrupted('other:index:Thing'), 0, 0],
])('%s: recovery waits for what can still happen', (_what, found, sinceMs, totalMs) => {
  const remaining = timeUntilEnd(found, { settings: [settings], nowMs: writtenAt + sinceMs });
  expect(remaining.totalMs).toBe(totalMs);
});

test('the longest times among several accounts count', () => {
  const slow = { ...settings, requestTimeoutMs: 60_000 };
  const remaining = timeUntilEnd(interrupted(rule), { settings: [settings, slow], nowMs: writtenAt });
  expect(remaining.totalMs).toBe(75_000);
});

test('the wait counts down, and says what for and how to be sure sooner', async () => {
  const clock = new IdleClock();
  const startedAt = clock.epochMs();
  const remaining = timeUntilEnd(interrupted(rule), { settings: [settings], nowMs: writtenAt });
  let said = '';
  await awaitEnd(remaining, { clock, note: (text) => (said += text) });
  expect(clock.epochMs() - startedAt).toBe(45_000);
  expect(said).toContain('Waiting 45 s at most');
  expect(said).toContain('up to 30 s: what it has sent may still take effect');
  expect(said).toContain('--no-wait');
  expect(said.match(/\d+(?= s left)/g)).toEqual(['45', '35', '25', '15', '5']);
});
