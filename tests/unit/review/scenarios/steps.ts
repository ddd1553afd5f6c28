// What the engine's steps do to the objects of the service. Whom they let in and shut out, the oracle judges; these have a
// verdict of their own, or are of another type than rules.
import type { MadeResource } from '../preview-builder';
import {
  agents,
  denyIf,
  edgeInputs,
  filterInputs,
  kept,
  policyRule,
  rule,
  ruleSet,
  SECRET,
  setInputs,
  tcp,
  within,
} from '../preview-builder';
import type { Scenarios } from './scenario';

const IMPORTED = { importID: 'live' };
const OVERWRITES = { overwriteExisting: true };

const office = kept('office', rule('8.8.8.0/24'));
const BRANCH = rule('9.9.9.0/24');
const BLOCK = rule('8.8.8.8/32', 'deny');
const unchanged = policyRule('branch', { op: 'same', before: BRANCH, after: BRANCH });
const set = (...lines: string[]) => setInputs(lines);
const policy = (...expressions: readonly string[]) =>
  edgeInputs(...expressions.map((expression) => ({ ...denyIf(expression), name: 'rule' })));
const filter = (...deny: string[]) => filterInputs(deny);
/** An import, and the update that follows it, which starts from what is live. */
const imported = (made: typeof tcp, live: object, wanted: object): MadeResource[] => [
  made('found', { op: 'import', after: { ...wanted }, newState: IMPORTED }),
  made('found', {
    op: 'update',
    before: { ...live },
    after: { ...wanted },
    state: { id: 'live', outputs: live },
    newState: IMPORTED,
  }),
];
/** What an earlier run could not delete: it shares its name with its successor. */
const pending = (before: NonNullable<MadeResource['before']>, state: object = {}): MadeResource =>
  policyRule('branch', { op: 'delete-replaced', before, state: { id: 'pending', delete: true, ...state } });

const UNCHANGED_CONDITIONS = [
  "conn.tls.sni == 'a.example'",
  'conn.ts.hour > 8',
  "conn.list.exists(x, x == 'a')",
  "conn['client_ip'] == '8.8.8.8'",
];

export const steps: Scenarios<readonly MadeResource[]> = {
  same: {
    'an unchanged secret is revealed: the engine says that it is the same': [
      office,
      policyRule('branch', { op: 'same', before: rule(SECRET), after: BRANCH }),
    ],
    'a rule may overwrite from now on: it is made already, and meets nothing': [
      office,
      policyRule('branch', { before: BRANCH, after: { ...BRANCH, ...OVERWRITES } }),
    ],
  },
  'same medium': {
    'what an earlier run left is retained: it leaves the state and stays live': [
      office,
      unchanged,
      pending(BLOCK, { retainOnDelete: true }),
    ],
    'a rule is replaced by one that takes over what it finds: the network of the new one may have a deny': [
      office,
      policyRule('branch', {
        op: 'replace',
        before: rule('8.8.8.1/32'),
        after: { ...rule('8.8.8.2/32'), ...OVERWRITES },
      }),
    ],
    'an allow within another one takes over what it finds: what it replaces may be a deny that nobody sees': [
      office,
      policyRule('branch', { after: { ...rule('8.8.8.8/32'), ...OVERWRITES } }),
    ],
    'a set that may overwrite gains an allow: the network may have a deny': [
      ruleSet('set', {
        before: { ...set('8.0.0.0/8: allow'), ...OVERWRITES },
        after: { ...set('8.0.0.0/8: allow', '8.8.8.8/32: allow'), ...OVERWRITES },
      }),
    ],
    'whether a rule may overwrite is not known: it may': [
      office,
      policyRule('branch', { after: { ...rule('8.8.8.8/32'), overwriteExisting: SECRET } }),
    ],
  },
  'gain medium': {
    'a set is imported without a deny that is live: that deny goes': imported(
      ruleSet,
      set('8.0.0.0/8: allow', '8.8.8.8/32: deny'),
      set('8.0.0.0/8: allow'),
    ),
    'a deny goes beside its unchanged successor, which is secret: that the one stays says nothing of the other':
      [
        office,
        policyRule('branch', { op: 'same', before: rule(SECRET), after: rule(SECRET) }),
        pending(BLOCK),
      ],
    'a deny goes from below a rule that --target leaves out, and that a refresh found open: what is live lets in what the deny kept out':
      [
        {
          ...office,
          op: 'same',
          state: { outputs: rule('0.0.0.0/0') },
          newState: { outputs: rule('0.0.0.0/0') },
        },
        policyRule('branch', { before: rule('9.9.9.0/24', 'deny') }),
      ],
    'a refresh finds a deny gone: what it kept out gets in': [
      { ...office, op: 'refresh' },
      policyRule('branch', { op: 'refresh', before: BLOCK }),
    ],
    'a refresh finds an object gone that the program makes again: it is locked out until then': [
      office,
      policyRule('branch', { op: 'refresh', before: BRANCH }),
      policyRule('branch', { after: BRANCH }),
    ],
  },
  'gain high': {
    'a traffic policy is imported and emptied: its protection is lost': imported(
      tcp,
      policy(within('8.8.8.0/24')),
      policy(),
    ),
  },
  'gain critical': {
    'a refresh finds a rule open: somebody has opened it on the service': [
      policyRule('branch', {
        ...{ op: 'refresh', before: BRANCH, after: BRANCH },
        newState: { outputs: rule('0.0.0.0/0') },
      }),
    ],
  },
  'loss low': {
    'an import of which the preview shows one step: the new object names what it imports': [
      office,
      policyRule('branch', {
        op: 'replace',
        before: BRANCH,
        after: rule('9.9.9.0/25'),
        newState: IMPORTED,
      }),
    ],
    'a set that was applied in part is finished: the deny of its inputs was not there yet': [
      ruleSet('set', {
        op: 'update',
        before: set('8.0.0.0/8: allow', '8.8.8.8/32: deny'),
        after: set('8.0.0.0/8: allow', '8.8.8.8/32: deny'),
        state: { outputs: set('8.0.0.0/8: allow') },
      }),
    ],
    'a set that may overwrite loses an allow: no network of it is new': [
      ruleSet('set', {
        before: { ...set('8.0.0.0/8: allow', '9.9.9.9/32: allow'), ...OVERWRITES },
        after: { ...set('8.0.0.0/8: allow'), ...OVERWRITES },
      }),
    ],
  },
  'loss medium': {
    'a filter takes over what it finds: what it replaces may have kept others out': [
      agents('filter', { after: { ...filter('^Wget/'), ...OVERWRITES } }),
    ],
    ...Object.fromEntries(
      UNCHANGED_CONDITIONS.map((condition) => [
        `a deny is added beside the unchanged condition ${condition}: it has the same outcome on both sides`,
        [
          tcp('edge', {
            before: policy(condition),
            after: policy(condition, within('9.9.9.0/24')),
          }),
        ],
      ]),
    ),
  },
  undecided: {
    'a rule is created beside one that a refresh has read: a refresh creates nothing, so more happens to that one':
      [
        policyRule('branch', { op: 'refresh', before: BRANCH, after: BRANCH }),
        policyRule('open', { after: rule('0.0.0.0/0') }),
      ],
    'one rule is read and another one stays: a refresh reads all, so it is another run': [
      office,
      policyRule('branch', { op: 'refresh', before: BRANCH, after: BRANCH }),
    ],
    'a refresh of what the state does not have: no run has such a step': [
      policyRule('branch', { op: 'refresh', after: rule('0.0.0.0/0') }),
    ],
  },
};
