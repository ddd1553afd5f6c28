import { type Cidr, sizeOfCidr } from 'pulumi-edge-policy/internal/values/cidr';
import { sizeOf } from '../access/cidr-set';
import type { PolicyChange } from '../access/policy-change';
import { largestFirst } from '../access/public-space';
import type { Acceptance } from '../guards/acceptance';
import type { AssertionResult } from '../guards/assertion';
import { namedBy } from '../guards/guarded';
import type { ReportedFinding } from '../guards/waivers';
import { kindOf } from '../findings/catalog';
import type { SubjectTraffic } from '../traffic/replay';
import { type RemovedUse, useToJson } from '../traffic/rule-use';
import { familyName, sizeOfCidrs } from '../text/amounts';
import { plain, visible } from '../text/escape';
import { momentInWords } from '../text/sentence';
import type { Report } from './report';
import { printableJson } from 'pulumi-edge-policy/internal/values/printable';

/** The version of the format; `review/schemas/review-1.json` describes it. */
const JSON_FORMAT_VERSION = 1;

/** Texts are as safe to print as in the other formats; numbers of addresses are decimal texts, as those of IPv6 are too large. */
export function renderJson(report: Report): string {
  const { stack, project, verdict } = report;
  return printableJson({
    formatVersion: JSON_FORMAT_VERSION,
    ...(stack !== undefined && { stack: visible(stack) }),
    ...(project !== undefined && { project: visible(project) }),
    verdict,
    findings: report.findings.map(findingToJson),
    policies: report.policies.map(policyToJson),
    assertions: report.assertions.map(assertionToJson),
    waivers: report.waivers.map(({ waiver, state, coveredFindings }) => ({
      finding: waiver.finding,
      subject: visible(waiver.subject),
      reason: visible(waiver.reason),
      expires: waiver.expires,
      ...(namedBy(waiver).length > 0 && { accepts: namedBy(waiver).map((each) => visible(each)) }),
      state,
      coveredFindings,
    })),
    feeds: report.feeds.map(({ name, added, removed, state, reason }) => ({
      ...{ name: visible(name), added, removed, state },
      ...(reason && { reason: plain(reason) }),
    })),
    ...(report.traffic && {
      traffic: {
        subjects: report.traffic.subjects.map(subjectTrafficToJson),
        removed: report.traffic.removed.map(removedToJson),
        files: report.traffic.files.map((file) => ({ ...file, name: visible(file.name) })),
      },
    }),
    ...(report.acceptance && { acceptance: acceptanceToJson(report.acceptance) }),
    assumptions: {
      ...report.assumptions,
      phases: report.assumptions.phases.map((phase) => visible(phase)),
    },
    includesLiveRules: report.includesLiveRules,
    ...(report.drift && { drift: report.drift }),
    otherResources: report.otherResources,
    plan: planToJson(report.plan),
  });
}

const acceptanceToJson = ({ hash, isAccepted, accepts }: Acceptance) => ({
  ...{ hash, isAccepted },
  accepts: accepts.map(({ id, severity, reason }) => `${severity}, ${kindOf(id).title}: ${plain(reason)}`),
});

function findingToJson({ id, severity, reason, where, isNew, waiver, ...rest }: ReportedFinding) {
  const { notes, advice = kindOf(id).advice, threshold } = rest;
  const { subject, origin, property } = where;
  return {
    id,
    title: kindOf(id).title,
    severity,
    reason: plain(reason),
    advice,
    isNew,
    ...(threshold !== undefined && { threshold }),
    ...(notes.length > 0 && { notes: notes.map(plain) }),
    ...(waiver && { waivedUntil: waiver.expires, waivedBecause: visible(waiver.reason) }),
    where: {
      ...(subject !== undefined && { subject: visible(subject) }),
      ...(origin && { urn: visible(origin.urn, Infinity), name: visible(origin.name), type: origin.type }),
      ...(property !== undefined && { property: visible(property) }),
      ...(origin?.source && { source: { ...origin.source, file: visible(origin.source.file) } }),
    },
  };
}

const policyToJson = (policy: PolicyChange) => ({
  ipPolicyId: visible(policy.policyId),
  isDecided: policy.isDecided,
  families: policy.families.map(({ family, gained, lost }) => ({
    family: familyName(family),
    sizeBefore: sizeOf(policy.before.letIn, family).toString(),
    sizeAfter: sizeOf(policy.after.letIn, family).toString(),
    gainedSize: sizeOfCidrs(gained).toString(),
    lostSize: sizeOfCidrs(lost).toString(),
    gained: gained.map(networkToJson),
    lost: lost.map(networkToJson),
  })),
  later: policy.later.map(({ begins, gained, lost }) => ({
    from: momentInWords(begins.atMs),
    to: momentInWords(begins.lastMs),
    mayGain: largestFirst(gained.possibly).map(networkToJson),
    mayLose: largestFirst(lost.possibly).map(networkToJson),
  })),
});

const planToJson = ({ plan, expected }: Report['plan']) => ({
  hash: plan.hash,
  ...(expected && {
    expectedHash: expected.plan.hash,
    isAsExpected: expected.comparison.differences.length === 0,
    notCovered: expected.comparison.notCovered.map((urn) => visible(urn, Infinity)),
  }),
});

const subjectTrafficToJson = ({ kind, subject, seen, tallies, later, ...of }: SubjectTraffic) => ({
  ...{ kind, subject: visible(subject), seen, tallies },
  later: later.map(({ fromMs, ...tally }) => ({ from: momentInWords(fromMs), ...tally })),
  notDecided: of.problems.map(plain),
  largest: of.largest.map(({ userAgent, lastSeenMs, fromMs, before, after, ...client }) => ({
    ...client,
    ...(userAgent !== undefined && { userAgent: userAgent === null ? null : visible(userAgent) }),
    ...(lastSeenMs !== undefined && { lastSeen: momentInWords(lastSeenMs) }),
    ...(fromMs !== undefined && { from: momentInWords(fromMs) }),
    before: plain(before),
    after: plain(after),
  })),
});

const removedToJson = ({ policyId, rule, use, of }: RemovedUse) => ({
  ...{ subject: visible(policyId), urn: visible(rule.origin.urn, Infinity) },
  ...{ cidr: rule.cidr.text, action: rule.action, isOfAllPolicies: of.isShared },
  ...useToJson(use, of),
  notDecided: of.problems.map(plain),
});

const networkToJson = (cidr: Cidr) => ({ cidr: cidr.text, size: sizeOfCidr(cidr).toString() });

const assertionToJson = ({ assertion, outcome, because, origin }: AssertionResult) => ({
  ...(assertion.subject.isKnown && { subject: visible(assertion.subject.value) }),
  kind: assertion.kind,
  expectation: assertion.expectation,
  target: assertion.target === null ? null : visible(assertion.target),
  outcome,
  because: plain(because),
  ...(origin && { urn: visible(origin.urn, Infinity) }),
});
