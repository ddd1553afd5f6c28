import { type Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import { reasonsIn, type SubjectAccess } from '../access/subject-access';
import { emptyCidrSet, everything, intersect, isEmptyCidrSet, subtract, networkIn } from '../access/cidr-set';
import { firstNetworkIn } from '../access/public-space';
import { networkVerdict, type Reason } from '../access/address-verdict';
import type { AddressBounds } from '../access/bounds';
import type { PolicyChange } from '../access/policy-change';
import { valueOf } from '../model/known';
import type { BySubject, ModuleDeclaration, Origin, Snapshot } from '../model/declarations';
import { typesAt } from '../model/read-modules';
import type { TrustedFeeds } from '../findings/feed-changes';
import type { Extent } from '../findings/severity';
import type { Finding } from '../findings/finding';
import { finding } from '../findings/catalog';
import type { Assumptions } from '../findings/assumptions';
import { foreign, momentInWords, say, type Sentence, trusted } from '../text/sentence';
import { userAgentVerdict } from '../user-agents/filter-logic';
import { filtersOf, type UserAgentVerdict } from '../user-agents/user-agent-model';
import type { Assertion, AssertionResult } from './assertion';
import { assertionKey, breakOf, describeAssertion, networksOf, notChecked } from './assertion';

export interface Checked {
  readonly policies: readonly PolicyChange[];
  readonly accesses: readonly SubjectAccess[];
  readonly after: Snapshot;
  /** The stack as it was: what it breaks already is no news. Absent if everything is, as in a drift. */
  readonly before?: Snapshot;
  /** The assertions that the change brings: what breaks them is news, however old it is. */
  readonly brought: ReadonlySet<Assertion>;
  readonly assumptions: Assumptions;
  readonly feeds?: TrustedFeeds;
}

export const DECLARED: Readonly<
  Record<Assertion['kind'], (stack: Snapshot) => readonly BySubject<{ readonly origin: Origin }>[]>
> = {
  address: ({ rules }) => [rules],
  connection: ({ modules }) => typesAt('tcp-edge').map((type) => modules[type]),
  'user-agent': ({ modules }) => typesAt('route').map((type) => modules[type]),
};

const isDeclared = (kind: Assertion['kind'], subject: string, stack: Snapshot | undefined): boolean =>
  stack !== undefined && DECLARED[kind](stack).some(({ placed }) => placed.has(subject));

export function checkAssertions(assertions: readonly Assertion[], request: Checked): AssertionResult[] {
  const { before: _before, ...againstNothing } = request;
  return assertions.map((assertion) => {
    const checked = request.brought.has(assertion) ? againstNothing : request;
    if (!assertion.subject.isKnown)
      return notChecked(
        assertion,
        trusted('the policy, the route or what is asked for is not known at preview'),
      );
    const { asked, problem } = withFeeds(assertion, checked.feeds);
    if (problem) return notChecked(assertion, problem);
    const check = asked.kind === 'user-agent' ? checkUserAgent : checkNetworks;
    return overTime(check(asked, assertion.subject.value, checked), checked);
  });
}

/** An assertion that holds at the apply may not hold later. If it breaks for an address because of the change, it fails. */
function overTime(result: AssertionResult, { policies }: Checked): AssertionResult {
  const { assertion, outcome } = result;
  const policy = policies.find(({ policyId }) => policyId === valueOf(assertion.subject));
  if (outcome !== 'holds' || assertion.kind !== 'address' || !policy) return result;
  const demand = { expectation: assertion.expectation, named: networksOf(assertion) };
  const broken = breakOf(demand, policy.moments, 'of the change');
  if (broken) {
    const { atMs, isSure, offenders } = broken;
    const verb = trusted(wrongSide(assertion, isSure));
    const because = say`from ${trusted(momentInWords(atMs))} on, ${foreign(firstNetworkIn(offenders)?.text ?? '')} ${verb}`;
    return {
      ...(isSure ? { ...result, outcome: 'fails', because } : notChecked(assertion, because)),
      offenders,
    };
  }
  const breaking = breakOf(demand, policy.moments, 'any');
  if (!breaking) return result;
  const { until, offenders } = breaking;
  const didHold = isEmptyCidrSet(offendersOf(assertion, policy.access.before).possibly);
  const because = say`${result.because}, but only until ${trusted(until)}`;
  return { ...result, because, offenders, breaking: { until, isNew: !didHold } };
}

const wrongSide = ({ expectation }: Assertion, isSure: boolean): string =>
  `${isSure ? 'is' : 'may be'} ${expectation === 'allow' ? 'kept out' : 'let in'}`;

function withFeeds(
  assertion: Assertion,
  feedsOf: TrustedFeeds | undefined,
): { readonly asked: Assertion; readonly problem?: Sentence } {
  const { feeds = [], networks = [] } = assertion;
  if (feeds.length === 0) return { asked: assertion };
  const answers = feeds.map((name) => feedsOf?.(name) ?? { problem: trusted('feeds are not known here') });
  const problem = answers.find((feed) => 'problem' in feed)?.problem;
  const named = answers.flatMap((feed) => ('networks' in feed ? feed.networks : []));
  return { asked: { ...assertion, networks: [...networks, ...named] }, ...(problem && { problem }) };
}

function checkNetworks(assertion: Assertion, subject: string, checked: Checked): AssertionResult {
  const isPolicy = assertion.kind === 'address';
  const kind = isPolicy ? 'policy' : 'tcp-edge';
  const access = checked.accesses.find((one) => one.kind === kind && one.subject === subject);
  if (access?.of !== 'addresses') {
    const noun = trusted(isPolicy ? 'rule of' : 'traffic policy of');
    return notChecked(assertion, say`the stack has no ${noun} ${foreign(subject)}`);
  }
  const { target, networks = [target ?? ''] } = assertion;
  const invalid = networks.find((network) => !networkIn(network));
  if (invalid !== undefined)
    return {
      ...notChecked(assertion, say`${foreign(invalid)} is not an address or network`),
      advice: 'Correct this network in the assertion.',
    };
  const against = offendersOf(assertion, access.after);
  const known = isDeclared(assertion.kind, subject, checked.before)
    ? offendersOf(assertion, access.before).surely
    : emptyCidrSet;
  const grown = { surely: subtract(against.surely, known), possibly: subtract(against.possibly, known) };
  const isOld = isEmptyCidrSet(grown.possibly) && !isEmptyCidrSet(against.possibly);
  const { surely, possibly } = isOld ? against : grown;
  const [sure, possible] = [firstNetworkIn(surely), firstNetworkIn(possibly)];
  if (!sure && possible) {
    const because = say`${foreign(possible.text)} may be: ${reasonsIn(access.doubts)}`;
    return { ...notChecked(assertion, because), isOld, offenders: possibly };
  }
  const { text, origin } = reasonOf(assertion, sure, checked) ?? {
    text: sure
      ? say`${foreign(sure.text)} ${trusted(wrongSide(assertion, true))}`
      : trusted('all of it is decided that way'),
  };
  return {
    assertion,
    outcome: sure ? 'fails' : 'holds',
    because: text,
    isOld,
    offenders: possibly,
    ...(origin && { origin }),
  };
}

/** The rule that decides about a network, if an assertion of a policy names one. */
function reasonOf(
  { kind, expectation, target, networks, subject }: Assertion,
  offender: Cidr | undefined,
  { policies, assumptions: { ipModel: model } }: Checked,
): Reason | undefined {
  const policy = policies.find(({ policyId }) => policyId === valueOf(subject));
  const named = networkIn(target ?? '');
  if (kind !== 'address' || networks || !policy || !named) return undefined;
  const verdict = networkVerdict(policy.after, offender ?? named, {
    model,
    bounds: policy.access.after,
  });
  return (expectation === 'allow') === (offender === undefined) ? verdict.whyIn : verdict.whyOut;
}

function offendersOf(assertion: Assertion, after: AddressBounds): AddressBounds {
  const named = networksOf(assertion);
  if (assertion.expectation === 'deny')
    return { surely: intersect(named, after.surely), possibly: intersect(named, after.possibly) };
  if (assertion.expectation === 'within')
    return { surely: subtract(after.surely, named), possibly: subtract(after.possibly, named) };
  return { surely: subtract(named, after.possibly), possibly: subtract(named, after.surely) };
}

/** A removed filter leaves its route open; of several filters any may be in force, so all have to agree. */
function checkUserAgent(assertion: Assertion, routeKey: string, checked: Checked): AssertionResult {
  const { accesses, before } = checked;
  const isKnown = accesses.some(({ of, subject }) => of === 'user-agents' && subject === routeKey);
  if (!isKnown) return notChecked(assertion, say`the stack has no user agent filter of ${foreign(routeKey)}`);
  const result = checkFilters(assertion, routeKey, checked);
  const isOld =
    before !== undefined &&
    isDeclared('user-agent', routeKey, before) &&
    checkFilters(assertion, routeKey, { ...checked, after: before }).outcome === 'fails';
  return { ...result, isOld };
}

function checkFilters(
  assertion: Assertion,
  routeKey: string,
  { after, assumptions }: Checked,
): AssertionResult {
  const filters = filtersOf(after);
  const declared = filters.placed.get(routeKey) ?? [undefined];
  const results = [...declared, ...filters.unplaced].map((filter) =>
    checkFilter(assertion, filter, assumptions),
  );
  const [first = notChecked(assertion, trusted('it cannot be decided'))] = results;
  return results.every(({ outcome }) => outcome === first.outcome)
    ? first
    : notChecked(assertion, trusted('the filters that may be in force on the route disagree'));
}

function checkFilter(
  assertion: Assertion,
  filter: ModuleDeclaration | undefined,
  { userAgentModel }: Assumptions,
): AssertionResult {
  const verdict = userAgentVerdict(filter, userAgentModel)(assertion.target);
  if (!verdict)
    return notChecked(assertion, trusted('a pattern of the filter is hidden or not valid in RE2'));
  const because = patternOf(verdict, filter);
  const holds = verdict.isLetIn === (assertion.expectation === 'allow');
  return {
    assertion,
    outcome: holds ? 'holds' : 'fails',
    because,
    ...(filter && { origin: filter.origin }),
  };
}

function patternOf({ decidedBy }: UserAgentVerdict, filter: ModuleDeclaration | undefined): Sentence {
  if (!filter) return trusted('the filter is removed');
  return decidedBy
    ? say`decided by the ${trusted(decidedBy.list)} pattern ${foreign(decidedBy.pattern)}`
    : trusted('no pattern decides');
}

export const assertionFindings = (results: readonly AssertionResult[]): Finding[] =>
  results.flatMap((result) => {
    const { assertion, outcome, because, breaking, origin, advice, isOld = false } = result;
    const demand = describeAssertion(assertion);
    const content = {
      where: { subject: valueOf(assertion.subject), origin },
      extent: extentOf(result),
      withoutValues: say`${demand}.`,
    };
    if (outcome !== 'holds') {
      const id = outcome === 'fails' ? 'assertion-failed' : 'assertion-not-checked';
      return [finding(id, { ...content, reason: say`${demand}, but ${because}.`, isNew: !isOld, advice })];
    }
    if (!breaking) return [];
    const { until, isNew } = breaking;
    const reason = say`${demand}, which holds only until ${trusted(until)} because rules end then.`;
    return [finding('assertion-will-break', { ...content, reason, isNew })];
  });

const MEMBERS = { allow: 'mustAllow', deny: 'mustDeny', within: 'neverWiderThan' } as const;

function extentOf({ assertion, offenders = everything }: AssertionResult): Extent {
  const { expectation, target } = assertion;
  const isCeiling = expectation === 'within';
  const targets = isCeiling ? target?.split(', ').filter((each) => each !== '') : [target];
  const entry = `{ "${MEMBERS[expectation]}": ${JSON.stringify(targets)} }`;
  return {
    assertion: { key: assertionKey(assertion), entry, isCeiling },
    ...(assertion.kind !== 'user-agent' && { networks: offenders }),
  };
}
