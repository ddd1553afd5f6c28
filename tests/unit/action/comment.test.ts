import { affecting, harmless, opening } from './action-folder';
import { Judging, pull } from './judging';
import { type Comment, LOST, OWN_LOGIN } from './stand-in-github';

const MARKER = '<!-- edge-policy-review org%2Facme%2Fdev -->';
const COMMENTS = '/repos/acme/edge/issues/7/comments';

const { api, judge } = new Judging();

test('is updated in place, and left alone when nothing is new', async () => {
  await judge(affecting);
  await judge(opening);
  expect(api.comments).toHaveLength(1);
  expect(api.comments[0]?.body).toContain('open-to-all');
  const before = api.requests.length;
  await judge(opening);
  const calls = api.requests.slice(before).map((request) => request.split(' ', 2).join(' '));
  expect(calls.filter((call) => /comments|graphql/.test(call))).toEqual([
    'POST /graphql',
    `GET ${COMMENTS}?per_page=100&page=1`,
  ]);
});

test('reports that the change no longer affects access, and there is none if it never did', async () => {
  await judge(harmless);
  expect(api.comments).toEqual([]);
  await judge(affecting);
  await judge(harmless);
  expect(api.comments).toHaveLength(1);
  expect(api.comments[0]?.body).toContain('no longer affects access');
  await judge(affecting);
  expect(api.comments[0]?.body).not.toContain('no longer affects access');
});

test('is replaced by that of a review that cannot be made', async () => {
  await judge(affecting);
  const { comment } = await judge('no preview');
  expect(api.comments).toHaveLength(1);
  expect(comment).toContain('No review could be made: it ended with an error');
  expect(comment).not.toContain('9.9.9.0/24');
});

test('is found behind a hundred others, and each stack has its own', async () => {
  await judge(affecting);
  const [own] = api.comments.splice(0);
  for (let id = 1000; id < 1150; id += 1)
    api.comments.push({ id, body: 'a discussion', user: { login: 'somebody' } });
  if (own) api.comments.push({ ...own, id: 2000 });
  await judge(harmless);
  expect(api.comments).toHaveLength(151);
  await judge(affecting, { REVIEW_STACK: 'org/acme-2/dev' });
  expect(api.comments).toHaveLength(152);
  expect(api.comments.at(-1)?.body.split('\n', 1)[0]).toBe(
    '<!-- edge-policy-review org%2Facme%2D2%2Fdev -->',
  );
});

test('of another author that starts with the marker is never touched, whatever its text', async () => {
  await judge(affecting);
  const [{ body }] = api.comments.splice(0) as [Comment];
  const foreign = [
    { id: 1, body: `${MARKER}\n`, user: { login: 'somebody' } },
    { id: 2, body, user: { login: 'github-actions' } },
  ];
  api.comments.push(...foreign.map((one) => ({ ...one })));
  await judge(affecting);
  expect(api.comments).toEqual([...foreign, { id: 3, body, user: { login: OWN_LOGIN } }]);
});

test.each([429, 502, LOST])(
  'is written once, and the check made, whatever calls are answered with %d at first',
  async (status) => {
    const ofReview = ['GET /repos/acme/edge/pulls', 'GET /repos/acme/edge/actions', 'GET /storage'];
    const ofResult = [
      'POST /repos/acme/edge/check-runs',
      'POST /graphql',
      `GET ${COMMENTS}`,
      `POST ${COMMENTS}`,
    ];
    const calls = [...ofReview, ...ofResult];
    api.outages.push(...calls.map((call) => ({ call, status })));
    api.outages.push({ call: `POST ${COMMENTS}`, status, isDone: true });
    await judge(affecting);
    expect(api.checks).toHaveLength(1);
    api.outages.push({ call: 'PATCH ', status });
    await judge(opening);
    expect([api.outages, api.comments.length]).toEqual([[], 1]);
    expect(api.comments[0]?.body).toContain('open-to-all');
  },
);

test('that cannot be written for long is given up, with a warning, and the check is made', async () => {
  await judge(affecting);
  api.outages.push(...Array.from({ length: 5 }, () => ({ call: 'PATCH ', status: 503 })));
  expect((await judge(opening)).log).toContain('::warning::The review could not be posted as a comment');
  expect(api.outages).toHaveLength(1);
  expect(api.checks).toMatchObject([{ conclusion: 'success' }, { conclusion: 'failure' }]);
});

test('that a token may not write is a warning, and costs no review', async () => {
  api.outages.push({ call: `POST /repos/acme/edge/issues/${pull.number}/comments`, status: 403 });
  const { exitCode, log } = await judge(affecting);
  expect(exitCode).toBe(0);
  expect(log).toContain('::warning::The review could not be posted as a comment');
  expect(api.checks).toHaveLength(1);
});
