import { isIP } from 'node:net';
import fc from 'fast-check';
import * as browser from '../../../cli/page/node-net';
import { csvOf, evidenceOf } from '../../../cli/src/page/evidence';
import { accessSidesOf } from '../../../cli/src/page/access-side';
import { type PageContent, packed, unpacked } from '../../../cli/src/page/page-data';
import { lineBody, ruleLine } from '../../../provider/src/rule-set/rule-line';
import { type Assumptions, DEFAULT_ASSUMPTIONS, IP_MODELS } from '../../../review/src';
import { resource } from '../../support/state-resource';
import { policyId } from '../../support/ids';
import { actionsFor, getsIn } from '../review/oracle/addresses';

const part = fc.constantFrom('', ...'0 7 255 256 1234 ffff 12345 :: : . % %eth0 1.2.3.4 01'.split(' '));

test('what the page has in place of Node’s `net` says the same of every text', () => {
  const nearly = fc.array(part, { maxLength: 10 }).map((parts) => parts.join(''));
  const joined = fc.array(part, { maxLength: 10 }).map((parts) => parts.join(':'));
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string(), nearly, joined), (text) => {
      expect([text, browser.isIP(text)]).toEqual([text, isIP(text)]);
    }),
    { numRuns: 5_000 },
  );
});

const contentOf = (rules: string, assumptions: Partial<Assumptions> = {}): PageContent => {
  const set = { ipPolicyId: policyId, rules: `@rules\n${rules}` };
  const { urn, inputs } = resource('IpPolicyRuleSet', 'set', set);
  const origin = { urn, name: 'set', type: 'IpPolicyRuleSet' } as const;
  return {
    made: { at: '2030-01-01T00:00:00.000Z', source: 'state', stacks: [{ name: 'dev' }] },
    assumptions: { ...DEFAULT_ASSUMPTIONS, ...assumptions },
    sides: [{ when: 'now', resources: [{ origin, inputs, outputs: {} }], proofs: [] }],
    shifts: [],
  };
};

test('the content survives packing, IPv6 boundaries included', () => {
  const bounds = { 4: [1, 2], 6: [0x2001n << 112n, 1n << 128n] };
  const content = contentOf('10.0.0.0/8: allow\n');
  const [side] = content.sides;
  const about = { of: 'addresses', kind: 'tcp-edge', subject: 'edge' } as const;
  const proof = { ...about, doubts: [], surely: bounds, possibly: bounds };
  const whole: PageContent = { ...content, sides: side ? [{ ...side, proofs: [proof] }] : [] };
  expect(unpacked(packed(whole))).toEqual(whole);
});

const rowsOf = (content: PageContent) =>
  accessSidesOf(content).sides.flatMap((side) => evidenceOf(side, content));

test.each<[fact: string, rules: string, ipModel?: Assumptions['ipModel']]>([
  ['one decides, and a wider one covers the other', '10.0.0.0/8: allow decides, 10.1.0.0/16: allow shadowed'],
  ['denies cover an allow', '10.0.0.0/8: deny decides, 10.1.0.0/16: allow shadowed'],
  ['a deny where nothing is allowed', '10.0.0.0/8: allow decides, 11.0.0.0/8: deny never-matches'],
  ['two halves', '10.0.0.0/8: allow shadowed, 10.0.0.0/9: allow decides, 10.128.0.0/9: allow decides'],
  [
    'a rule whose one half a rule repeats, and whose other half is denied',
    '198.51.100.0/24: allow shadowed, 198.51.100.0/25: allow decides, 198.51.100.128/25: deny decides',
  ],
  ['allows of a block list', '10.0.0.0/8: deny decides, 11.0.0.0/8: allow never-matches', 'block-list'],
  ['an overridden deny', '10.0.0.0/8: allow decides, 10.1.0.0/16: deny shadowed', 'allow-overrides'],
  [
    'a hidden rule leaves open what is not covered',
    '(unknown 1): deny undecided, 10.0.0.0/8: allow undecided, 10.1.0.0/16: allow shadowed',
  ],
])('effects: %s', (_fact, rules, ipModel = DEFAULT_ASSUMPTIONS.ipModel) => {
  const lines = rules.split(', ').map((text) => text.replace(/ \S+$/, '\n'));
  const content = contentOf(lines.join(''), { ipModel });
  const shown = rowsOf(content).map(({ network, action, effect }) => `${network}: ${action} ${effect}`);
  expect(shown.join(', ')).toBe(rules.replace('(unknown 1)', '(unknown)'));
});

const aRule = fc.record({
  length: fc.integer({ min: 28, max: 32 }),
  at: fc.nat(15),
  action: fc.constantFrom('allow' as const, 'deny' as const),
});

test.each(IP_MODELS)(
  'effects under %s: all idle rules can go together, and no rule of the weaker action is left that could',
  (ipModel) => {
    fc.assert(
      fc.property(fc.array(aRule, { maxLength: 8 }), (drawn) => {
        const rules = drawn.map(({ length, at, action }) => {
          const size = 2 ** (32 - length);
          return { action, cidr: `10.0.0.${Math.floor(at / size) * size}/${length}` };
        });
        const resources = rules.map(({ cidr, action }, at) => {
          const rule = { ipPolicyId: policyId, cidr, action };
          const { urn, inputs } = resource('IpPolicyRule', `rule-${at}`, rule);
          const origin = { urn, name: `rule-${at}`, type: 'IpPolicyRule' } as const;
          return { origin, inputs, outputs: {} };
        });
        const content = contentOf('', { ipModel });
        const rows = rowsOf({ ...content, sides: [{ when: 'now', resources, proofs: [] }] });
        const effects = new Map(rows.map(({ origin, effect }) => [origin.name, effect]));
        // Who gets in, address by address.
        const fates = (of: typeof rules): boolean[] =>
          Array.from({ length: 16 }, (_, at) => getsIn(actionsFor(of, `10.0.0.${at}`), ipModel));
        const kept = rules.filter((_, at) => effects.get(`rule-${at}`) === 'decides');
        expect(fates(kept)).toEqual(fates(rules));
        // Of the weaker action, none is left that changes nothing.
        const weaker = ipModel === 'deny-wins' || ipModel === 'block-list' ? 'allow' : 'deny';
        for (const rule of kept)
          if (rule.action === weaker)
            expect(fates(kept.filter((each) => each !== rule))).not.toEqual(fates(rules));
      }),
    );
  },
);

test('the effects of 10,000 rules are there at once', () => {
  const lines = Array.from({ length: 10_000 }, (_, at) => `10.${at >> 8}.${at & 255}.0/24: allow\n`);
  const rows = rowsOf(contentOf(['10.0.0.0/8: allow\n', ...lines].join('')));
  expect(rows.filter(({ effect }) => effect === 'decides')).toHaveLength(1);
});

test('evidence: owner, ticket and end of each rule, as CSV', () => {
  const content = contentOf(
    '10.0.0.0/8: allow \'feeds a, b\' metadata \'{"owner":"web","ticket":17}\' until 2029-12-31\n11.0.0.0/8: deny metadata \'no, JSON\'\n',
  );
  const rows = rowsOf(content);
  expect(rows.map(({ hasEnded }) => hasEnded)).toEqual([true, false]);
  expect(csvOf(rows)).toBe(
    'Policy,Network,Action,Reason,Owner,Ticket,Added,Ends,Effect,Managed,Decision\r\n' +
      `${policyId},10.0.0.0/8,allow,"feeds a, b",web,17,,2029-12-31 (ended),decides,set,\r\n` +
      `${policyId},11.0.0.0/8,deny,,,,,,never matches,set,\r\n`,
  );
});

/** By which characters a spreadsheet splits a line, unless the user says otherwise. */
const SPREADSHEETS = {
  ...{ Excel: ',', 'Excel where a list has semicolons': ';', LibreOffice: ',;\t', 'Google Sheets': ',' },
};

/** The cells of a file: a quote counts at the beginning of a cell, and what follows the closing one belongs to the cell. */
function cellsOf(csv: string, separators: string): string[][] {
  const rows = [['']];
  for (let rest = csv; rest !== '';) {
    const row = rows.at(-1) ?? [];
    const [piece = '', quoted] = /^"((?:[^"]|"")*)"?|^\r?\n|^[^]/.exec(rest) ?? [];
    const isQuoted = quoted !== undefined && row.at(-1) === '';
    const taken = isQuoted ? piece : rest.startsWith('\r\n') ? '\r\n' : rest.slice(0, 1);
    rest = rest.slice(taken.length);
    if (!isQuoted && /^[\r\n]/.test(taken)) rows.push(['']);
    else if (!isQuoted && separators.includes(taken)) row.push('');
    else row.push((row.pop() ?? '') + (isQuoted ? quoted.replaceAll('""', '"') : taken));
  }
  return rows.slice(0, -1);
}

test.each(Object.entries(SPREADSHEETS))(
  'in %s, no text of others becomes a formula, a cell or a row',
  (_name, separators) => {
    const pieces = fc.constantFrom(...Array.from('=+-@＝＋－＠,;"\'\r\n\t a1'));
    fc.assert(
      fc.property(fc.string({ unit: pieces, minLength: 1, maxLength: 8 }), (text) => {
        const content = contentOf(
          `${ruleLine('10.0.0.0/8', lineBody({ action: 'allow', description: text }))}\n`,
        );
        const [titles = [], ...rows] = cellsOf(csvOf(rowsOf(content)), separators);
        expect(rows).toHaveLength(1);
        for (const cell of rows.flat()) expect(cell.normalize('NFKC').trim()).not.toMatch(/^[=+\-@]/);
        const shown = text.replaceAll('\r', '\\r').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
        if (!separators.includes(',')) return;
        expect(rows[0]).toHaveLength(titles.length);
        expect(rows[0]?.[3]?.replaceAll("'", '')).toBe(shown.replaceAll("'", ''));
      }),
      { numRuns: 300 },
    );
  },
);
