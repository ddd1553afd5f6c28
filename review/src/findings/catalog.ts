import { accessKinds } from './access';
import { driftKinds } from './drift';
import { endKinds } from './ends';
import { feedKinds } from './feeds';
import { findingOf } from './finding';
import { hiddenValueKinds } from './hidden-values';
import { modelKinds } from './models';
import { moduleKinds } from './modules';
import { ruleKinds } from './rules';
import { serviceKinds } from './services';
import { aboutChange, aboutEvidence, aboutState, type FindingKind } from './severity';
import { trafficPolicyKinds } from './traffic-policies';
import { upKinds } from './up';
import { userAgentFilterKinds } from './user-agent-filters';
import { userAgentKinds } from './user-agents';

// Texts only: `guards` and `traffic`, which this folder must not know, find these.

const gateKinds = {
  'assertion-failed': aboutChange('critical', {
    extents: ['assertion', 'networks'],
    title: 'An assertion does not hold',
    posture: 'stack',
    advice:
      'Change the rules so that it holds, or first have the assertion corrected by those who answer for it.',
  }),
  'assertion-will-break': aboutState('medium', 'stack', {
    extents: ['assertion', 'networks'],
    title: 'An assertion rests on a rule that ends',
    advice: 'Give the rule a later end before then, or have the assertion corrected by then.',
  }),
  'assertion-not-checked': aboutEvidence('high', 'unknown', {
    extents: ['assertion', 'networks'],
    title: 'An assertion cannot be checked',
    advice: 'Use a policy or route that this stack declares, and values that are known during a preview.',
  }),
  'locked-out': aboutChange('critical', {
    title: 'An address that must get in is locked out',
    verdict: 'stops',
    advice: 'Do not apply it as it is: add an allow rule for the address first, or apply it from elsewhere.',
  }),
  'new-access': aboutChange('high', {
    extents: ['networks', 'patterns'],
    title: 'Access may grow although the gate forbids it',
    verdict: 'stops',
    advice: 'Remove the new access, waive this with a reason, or review without noNewAccess.',
  }),
  'clients-locked-out': aboutChange('high', {
    extents: ['networks', 'clients'],
    title: 'More clients of the log lose access than the gate allows',
    verdict: 'stops',
    advice: 'Add allow rules for those that still need access, or waive this with a reason.',
  }),
  'clients-refused': aboutChange('medium', {
    extents: ['networks', 'clients'],
    title: 'Clients of the log lose access',
    advice: 'Check that none of these clients, which connected recently, still needs access.',
  }),
  'clients-not-checked': aboutEvidence('high', 'none', {
    title: 'The logs do not decide how many clients lose access',
    advice: 'Pass a log of the clients with --traffic; at least 95 percent of its lines must be readable.',
  }),
  'guard-weakened': aboutChange('high', {
    title: 'A guard of the base is removed or weakened',
    verdict: 'stops-review',
    advice:
      'Put it back, or update the branch; otherwise another person has to accept the change. A new waiver covers nothing before it is in the base.',
  }),
  'plan-differs': aboutChange('critical', {
    title: 'The plan is not the one that was reviewed',
    verdict: 'stops',
    isUnacceptable: true,
    advice: 'Do not apply it. Review the change again: something has changed since.',
  }),
  'base-assertions-unread': aboutChange('high', {
    title: 'The assertions of the base revision cannot be read',
    verdict: 'stops-review',
    isUnacceptable: true,
    advice:
      'Fetch the history in the job (fetch-depth: 0); if the base has no assertion file yet, pass a file that contains {} instead.',
  }),
};

const guardKinds = {
  'base-assertions-outdated': aboutChange('low', {
    title: 'The assertions of the base revision have members without effect',
    advice: 'Correct them in this change: a change with such members is refused.',
  }),
  'guards-without-base': aboutChange('info', {
    title: 'The guards of the base revision are not known',
    advice:
      'Name its assertion files with --base-assertions; to review the current state, name the same files.',
  }),
  'waiver-expired': aboutChange('medium', {
    title: 'A waiver has expired',
    advice: 'Fix the findings that it covered, or renew it with a reason.',
  }),
  'waiver-incomplete': aboutChange('high', {
    title: 'A waiver does not name what it accepts',
    verdict: 'stops-review',
    isUnacceptable: true,
    advice: 'Add the line, with what is meant to be accepted and nothing else.',
  }),
  'waiver-too-long': aboutChange('low', {
    title: 'A waiver lasts more than a year',
    advice: 'Let it expire within a year: then somebody looks at its reason again.',
  }),
  'reason-required': aboutChange('high', {
    extents: ['networks'],
    title: 'A rule has no reason',
    posture: 'one-resource',
    advice: 'Add the description and metadata that the gate requires.',
  }),
};

export const PAGES = {
  access: { ...accessKinds, ...endKinds, ...upKinds, ...modelKinds },
  rules: ruleKinds,
  modules: { ...moduleKinds, ...trafficPolicyKinds, ...userAgentKinds, ...userAgentFilterKinds },
  process: { ...hiddenValueKinds, ...gateKinds, ...serviceKinds, ...guardKinds },
  outside: { ...driftKinds, ...feedKinds },
};

const catalog = { ...PAGES.access, ...PAGES.rules, ...PAGES.modules, ...PAGES.process, ...PAGES.outside };

export type FindingId = keyof typeof catalog;

/** Every kind of finding by its id. Ids are a public contract: waivers and code-scanning rules name them. */
export const CATALOG: Readonly<Record<FindingId, FindingKind>> = catalog;

/** Makes a finding of any kind. A family, which this file imports, makes findings of its own kinds. */
export const finding = findingOf(CATALOG);

export const FINDING_IDS = Object.keys(CATALOG) as FindingId[];

export function kindOf(id: string): FindingKind {
  if (!isFindingId(id)) throw new Error(`The catalog lacks the kind ${id}.`);
  return CATALOG[id];
}

export function pageOf(id: string): string {
  const [page = ''] = Object.entries(PAGES).find(([, kinds]) => Object.hasOwn(kinds, id)) ?? [];
  return `findings-${page}.md#${id}`;
}

export const isFindingId = (text: string): text is FindingId => Object.hasOwn(CATALOG, text);

/** The kinds of finding that can be judged without a state before the change, in the order of the catalog. */
export const POSTURE_KINDS = FINDING_IDS.map((id) => ({ id, ...CATALOG[id] })).filter(
  ({ posture = 'none' }) => posture !== 'none',
);

export type PostureKind = (typeof POSTURE_KINDS)[number];
