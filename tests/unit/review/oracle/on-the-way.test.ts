// Who gets in at some moment of a run, against a judge that plays every order: it knows which step waits for which others, and looks
// at what is live after every set of steps that may be done by some moment.
import fc from 'fast-check';
import { policyRule, ruleSet, stepsOf, type MadeResource } from '../preview-builder';
import { rule, setInputs } from '../inputs';
import { reviewed } from '../reviewing';
import { actionsFor, ADDRESSES, assumed, getsIn, holds, networkOf } from './addresses';

interface Rule {
  readonly cidr: string;
  readonly action: string;
}

const OPS = ['same', 'create', 'update', 'delete', 'replace first', 'replace last'] as const;

/** What a run does with a resource: its rules before and after, and the earlier resources that it has needed, and needs. */
interface Made {
  readonly kind: 'rule' | 'set' | 'other';
  readonly op: (typeof OPS)[number];
  readonly before: readonly Rule[];
  readonly after: readonly Rule[];
  readonly needed: readonly number[];
  readonly needs: readonly number[];
}

type Program = readonly Made[];

const aRule = fc.record({ cidr: networkOf(28, 29, 30), action: fc.constantFrom('allow', 'deny', 'deny') });
const rules = fc.uniqueArray(aRule, { selector: ({ cidr }) => cidr, minLength: 2, maxLength: 2 });

const aMade = (index: number, ops: readonly Made['op'][]): fc.Arbitrary<Made> => {
  const earlier = fc.subarray(Array.from({ length: index }, (_, at) => at));
  return fc
    .record({
      kind: fc.constantFrom('rule', 'rule', 'rule', 'set', 'other'),
      op: fc.constantFrom(...ops),
      sides: fc.oneof(
        fc.tuple(rules, rules),
        rules.map((of) => [of, of] as const),
      ),
      needed: earlier,
      needs: earlier,
    })
    .map(({ kind, op, sides: [old, now], ...links }) => {
      // A rule has one network, and other resources let nobody in.
      const of = (all: readonly Rule[]) => all.slice(0, { rule: 1, set: 2, other: 0 }[kind]);
      const after = of(op === 'same' ? old : now);
      return {
        kind,
        op,
        before: op === 'create' ? [] : of(old),
        after: op === 'delete' ? [] : after,
        ...links,
      };
    });
};

/** Of two or three operations each, as the rare orders take several of one kind. Nothing needs what is not there. */
const aProgram: fc.Arbitrary<Program> = fc
  .subarray([...OPS], { minLength: 1, maxLength: 3 })
  .chain((ops) => fc.tuple(...[0, 1, 2, 3, 4].map((index) => aMade(index, ops))))
  .map((all) =>
    all.map((made) => ({
      ...made,
      needed: made.needed.filter((at) => all[at]?.op !== 'create'),
      needs: made.needs.filter((at) => all[at]?.op !== 'delete'),
    })),
  );

const TOKEN = {
  rule: 'pulumi-nodejs:dynamic/edge-policy:IpPolicyRule',
  set: 'pulumi-nodejs:dynamic/edge-policy:IpPolicyRuleSet',
  other: 'slow:index:Thing',
};
const STEPS_OF = { rule: policyRule, set: ruleSet, other: stepsOf('slow:index:Thing') };

function inputsOf({ kind }: Made, of: readonly Rule[]): object {
  if (kind === 'set') return setInputs(of.map(({ cidr, action }) => `${cidr}: ${action}`));
  const [{ cidr, action } = { cidr: '', action: '' }] = of;
  return kind === 'rule' ? rule(cidr, action) : { name: 'other' };
}

/** The steps that the engine shows. */
const shown = (program: Program): MadeResource[] =>
  program.flatMap((made, index) => {
    const dependencies = (of: readonly number[]) =>
      of.map((at) => `urn:pulumi:dev::acme::${TOKEN[program[at]?.kind ?? 'other']}::r${at}`);
    const old = { before: inputsOf(made, made.before), state: { dependencies: dependencies(made.needed) } };
    const now = { after: inputsOf(made, made.after), newState: { dependencies: dependencies(made.needs) } };
    const gone = { ...old, state: { ...old.state, pendingReplacement: true } };
    const steps = {
      same: [{ ...old, ...now, op: 'same' }],
      update: [{ ...old, ...now, op: 'update' }],
      create: [{ ...now, op: 'create' }],
      delete: [{ ...old, op: 'delete' }],
      'replace first': [
        { ...gone, op: 'delete-replaced' },
        ...['replace', 'create-replacement'].map((op) => ({ ...gone, ...now, op })),
      ],
      'replace last': [
        ...['create-replacement', 'replace'].map((op) => ({ ...old, ...now, op })),
        { ...old, op: 'delete-replaced' },
      ],
    }[made.op];
    return steps.map((step) => STEPS_OF[made.kind](`r${index}`, step));
  });

/** Making a resource, deleting its old object before that, or after everything. */
interface Step {
  readonly phase: 'first' | 'make' | 'last';
  readonly at: number;
}

function stepsIn(program: Program): Step[] {
  return program.flatMap(({ op }, at): Step[] => [
    ...(op === 'replace first' ? [{ phase: 'first', at } as const] : []),
    ...(op === 'delete' ? [] : [{ phase: 'make', at } as const]),
    ...(op === 'delete' || op === 'replace last' ? [{ phase: 'last', at } as const] : []),
  ]);
}

const isLeaving = (made: Made | undefined): boolean => made?.op === 'delete' || made?.op === 'replace last';

/** The deletes at the end begin with what has the longest chain of needs that leave, too. */
const depthOf = (program: Program, at: number): number =>
  Math.max(
    0,
    ...(program[at]?.needed ?? []).map((need) => (isLeaving(program[need]) ? 1 + depthOf(program, need) : 0)),
  );

function mayBegin(
  program: Program,
  { phase, at }: Step,
  isOpen: (step: Step) => boolean,
  all: readonly Step[],
): boolean {
  const made = program[at];
  const isMade = (needs: readonly number[] = []) =>
    needs.every((need) => !isOpen({ phase: 'make', at: need }));
  if (phase === 'make')
    return isMade(made?.needs) && (made?.op !== 'replace first' || !isOpen({ phase: 'first', at }));
  // The delete of what it has needed may take it along.
  if (phase === 'first')
    return isMade(made?.needs) || made?.needed.some((need) => program[need]?.op === 'replace first') === true;
  return all.every(
    (step) => !isOpen(step) || (step.phase === 'last' && depthOf(program, step.at) <= depthOf(program, at)),
  );
}

/** What is live at each moment that some order has. */
function moments(program: Program): Rule[][] {
  const all = stepsIn(program);
  const keyOf = ({ phase, at }: Step) => `${phase} ${at}`;
  const bits = new Map(all.map((step, index) => [keyOf(step), 1 << index]));
  const isDone = (done: number, step: Step) => (done & (bits.get(keyOf(step)) ?? 0)) !== 0;
  const reached = new Set([0]);
  for (const done of reached)
    for (const step of all)
      if (!isDone(done, step) && mayBegin(program, step, (one) => !isDone(done, one), all))
        reached.add(done | (bits.get(keyOf(step)) ?? 0));
  return [...reached].map((done) =>
    program.flatMap(({ op, before, after }, at) => {
      const has = (phase: Step['phase']) => isDone(done, { phase, at });
      if (op === 'same') return before;
      const hasEnded = op === 'update' ? has('make') : has('first') || has('last');
      return [...(hasEnded ? [] : before), ...(has('make') ? after : [])];
    }),
  );
}

test('random programs: who may get in, or be kept out, on the way is who does so in some order', () => {
  let [gains, losses] = [0, 0];
  fc.assert(
    fc.property(
      aProgram,
      assumed,
      fc.array(fc.nat(), { minLength: 20, maxLength: 20 }),
      (program, model, order) => {
        const steps = shown(program)
          .map((step, index) => ({ step, rank: order[index] ?? 0 }))
          .sort((left, right) => left.rank - right.rank)
          .map(({ step }) => step);
        const { policies } = reviewed(steps, {
          assumptions: { ipModel: model, duplicateNetworks: 'accepted' },
        });
        const { gained, lost } = policies[0]?.meanwhile ?? { gained: NOBODY, lost: NOBODY };
        const ways = moments(program);
        const isInBy = (of: readonly Rule[] | undefined, ip: string) =>
          getsIn(actionsFor(of ?? [], ip), model);
        const ends = [program.flatMap(({ before }) => before), program.flatMap(({ after }) => after)];
        const wrong: unknown[] = [];
        for (const ip of ADDRESSES) {
          const [isInBefore, isInAfter] = ends.map((of) => isInBy(of, ip));
          const isGained = !isInBefore && !isInAfter && ways.some((of) => isInBy(of, ip));
          const isLost = isInBefore === true && isInAfter === true && ways.some((of) => !isInBy(of, ip));
          // Of a loss there, a bound is enough.
          const isShown = model === 'allow-overrides' && !isLost ? false : holds(lost, ip);
          if (holds(gained, ip) !== isGained || isShown !== isLost) wrong.push({ ip, isGained, isLost });
          gains += Number(isGained);
          losses += Number(isLost);
        }
        expect(wrong).toEqual([]);
      },
    ),
    { numRuns: 800 },
  );
  expect(Math.min(gains, losses)).toBeGreaterThan(30);
});

const NOBODY = { 4: [], 6: [] };
