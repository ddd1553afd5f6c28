import { parseBaseUrl } from '../../../provider/src/api/base-url';
import { ApiClient } from '../../../provider/src/api/client';
import type { Reply } from '../../../provider/src/api/transport';
import { VirtualClock } from '../../support/virtual-clock';

const baseUrl = 'https://api.example.com';
const settings = {
  ...{ apiKey: 'key-1', baseUrl, versionHeader: 'Service-Version', version: '2' },
  ...{ maxConcurrency: 1, requestTimeoutMs: 30_000, operationTimeoutMs: 300_000, maxAttempts: 4 },
};
const gone: Reply = {
  kind: 'answer',
  status: 204,
  retryAfter: undefined,
  date: undefined,
  body: { kind: 'empty' },
};
const busy: Reply = { ...gone, status: 503 };

/** A client whose attempts are answered by hand. */
function clientByHand() {
  const clock = new VirtualClock();
  const answers: ((reply: Reply) => void)[] = [];
  const send = (): Promise<Reply> => new Promise((resolve) => answers.push(resolve));
  const client = new ApiClient(settings, {
    ...{ clock, random: () => 0.5, warn: () => undefined },
    connect: () => ({ baseUrl: parseBaseUrl(baseUrl), send, close: () => undefined }),
  });
  const remove = (id: string): Promise<string> =>
    client.deleteIpPolicyRule(id, client.startOperation()).then(
      () => 'deleted',
      (error: unknown) => (error as Error).message,
    );
  return { clock, client, answers, remove };
}

const cancelled = (id: string): string =>
  `DELETE /ip_policy_rules/${id}: not done because the run was cancelled`;

test('cancel: who waits before another attempt gives up at once', async () => {
  const { clock, client, answers, remove } = clientByHand();
  const failing = remove('ipr_1');
  await clock.advance(0);
  answers[0]?.(busy);
  await clock.advance(0);
  const startedAt = clock.epochMs();
  client.cancel();
  expect(await failing).toContain(cancelled('ipr_1'));
  expect(clock.epochMs()).toBe(startedAt);
  expect(answers).toHaveLength(1);
});
