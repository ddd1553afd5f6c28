// Who may get in, or be kept out, at some moment of a run, and neither before nor after it.
//
// An address gets in at a moment if an allow rule for it is live and no deny rule for it is. Such a moment exists exactly if the steps
// that must be done by then (the start of the allow, the ends of the denies of before) entail none that must not be (the end of the
// allow, the starts of the denies of after). That is a question about pairs of steps, so no order has to be searched for. A set is one
// step, as its plan keeps the same promise (`planChanges`).
import type { RuleAction } from 'pulumi-edge-policy/internal/values/action';
import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import type { Pairing, RuleDeclaration } from '../model/declarations';
import { isOver } from '../model/ending-rules';
import { valueOf } from '../model/known';
import type { RuleSteps } from '../model/rule-steps';
import type { RunOrder, RunStep } from '../model/run-order';
import {
  type CidrSet,
  cidrSetOf,
  everything,
  intersect,
  isEmptyCidrSet,
  overlap,
  subtract,
  touches,
  union,
  unionAll,
} from './cidr-set';
import { type IpModel, letsUnmatchedIn } from './evaluation-model';
import { letInBy, type PolicySide, possibleNetworks } from './policy-side';

export interface Meanwhile {
  readonly gained: CidrSet;
  /** The allow rules that let in whoever gains, and the deny rules that are not live then. */
  readonly opening: readonly RuleDeclaration[];
  readonly missing: readonly RuleDeclaration[];
  readonly lost: CidrSet;
  readonly absent: readonly RuleDeclaration[];
}

export interface Run {
  readonly order: RunOrder;
  readonly steps: RuleSteps;
  readonly model: IpModel;
  readonly nowMs: number;
}

/** A rule and the steps that bring and end it; without either it is live all the time. */
interface Span {
  readonly rule: RuleDeclaration;
  readonly start?: RunStep | undefined;
  readonly end?: RunStep | undefined;
}

const SIDES = ['before', 'after'] as const;

export function meanwhile(
  pairing: Pairing<RuleDeclaration>,
  sides: Readonly<Record<'before' | 'after', PolicySide>>,
  { order, steps, model, nowMs }: Run,
): Meanwhile | undefined {
  const spans = {
    before: pairing.before.map((rule): Span => ({ rule, end: steps.endOf(rule) })),
    after: pairing.after.map((rule): Span => ({ rule, start: steps.startOf(rule) })),
  };
  const all = [...spans.before, ...spans.after];
  if (!all.some(isChanging)) return undefined;
  const sure = new Set(SIDES.flatMap((side) => sides[side].sureRules));
  const presenceOf = (action: RuleAction): Presence =>
    new Presence(
      all.filter(({ rule: { visible } }) => visible?.action === action && sure.has(visible)),
      order,
    );
  const [allows, denies] = [presenceOf('allow'), presenceOf('deny')];

  const mayAllow = ({ rule }: Span): boolean => valueOf(rule.action) !== 'deny' && !isOver(rule, nowMs);
  const atEnds = SIDES.map((side) =>
    letInBy({ allowed: reachOf(spans[side].filter(mayAllow)), denied: sides[side].denied }, model),
  );
  // Unless it needs an allow rule, everybody gets in of whom no deny rule is live.
  const isOpen = letsUnmatchedIn(model);
  const openings = isOpen ? [EVERYBODY] : openingsOf(all.filter(mayAllow));
  const reach = isOpen ? everything : unionAll(openings.map(({ networks }) => networks));
  const keptOut = subtract(reach, unionAll([...atEnds, denies.always]));
  const opened = openings
    .filter(({ networks }) => overlap(networks, keptOut))
    .map((each) => ({ ...each, networks: denies.missingFor(each, keptOut) }));
  const gained = unionAll(opened.map(({ networks }) => networks));

  const stayIn = intersect(sides.before.letIn, sides.after.letIn);
  const needAllow = isOpen ? intersect(stayIn, union(sides.before.denied, sides.after.denied)) : stayIn;
  const lost = subtract(needAllow, allows.always);
  if (isEmptyCidrSet(union(gained, lost))) return undefined;
  return {
    gained,
    opening: opened.flatMap(({ rules, networks }) => rules.filter((rule) => isIn(rule, networks))),
    missing: denies.changing.filter((rule) => isIn(rule, gained)),
    lost,
    absent: allows.changing.filter((rule) => isIn(rule, lost)),
  };
}

interface Opening extends Omit<Span, 'rule'> {
  readonly rules: readonly RuleDeclaration[];
  readonly networks: CidrSet;
}

const EVERYBODY: Opening = { rules: [], networks: everything };

const openingsOf = (spans: readonly Span[]): Opening[] =>
  [...grouped(spans, ({ start, end }) => JSON.stringify([start, end])).values()].map((alike) => ({
    ...{ start: alike[0].start, end: alike[0].end },
    rules: alike.map(({ rule }) => rule),
    networks: reachOf(alike),
  }));

/** The rules of one action: where one of them is live at every moment, and where none may be. */
class Presence {
  readonly always: CidrSet;
  readonly changing: readonly RuleDeclaration[];
  private readonly starts: ReadonlyMap<RunStep, CidrSet>;
  private readonly ends: ReadonlyMap<RunStep, CidrSet>;
  /** The addresses under rules that end in each layer, and those under rules whose end entails a step. */
  private readonly endsByLayer: ReadonlyMap<number, CidrSet>;
  private readonly endsAfter = new Map<RunStep, CidrSet[]>();

  constructor(
    spans: readonly Span[],
    private readonly order: RunOrder,
  ) {
    this.changing = spans.filter(isChanging).map(({ rule }) => rule);
    this.starts = reachBy(spans, ({ start }) => start);
    this.ends = reachBy(spans, ({ end }) => end);
    this.endsByLayer = reachBy(spans, ({ end }) => (end === undefined ? undefined : order.layerOf(end)));
    // A rule is handed over if it only goes when another one for its addresses has come.
    const handedOver = [
      intersect(unionAll([...this.endsByLayer.values()]), unionAll([...this.starts.values()])),
    ];
    for (const [step, set] of this.ends) {
      const done = order.doneWith(step);
      if (order.layerOf(step) === undefined) handedOver.push(intersect(set, this.startedBy(done)));
      for (const each of done) {
        const sets = this.endsAfter.get(each);
        if (sets) sets.push(set);
        else this.endsAfter.set(each, [set]);
      }
    }
    this.always = unionAll([reachOf(spans.filter((span) => !isChanging(span))), ...handedOver]);
  }

  /** The addresses of an opening, among some, that none of the rules covers at some moment of it. */
  missingFor({ start, end, networks }: Opening, among: CidrSet): CidrSet {
    const covered = [
      ...(start === undefined ? [] : [this.startedBy(this.order.doneWith(start))]),
      ...(end === undefined ? [] : this.endingAfter(end)),
    ];
    return covered.reduce(subtract, intersect(networks, among));
  }

  private startedBy(done: ReadonlySet<RunStep>): CidrSet {
    return unionAll([...done].flatMap((step) => this.starts.get(step) ?? []));
  }

  /** The addresses under rules that are live as long as the step is not done. */
  private endingAfter(step: RunStep): CidrSet[] {
    const layer = this.order.layerOf(step);
    const later = [...this.endsByLayer].flatMap(([each, set]) =>
      layer === undefined || each < layer ? [set] : [],
    );
    return [...later, ...(this.endsAfter.get(step) ?? [])];
  }
}

const isChanging = ({ start, end }: Span): boolean => (start ?? end) !== undefined;

const reachOf = (spans: readonly Span[]): CidrSet =>
  cidrSetOf(spans.flatMap(({ rule }) => possibleNetworks(rule)));

const reachBy = <Key>(
  spans: readonly Span[],
  keyOf: (span: Span) => Key | undefined,
): ReadonlyMap<Key, CidrSet> =>
  new Map(
    [...grouped(spans, keyOf)].flatMap(([key, alike]) =>
      key === undefined ? [] : [[key, reachOf(alike)] as const],
    ),
  );

const isIn = (rule: RuleDeclaration, networks: CidrSet): boolean =>
  possibleNetworks(rule).some((cidr) => touches(networks, cidr));
