import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import type { ModuleParent } from 'pulumi-edge-policy/internal/resources/module-kind';
import type { AddressBounds } from '../access/bounds';
import { looksAtUserAgents, nounOfKind, OBSTACLES, type SubjectAccess } from '../access/subject-access';
import { type PolicyChange, whoGetsIn } from '../access/policy-change';
import type { Assumptions } from '../findings/assumptions';
import { type BySubject, type Origin, ownPlaces, type Snapshot } from '../model/declarations';
import { compareText, foreign, say, trusted } from '../text/sentence';
import { userAgentVerdict } from '../user-agents/filter-logic';
import { filtersOf } from '../user-agents/user-agent-model';
import type { Answer, Question, Subject } from './question';
import { explainAddress, explainConnection } from './explain-address';
import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import { MODULE_TYPES } from 'pulumi-edge-policy/internal/resources/provider-reference';
import { type Known, type Obstacle, valueOf } from '../model/known';
import { parentOf } from '../model/read-modules';

/** Answers questions about one snapshot. Who gets in is computed once, at the first question that depends on it. */
export class Explainer {
  readonly subjects: readonly DeclaredSubject[];
  private byPolicy?: ReadonlyMap<string, PolicyChange>;
  private readonly byParent = new Map<ModuleParent, readonly SubjectAccess[]>();

  constructor(
    readonly snapshot: Snapshot,
    readonly assumptions: Assumptions,
    private readonly accessesAt: (parent: ModuleParent) => readonly SubjectAccess[],
  ) {
    this.subjects = declaredSubjects(snapshot);
  }

  policy(policyId: string): PolicyChange | undefined {
    this.byPolicy ??= new Map(
      whoGetsIn(this.snapshot, this.assumptions.ipModel).map((policy) => [policy.policyId, policy]),
    );
    return this.byPolicy.get(policyId);
  }

  private accesses(parent: ModuleParent): readonly SubjectAccess[] {
    const earlier = this.byParent.get(parent);
    if (earlier) return earlier;
    const accesses = this.accessesAt(parent);
    this.byParent.set(parent, accesses);
    return accesses;
  }

  answer({ kind, subject, network, userAgent }: Question): Answer {
    const declared = this.subjects.find((each) => each.kind === kind && each.subject === subject);
    if (!declared) return notThere(subject);
    const [origin] = declared.origins;
    if (declared.obstacle && origin)
      return { decision: 'undecided', because: say`its identifier ${OBSTACLES[declared.obstacle]}`, origin };
    if (looksAtUserAgents(kind)) return this.explainUserAgent(subject, userAgent);
    if (network === undefined)
      return { decision: 'undecided', because: trusted('it depends on the address') };
    if (kind === 'policy') return this.explainAddress(subject, network);
    const { snapshot, assumptions } = this;
    return explainConnection({ snapshot, assumptions, accesses: this.accesses(kind) }, subject, network);
  }

  /** Who surely and who possibly gets in by addresses; undefined if they do not decide. It agrees with {@link answer}. */
  bounds({ kind, subject }: Subject): AddressBounds | undefined {
    if (looksAtUserAgents(kind)) return undefined;
    if (kind === 'policy') return this.policy(subject)?.access.after;
    const access = this.accesses(kind).find((each) => each.of === 'addresses' && each.subject === subject);
    return access?.of === 'addresses' ? access.after : undefined;
  }

  private explainAddress(policyId: string, network: Cidr): Answer {
    const policy = this.policy(policyId);
    if (!policy) return notThere(policyId);
    return explainAddress(policy.after, network, {
      model: this.assumptions.ipModel,
      bounds: policy.access.after,
    });
  }

  private explainUserAgent(route: string, userAgent: string | null | undefined): Answer {
    const [filter, second] = filtersOf(this.snapshot).placed.get(route) ?? [];
    if (!filter) return notThere(route);
    const { origin, isEnabled } = filter;
    if (second)
      return {
        decision: 'undecided',
        because: trusted('the filter is declared twice'),
        origin: second.origin,
      };
    const isOff = isEnabled.isKnown && !isEnabled.value;
    if (userAgent === undefined && !isOff)
      return { decision: 'undecided', because: trusted('it depends on the user agent'), origin };
    const verdict = userAgentVerdict(filter, this.assumptions.userAgentModel)(userAgent ?? null);
    if (!verdict)
      return { decision: 'undecided', because: trusted('a pattern is hidden or not valid in RE2'), origin };
    const { decidedBy, isLetIn } = verdict;
    const because = decidedBy
      ? say`the ${trusted(decidedBy.list)} pattern ${foreign(decidedBy.pattern)} of ${foreign(origin.name)} decides`
      : say`no pattern of ${foreign(origin.name)} decides`;
    return { decision: isLetIn ? 'let-in' : 'kept-out', because, origin };
  }
}

/** Nothing is said of an object that is not declared here: another stack may have it, or none. */
const notThere = (subject: string): Answer => ({
  decision: 'not-there',
  because: say`nothing is declared for ${foreign(subject)} here`,
});

interface DeclaredSubject extends Subject {
  readonly origins: readonly Origin[];
  /** Why its identifier is hidden; it then has the name of its resource. */
  readonly obstacle?: Obstacle;
}

function declaredSubjects({ rules, modules }: Snapshot): DeclaredSubject[] {
  const declared = [
    ...subjectsOf('policy', rules, ({ policyId }) => policyId),
    ...MODULE_TYPES.flatMap((type) => subjectsOf(parentOf(type), modules[type], ({ subject }) => subject)),
  ];
  return [...grouped(declared, ({ kind, subject }) => `${kind} ${subject}`)]
    .sort(([one], [other]) => compareText(one, other))
    .map(([, alike]) => ({ ...alike[0], origins: [...new Set(alike.flatMap(({ origins }) => origins))] }));
}

/** The objects of a kind; each resource whose object is hidden counts as one of its own. */
function subjectsOf<T extends { readonly origin: Origin }>(
  kind: Subject['kind'],
  { placed, unplaced }: BySubject<T>,
  placeIn: (declaration: T) => Known<string>,
): DeclaredSubject[] {
  const ownPlace = ownPlaces(unplaced, nounOfKind(kind));
  return [
    ...[...placed].map(([subject, declared]) => ({
      kind,
      subject,
      origins: declared.map(({ origin }) => origin),
    })),
    ...unplaced.flatMap((declared) => {
      const place = placeIn(declared);
      if (place.isKnown) return [];
      const { origin } = declared;
      return {
        kind,
        subject: valueOf(ownPlace(origin)) ?? origin.urn,
        origins: [origin],
        obstacle: place.obstacle,
      };
    }),
  ];
}
