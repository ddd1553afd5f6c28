// What for: what the document of the service leaves open: the requests that answer it, and what each answer means to users.
import { type SwitchName, switchTable } from '../../emulator/src/switches';
import { type Answer, fieldsOf, type Service } from './service';
import type { Run } from './run';

/** Would take a 429, which a run must not provoke, or many tries, as lags differ; and the latency, which is no question. */
export const UNASKED = [
  ...(['rateLimit', 'rateLimitWindowMs', 'retryAfter', 'simultaneousLimit', 'latencyMs'] as const),
  ...(['deletedListedMs', 'moduleLagMs', 'createdAtAheadMs', 'listPages'] as const),
];
type Unasked = (typeof UNASKED)[number];

/** Beyond the switches of the emulator, or in other words than theirs. */
const OWN_QUESTIONS = {
  parents: 'A rule for a policy that does not exist: `any` if it is created',
  duplicateOfOtherAction: 'The same network twice in one policy, with different actions',
  duplicateSpelling: 'The same network twice in one policy, in another spelling',
  emptyText: 'An empty description in a create, in the response',
  emptyTextPatch: 'PATCH with an empty description',
  listedMetadata: 'Metadata in the rule list',
  textLimit: 'The unit of the limit of 255 of a description',
};

export type QuestionName = Exclude<SwitchName, Unasked> | keyof typeof OWN_QUESTIONS;

const words = new Map<string, string>([
  ...Object.entries(switchTable).map(([name, { question }]) => [name, question] as const),
  ...Object.entries(OWN_QUESTIONS),
]);

/** The question in words. */
export const questionOf = (name: QuestionName): string => words.get(name)?.replace(/ \(.*\)$/, '') ?? name;

const isDone = ({ status }: Answer): boolean => status >= 200 && status < 300;
/** The word for a success, or the status of the refusal. */
const or = (word: string, answer: Answer): string => (isDone(answer) ? word : String(answer.status));
/** Several looks at one thing, which agree or do not. */
const all = (...answers: string[]): string => [...new Set(answers)].join(' / ');

function errorForm({ text, json }: Answer): string {
  if (text === '') return 'empty';
  if (json !== undefined) return 'error_code' in fieldsOf(json) ? 'json' : 'json-without-code';
  return text.trimStart().startsWith('<') ? 'html' : 'text';
}

function unset({ json }: Answer, name: string): string {
  const value = fieldsOf(json)[name];
  return value === undefined ? 'absent' : value === null ? 'null' : value === '' ? 'empty' : 'kept';
}

/** How a network is stored that is not sent in its canonical form. */
async function spelling(run: Run, sent: string, canonical: string): Promise<string> {
  const answer = await run.create(sent);
  if (!isDone(answer)) return answer.status === 400 ? 'refused' : String(answer.status);
  const at = [sent, canonical, sent.toLowerCase()].indexOf(String(fieldsOf(answer.json)['cidr']));
  return ['as-sent', 'canonical', 'lower-case'][at] ?? 'other';
}

async function msUntilListed(service: Service, id: unknown): Promise<string> {
  const startedAt = performance.now();
  for (let waitedMs = 0; waitedMs < 60_000; waitedMs = Math.ceil(performance.now() - startedAt)) {
    if ((await service.rules()).some((rule) => rule['id'] === id)) return String(waitedMs);
    await service.pause(100);
  }
  return 'more than 60000';
}

const DESCRIPTION = 'edge-policy acceptance';
const DOCUMENTED = ['id', 'uri', 'created_at', 'description', 'metadata', 'cidr', 'ip_policy', 'action'];
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** In their order: later ones need what earlier ones have created. */
const QUESTIONS: Readonly<Record<QuestionName, (run: Run) => Promise<string> | string>> = {
  errorBody: async (run) => errorForm(await run.create('not-a-network')),
  async missingRule({ service, absent }) {
    const answer = await service.ask('GET', `/ip_policy_rules/${absent.ruleId}`);
    return or('found', answer).replace('404', errorForm(answer).replace('json', 'error-body'));
  },
  missingModuleOnGet: ({ emptyModules }) => all(...emptyModules),
  listLagMs: async (run) =>
    msUntilListed(run.service, fieldsOf((await run.create('192.0.2.16/28')).json)['id']),
  async unsetText(run) {
    const other = await run.create('192.0.2.32/28', { metadata: undefined, description: run.mark });
    return all(unset(run.anchor, 'description'), unset(other, 'metadata'));
  },
  async emptyText(run) {
    const answer = await run.create('192.0.2.48/28', { description: '' });
    return or(unset(answer, 'description'), answer);
  },
  timestamps({ anchor }) {
    const [, fraction, zone] = TIMESTAMP.exec(String(fieldsOf(anchor.json)['created_at'])) ?? [];
    if (zone === undefined) return 'other';
    return zone !== 'Z' ? 'offset' : fraction === undefined ? 'whole-seconds' : 'fraction';
  },
  extraFields: ({ anchor: { json } }) =>
    Object.keys(fieldsOf(json)).every((name) => DOCUMENTED.includes(name)) ? 'none' : 'some',
  bareAddress: (run) => spelling(run, '192.0.2.66', '192.0.2.66/32'),
  hostBits: (run) => spelling(run, '192.0.2.99/28', '192.0.2.96/28'),
  ipv6Text: (run) => spelling(run, '2001:DB8:A:0::/64', '2001:db8:a::/64'),
  ruleIds: ({ ids: [id = ''] }) => (/^ipr_[0-9A-Za-z]+$/.test(id) ? 'letters-and-digits' : 'any'),
  async equalPost(run) {
    const { json } = await run.create(run.network);
    return fieldsOf(json)['id'] === run.ids[0] ? 'existing' : 'duplicate';
  },
  duplicateCidr: async (run) => or('accepted', await run.create(run.network)),
  duplicateOfOtherAction: async (run) => or('accepted', await run.create(run.network, { action: 'allow' })),
  duplicateSpelling: async (run) => or('accepted', await run.create('2001:db8:a::/64')),
  async listedMetadata({ service, ids, mark }) {
    const listed = (await service.rules()).find(({ id }) => id === ids[0]);
    return listed?.['metadata'] === mark ? 'told' : 'missing';
  },
  async listOrder({ service, ids }) {
    const listed = (await service.rules()).map(({ id }) => String(id)).filter((id) => ids.includes(id));
    if (listed.join() === ids.join()) return 'oldest-first';
    return listed.join() === ids.toReversed().join() ? 'newest-first' : 'other';
  },
  async pageSize({ service }) {
    const [first = 0, ...others] = (await service.pages()).map(({ ip_policy_rules: rules }) => rules.length);
    return others.some((size) => size > 0) ? String(first) : `${first} or more`;
  },
  async emptyPage({ service }) {
    const [, ...pages] = await service.pages();
    return pages.some(({ ip_policy_rules: rules }) => rules.length === 0) ? 'after-first' : 'never';
  },
  async nextPageUri({ service }) {
    const next = (await service.pages())[0]?.next_page_uri;
    if (typeof next !== 'string') return 'not seen: one page';
    return URL.canParse(next) ? 'absolute' : 'relative';
  },
  emptyPatch: async (run) => or('ignored', await run.patch({})),
  async partialPatch(run) {
    const answer = await run.patch({ description: DESCRIPTION });
    return or((await run.reread())['metadata'] === run.mark ? 'kept' : 'cleared', answer);
  },
  async emptyTextPatch(run) {
    const answer = await run.patch({ description: '' });
    return or((await run.reread())['description'] === DESCRIPTION ? 'ignored' : 'cleared', answer);
  },
  async immutablePatch(run) {
    const answer = await run.patch({ action: 'allow', description: DESCRIPTION });
    return or((await run.reread())['action'] === 'deny' ? 'ignored' : 'changed', answer);
  },
  async textLimit(run) {
    const twoBytesEach = 'é'.repeat(200);
    if (!isDone(await run.patch({ description: twoBytesEach }))) return 'bytes';
    if ((await run.reread())['description'] !== twoBytesEach) return 'cut short';
    return isDone(await run.patch({ description: 'a'.repeat(256) })) ? 'none at 256' : 'characters';
  },
  async unknownInput(run) {
    const field = await run.patch({ description: DESCRIPTION, acceptance: true });
    const parameter = await run.service.ask('GET', '/ip_policy_rules?acceptance=1');
    return all(or('ignored', field), or('ignored', parameter));
  },
  unexpectedBody: async (run) => or('ignored', await run.service.ask('GET', run.anchorPath, {})),
  async parents(run) {
    const answer = await run.create('192.0.2.112/28', { ip_policy_id: run.absent.policyId });
    return isDone(answer) ? 'any' : 'seeded';
  },
  async missingParentOnPost(run) {
    const answer = await run.create('192.0.2.128/28', { ip_policy_id: run.absent.policyId });
    return or(
      'accepted',
      isDone(answer) ? await run.create('192.0.2.144/28', { ip_policy_id: 'ipp_~' }) : answer,
    );
  },
  async missingParentOnPut(run) {
    const answer = await run.putPolicy(run.absent.edgeId);
    return or('accepted', isDone(answer) ? await run.putPolicy('edgtcp_~') : answer);
  },
  async policyValue(run) {
    const put = await run.putPolicy();
    const answers = [put, await run.service.ask('GET', run.paths.policy)];
    const isVerbatim = answers.every(({ json }) => fieldsOf(json)['value'] === run.policyText);
    return or(isVerbatim ? 'verbatim' : 'reserialised', put);
  },
  async partialPut(run) {
    await run.putFilter({ enabled: false, allow: [run.pattern], deny: [run.pattern] });
    const answer = await run.putFilter({ deny: [run.pattern] });
    const { enabled, allow } = fieldsOf(answer.json);
    return or(JSON.stringify([enabled, allow]) === '[true,[]]' ? 'reset' : 'kept', answer);
  },
  async regexDialect(run) {
    const takes = async (pattern: string): Promise<boolean> =>
      isDone(await run.putFilter({ enabled: true, allow: [], deny: [run.pattern, pattern] }));
    const [lookahead, flags] = [await takes('(?=a)a{9}'), await takes('(?i)a{9}')];
    return lookahead === flags ? 'other' : flags ? 're2' : 'ecmascript';
  },
  async missingModuleOnDelete(run) {
    const answers: string[] = [];
    for (const path of [run.paths.policy, run.paths.filter]) {
      await run.deleteModule(path);
      answers.push(String((await run.deleteModule(path)).status));
    }
    return all(...answers);
  },
  /** Asked at the end, as it removes the rule that other questions are about. */
  async lastRuleOfPolicy({ service, ids, anchorPath }) {
    for (const id of ids.slice(1)) await service.ask('DELETE', `/ip_policy_rules/${id}`);
    return or('deletable', await service.ask('DELETE', anchorPath));
  },
};

/** Asks all questions; `beforeLast` runs while the policy still has a rule of the run. */
export async function* answersOf(
  run: Run,
  beforeLast?: () => Promise<void>,
): AsyncGenerator<readonly [QuestionName, string]> {
  await run.begin();
  for (const name of Object.keys(QUESTIONS) as QuestionName[]) {
    if (name === 'lastRuleOfPolicy') await beforeLast?.();
    yield [name, await QUESTIONS[name](run)];
  }
}
