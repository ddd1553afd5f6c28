// `npm run acceptance`: the life of all resources on a real service, and its answers to what the document leaves open.
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { Account } from '../../provider/src/settings/account';
import { resolveSettings } from '../../provider/src/settings/settings';
import { checkIdentifier } from '../../provider/src/values/identifiers';
import { printable } from '../../provider/src/values/printable';
import { userCache } from '../setup/paths.mjs';
import { live } from './life';
import { answersOf, type QuestionName, questionOf } from './questions';
import { reportOf, type Row } from './report';
import { inspect, Run, type Targets } from './run';
import { RunRecord } from './run-record';
import { Service } from './service';

const USAGE = `npm run acceptance -- --policy ipp_… --edge edgtcp_… --route edghts_…/edghtsrt_…

  --policy, --edge, --route  an IP policy without rules, a TCP edge and an HTTPS edge route without a module; nothing uses them
  --url URL                  the service, unless EDGE_POLICY_BASE_URL names it
  --requests-per-minute N    60 unless given
  --yes                      do not ask
  --clean                    only remove what killed runs have left

The key is read from EDGE_POLICY_API_KEY, and never from an argument. The other variables of the provider apply, too.`;

const readOptions = () =>
  parseArgs({
    options: {
      ...{ policy: { type: 'string', default: '' }, edge: { type: 'string', default: '' } },
      ...{ route: { type: 'string', default: '' }, url: { type: 'string' } },
      'requests-per-minute': { type: 'string' },
      ...{ yes: { type: 'boolean' }, clean: { type: 'boolean' }, help: { type: 'boolean' } },
    },
  }).values;
type Options = ReturnType<typeof readOptions>;

/** Below the user's cache, so that nothing is forgotten with the checkout. */
const FOLDER = path.join(userCache, 'acceptance');

const interruption = new AbortController();
const say = (text: string): void => {
  console.log(printable(text));
};

function targetsOf({ policy, edge, route }: Options): Targets {
  const [httpsEdge = '', httpsRoute = ''] = route.split('/');
  const problems = [
    ['policy', checkIdentifier(policy, 'ipPolicy')],
    ['edge', checkIdentifier(edge, 'tcpEdge')],
    ['route', checkIdentifier(httpsEdge, 'httpsEdge') ?? checkIdentifier(httpsRoute, 'httpsEdgeRoute')],
  ].filter(([, problem]) => problem !== undefined);
  if (problems.length === 0) return { policyId: policy, edgeId: edge, route };
  throw new Error(`${problems.map(([name, problem]) => `--${name} ${problem}`).join('\n')}\n\n${USAGE}`);
}

async function agree({ policyId, edgeId, route }: Targets, url: string, isAgreed = false): Promise<void> {
  say(`On ${url} this creates, and removes at the end:
- in ${policyId}: up to 16 IP policy rules at a time, for 192.0.2.0/24, 198.51.100.0/24, 203.0.113.0/24
  and 2001:db8::/32, which are reserved for documentation
- on ${edgeId}: a traffic policy that denies 192.0.2.1
- on ${route}: a user agent filter that denies a name that no client has
- a rule and a traffic policy for ids that do not exist, if the service does not refuse them
Nothing else is touched. Whatever uses this policy, this edge or this route may refuse connections in the meantime.`);
  if (isAgreed) return;
  if (!process.stdin.isTTY) throw new Error('nothing was created: without a terminal, agree with --yes');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  terminal.once('SIGINT', () => process.emit('SIGINT'));
  const asked = terminal.question('Go on? (yes/no) ', { signal: interruption.signal });
  const answer = await asked.finally(() => {
    terminal.close();
  });
  if (answer.trim() !== 'yes') throw new Error('nothing was created');
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options.help === true) {
    say(USAGE);
    return;
  }
  const { url, 'requests-per-minute': pace = process.env['EDGE_POLICY_REQUESTS_PER_MINUTE'] ?? '60' } =
    options;
  const environment: Record<string, string> = {
    EDGE_POLICY_REQUESTS_PER_MINUTE: pace,
    EDGE_POLICY_MAX_CONCURRENCY: '1',
    ...(url === undefined ? {} : { EDGE_POLICY_BASE_URL: url }),
  };
  const sources = { config: () => undefined, environment: { ...process.env, ...environment } };
  const settings = resolveSettings(sources);
  const account = new Account(sources).mark;
  const clean = async (record: RunRecord): Promise<void> => {
    const kept = await record.clean(new Service(settings)).catch((error: unknown) => [String(error)]);
    if (kept.length === 0) return;
    process.exitCode = 1;
    say(`Not all is removed: do it by hand, or later with --clean (${record.file}):\n${kept.join('\n')}`);
  };

  const [own = [], others = []] = [true, false].map((isOwn) =>
    RunRecord.all(FOLDER).filter((record) => record.isOf(account) === isOwn),
  );
  if (options.clean === true) {
    for (const record of own) await clean(record);
    const elsewhere = others.map(({ file }) => `\nOf another key or address: ${file}`);
    say(`Cleaned up after ${own.length} runs.${elsewhere.join('')}`);
    return;
  }
  if (own.length > 0) throw new Error('a run is under way, or was killed: remove what it left with --clean');

  const targets = targetsOf(options);
  const service = new Service(settings, interruption.signal);
  const emptyModules = await inspect(service, targets);
  await agree(targets, settings.baseUrl, options.yes);
  const answers = new Map<QuestionName, string>();
  let life: Row[] = [];
  const run = new Run(service, targets, emptyModules, { folder: FOLDER, account });
  try {
    const onCli = async (): Promise<void> => {
      life = await live(run, environment, interruption.signal);
    };
    for await (const [name, answer] of answersOf(run, onCli)) {
      answers.set(name, answer);
      say(`${questionOf(name)}: ${answer}`);
    }
    if (life.some(([, answer]) => answer !== 'done')) process.exitCode = 1;
  } finally {
    say('Cleaning up …');
    await clean(run.record);
    if (answers.size > 0) say(`\n${reportOf(answers, life, service.rateRefusals)}`);
  }
}

// A terminal that has gone must not end the clean-up.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (!interruption.signal.aborted) say(`\n${signal}: stops and cleans up. After a kill, --clean does so.`);
    interruption.abort(new Error(`${signal} received`));
  });
}

main().catch((error: unknown) => {
  const isInterrupted = interruption.signal.aborted;
  const text = isInterrupted ? 'Interrupted.' : `npm run acceptance: ${(error as Error).message}`;
  console.error(printable(text));
  process.exitCode = isInterrupted ? 130 : 1;
});
