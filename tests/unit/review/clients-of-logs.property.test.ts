// What the review says of the clients of a log is what `explain` says of each of its lines, before and after the change.
import fc from 'fast-check';
import { ClientCounter } from '../../../cli/src/traffic/client-counter';
import { LineCounter } from '../../../cli/src/traffic/line-counter';
import { DEFAULT_ASSUMPTIONS, explainClients, explainerOf, type Subject } from '../../../review/src';
import type { Decision, Question } from '../../../review/src/explain/question';
import { snapshotAt } from '../../../review/src/model/ending-rules';
import { actionsFor, getsIn } from './oracle/addresses';
import { cidrOf } from './pinned-feeds';
import { trafficOf } from './made-log';
import { agents, ruleSet, stackOf, tcp, type MadeResource } from './preview-builder';
import { denyIf, edgeInputs, filterInputs, setInputs, within } from './inputs';
import { reviewed } from './reviewing';

const NETWORKS = [
  '192.0.2.0/28',
  '192.0.2.0/29',
  '192.0.2.4/30',
  '192.0.2.6/32',
  '192.0.2.8/31',
  '2001:db8::/126',
];
const ADDRESSES = [...Array.from({ length: 12 }, (_, at) => `192.0.2.${at}`), '2001:db8::1', '2001:db8::9'];
const AGENTS = ['curl/8', 'Wget/1', 'a "quoted" \\ agent', 'Bot\u00e9', null];

const ruleLine = fc
  .tuple(
    fc.constantFrom(...NETWORKS, '(unknown 1)'),
    fc.constantFrom('allow', 'allow', 'deny'),
    fc.constantFrom('', '', ' until 2026-07-31', ' until 2026-08-31T10:00:00Z'),
  )
  .map((parts) => `${parts[0]} ${parts[1]}${parts[2]}`);
const ruleLines = fc.uniqueArray(ruleLine, {
  maxLength: 6,
  selector: (line) => line.split(' allow')[0]?.split(' deny')[0],
});
const policies = fc.tuple(ruleLines, ruleLines).map(([before, after]) => {
  const inputs = (lines: readonly string[]) => setInputs(['198.51.100.0/24: allow', ...lines]);
  return ruleSet('rules', { before: inputs(before), after: inputs(after) });
});

const condition = fc.constantFrom(...NETWORKS.map(within), "conn.geo.country_code == 'DE'");
const documents = fc.array(fc.array(condition, { minLength: 1, maxLength: 2 }), { maxLength: 3 });
const edges = fc.tuple(documents, documents).map(([before, after]) => {
  const inputs = (rules: readonly (readonly string[])[]) =>
    edgeInputs(...rules.map((expressions, at) => ({ ...denyIf(...expressions), name: `rule ${at}` })));
  return tcp('tcp', { before: inputs(before), after: inputs(after) });
});

const patterns = fc.uniqueArray(fc.constantFrom('^curl/', '(?i)bot', 'quoted', 'e', '[secret]'), {
  maxLength: 3,
});
const routes = fc.tuple(patterns, patterns, patterns, patterns).map((lists) => {
  const [before, after] = [lists.slice(0, 2), lists.slice(2)].map(([allow = [], deny = []]) =>
    filterInputs(deny, allow),
  );
  return agents('agents', { before, after });
});

const requests = fc.array(
  fc.record({ address: fc.constantFrom(...ADDRESSES), agent: fc.constantFrom(...AGENTS) }),
  { minLength: 1, maxLength: 25 },
);
type Request = { readonly address: string; readonly agent: string | null };

/** A line as servers write it, in one of their two ways to escape. */
function lineOf({ address, agent }: Request, index: number): string {
  const escaped =
    index % 2 === 0
      ? agent?.replace(/[\\"]/g, '\\$&')
      : agent?.replace(/[\\"]|[^ -~]/g, (character) =>
          [...Buffer.from(character)].map((byte) => `\\x${byte.toString(16).toUpperCase()}`).join(''),
        );
  return `${address} - - [14/Jun/2026:08:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "${escaped ?? '-'}"\n`;
}

function read(log: readonly Request[]) {
  const clients = new ClientCounter();
  const lines = new LineCounter(clients);
  const text = Buffer.from(log.map(lineOf).join(''));
  // In parts that end anywhere, also within a character.
  for (let at = 0; at < text.length; at += 97) lines.add(text.subarray(at, at + 97));
  lines.end();
  expect([lines.lines, lines.unreadable]).toEqual([log.length, 0]);
  return { ...clients.counted(), files: [] };
}

/** The log does not tell an absent header from an empty one. */
function decisionOf(explainer: ReturnType<typeof explainerOf>, question: Question): Decision {
  const { userAgent = null } = question;
  const decisions = (userAgent === null ? [null, ''] : [userAgent]).map(
    (reading) => explainer.answer({ ...question, userAgent: reading }).decision,
  );
  return decisions.every((decision) => decision === decisions[0])
    ? (decisions[0] ?? 'undecided')
    : 'undecided';
}

type Decisions = readonly (boolean | undefined)[];

/** What `explain` says of each line, at a moment. */
function explained(
  resource: MadeResource,
  { kind, subject }: Subject,
  log: readonly Request[],
  atMs?: number,
) {
  const { before, after } = stackOf(resource);
  const [was, is] = [before, after].map((side): Decisions => {
    const explainer = explainerOf(atMs === undefined ? side : snapshotAt(side, atMs), DEFAULT_ASSUMPTIONS);
    return log.map(({ address, agent }) => {
      const network = cidrOf(address);
      const decision = decisionOf(explainer, { kind, subject, network, userAgent: agent });
      return decision === 'undecided' ? undefined : decision === 'let-in';
    });
  });
  return { was: was ?? [], is: is ?? [] };
}

const ENDS = [Date.parse('2026-08-01'), Date.parse('2026-08-31T10:00:00Z')];

describe.each([
  ['policies', policies, { kind: 'policy', subject: 'ipp_1' }, [undefined, ...ENDS]],
  ['edges', edges, { kind: 'tcp-edge', subject: 'edgtcp_1' }, [undefined]],
  ['routes', routes, { kind: 'route', subject: 'edghts_1/edghtsrt_1' }, [undefined]],
] as const)('%s', (_what, resources, subject, moments) => {
  test('who is refused, and who is let in, at the apply and as rules end', () => {
    fc.assert(
      fc.property(resources, requests, (resource, log) => {
        const { traffic } = reviewed([resource], { traffic: trafficOf({ ...read(log), subject }) });
        const tallies = traffic?.subjects.find(({ kind }) => kind === subject.kind)?.tallies;
        const sides = moments.map((atMs) => explained(resource, subject, log, atMs));
        const ever = (isMeant: (before: boolean | undefined, after: boolean | undefined) => boolean) =>
          log.map((_line, at) => sides.some(({ was, is }) => isMeant(was[at], is[at])));
        const lost = ever((before, after) => before === true && after === false);
        const gained = ever((before, after) => before === false && after === true);
        const open = ever((before, after) => before === undefined || after === undefined);
        const onlyOneOpen = ever((before, after) => (before === undefined) !== (after === undefined));
        const having = (isMeant: (at: number) => boolean | undefined) =>
          log.filter((_line, at) => isMeant(at)).length;
        expect(tallies?.refused.requests).toBe(having((at) => lost[at]));
        expect(tallies?.admitted.requests).toBeLessThanOrEqual(having((at) => gained[at] && !lost[at]));
        expect(tallies?.admitted.requests).toBeGreaterThanOrEqual(
          having((at) => gained[at] && !lost[at] && !open[at]),
        );
        // What both sides leave open alike is known not to change.
        const undecided =
          (tallies?.['may-be-refused'].requests ?? 0) + (tallies?.['may-be-admitted'].requests ?? 0);
        expect(undecided).toBeLessThanOrEqual(having((at) => open[at] && !lost[at]));
        expect(undecided).toBeGreaterThanOrEqual(having((at) => onlyOneOpen[at] && !lost[at] && !gained[at]));
      }),
      { numRuns: 150 },
    );
  });

  test('explain counts the clients of a log as it answers for each of its lines', () => {
    fc.assert(
      fc.property(resources, requests, (resource, log) => {
        const explainer = explainerOf(stackOf(resource).after, DEFAULT_ASSUMPTIONS);
        const counted = explainClients({ when: 'now', explainer }, subject, [read(log)]);
        const answers = log.map(({ address, agent }) =>
          decisionOf(explainer, { ...subject, network: cidrOf(address), userAgent: agent }),
        );
        const having = (decision: string) => answers.filter((answer) => answer === decision).length;
        expect(counted?.tallies['let-in'].requests).toBe(having('let-in'));
        expect(counted?.tallies['kept-out'].requests).toBe(having('kept-out'));
        expect(counted?.tallies.undecided.requests).toBe(having('undecided') + having('not-there'));
      }),
      { numRuns: 100 },
    );
  });
});

test.each([
  ['a policy', policies, { kind: 'policy', subject: 'ipp_1' }],
  ['an edge', edges, { kind: 'tcp-edge', subject: 'edgtcp_1' }],
] as const)(
  '%s: the answer for a network is what the answers for its addresses make up',
  (_what, of, subject) => {
    const sizes = fc.constantFrom(1, 2, 4, 8, 16);
    fc.assert(
      fc.property(of, fc.nat(15), sizes, (resource, at, size) => {
        const explainer = explainerOf(stackOf(resource).after, DEFAULT_ASSUMPTIONS);
        const answer = (network: string) =>
          explainer.answer({ ...subject, network: cidrOf(network) }).decision;
        const first = at - (at % size);
        const single = Array.from({ length: size }, (_, index) => answer(`192.0.2.${first + index}/32`));
        const [alike = 'undecided', ...others] = new Set(single);
        const isPartly = single.includes('let-in') && single.includes('kept-out');
        const wanted = others.length === 0 ? alike : isPartly ? 'partly' : 'undecided';
        expect(answer(`192.0.2.${first}/${32 - Math.log2(size)}`)).toBe(wanted);
      }),
      { numRuns: 300 },
    );
  },
);

test('explain answers for an address of either family what its rules say', () => {
  const rule = fc.record({ cidr: fc.constantFrom(...NETWORKS), action: fc.constantFrom('allow', 'deny') });
  const some = fc.uniqueArray(rule, { minLength: 1, selector: ({ cidr }) => cidr });
  fc.assert(
    fc.property(some, fc.constantFrom(...ADDRESSES), (rules, ip) => {
      const lines = rules.map(({ cidr, action }) => `${cidr}: ${action}`);
      const made = ruleSet('rules', { after: setInputs(lines) });
      const question = { kind: 'policy', subject: 'ipp_1', network: cidrOf(ip) } as const;
      const { decision } = explainerOf(stackOf(made).after, DEFAULT_ASSUMPTIONS).answer(question);
      expect(decision).toBe(getsIn(actionsFor(rules, ip)) ? 'let-in' : 'kept-out');
    }),
  );
});
