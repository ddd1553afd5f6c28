import { EngineCall, Ownership } from '../../../provider/src/run/ownership';
import { expectGeneratedPart } from '../../support/generated-part';

/** What a call other than the owner's does to an object, and its answer. */
type Event = (ownership: Ownership, key: string) => string;

const declare =
  (changes: boolean): Event =>
  (ownership, key) => {
    const { shared, isAnyDeleted } = ownership.declare([key], { changes });
    if (shared !== undefined) return 'fails';
    // Its resource then creates a rule again, or writes a module again.
    return isAnyDeleted ? 'creates it again' : '';
  };

const EVENTS: Readonly<Record<string, Event>> = {
  'a diff without change': declare(false),
  'a diff with changes': declare(true),
  'a create that meets it': (ownership, key) =>
    ({ claimed: '', owned: 'fails', busy: 'waits' })[ownership.claim([key], new EngineCall()).outcome],
  'a delete': (ownership, key) =>
    ownership.beginDelete(key, new EngineCall()) ? '**sends DELETE**' : 'sends nothing',
};

/** How an object comes to each standing. */
const STANDINGS: Readonly<Record<string, (ownership: Ownership, key: string) => void>> = {
  'not named in this run': () => undefined,
  unchanged: (ownership, key) => void ownership.declare([key], { changes: false }),
  changing: (ownership, key) => void ownership.declare([key], { changes: true }),
  updating: (ownership, key) => {
    ownership.beginUpdate([key], new EngineCall());
  },
  created: (ownership, key) => {
    ownership.noteCreated(key, new EngineCall());
  },
  'being deleted': (ownership, key) => void ownership.beginDelete(key, new EngineCall()),
  deleted: (ownership, key) => {
    ownership.beginDelete(key, new EngineCall());
    ownership.noteDeleted(key);
  },
  'not deleted after a failure': (ownership, key) => {
    ownership.beginDelete(key, new EngineCall());
    ownership.failDelete(key);
  },
};

function cell(key: string, reach: (typeof STANDINGS)[string], event: Event): string {
  const ownership = new Ownership();
  reach(ownership, key);
  const before = ownership['standingOf'](key);
  const answer = event(ownership, key);
  const next = ownership['standingOf'](key);
  return [answer, ...(next !== undefined && next !== before ? [`→ ${next}`] : [])].join(' ').trim();
}

const rowOf = (name: string, key: string): string[] => {
  const reach = STANDINGS[name] ?? (() => undefined);
  return [name, ...Object.values(EVENTS).map((event) => cell(key, reach, event))];
};

test('the table of the design is what the code does', () => {
  const rows = Object.keys(STANDINGS).flatMap((name) => {
    const [ofRule, ofModule] = [rowOf(name, 'ipr_1'), rowOf(name, 'Module 1')];
    const isSame = ofRule.join('|') === ofModule.join('|');
    return isSame
      ? [ofRule]
      : [
          [`${name}, a rule`, ...ofRule.slice(1)],
          [`${name}, a module`, ...ofModule.slice(1)],
        ];
  });
  const lines = [['An object is', ...Object.keys(EVENTS)], Array(5).fill('---'), ...rows];
  expectGeneratedPart('docs/design.md', 'ownership', lines.map((row) => `| ${row.join(' | ')} |`).join('\n'));
});
