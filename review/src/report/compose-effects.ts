import type { ReportedFinding } from '../guards/waivers';
import { SEVERITIES, type Severity } from '../findings/severity';
import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import { type Block, listed, type ListItem } from './blocks';
import { type OwnWords, TONES } from './compose-finding';
import { plain } from '../text/escape';
import { countingIn, type Report } from './report';
import { count, foreign, isForeign, listOf, say, type Sentence, trusted } from '../text/sentence';

/** Together with title, verdict, assumptions and acceptance a first screen of fifteen lines, including the line that counts the rest. */
const MOST_EFFECTS = 9;

/** The effects of the change, one line each, the worst first: what a reviewer sees without scrolling. */
export function effectBlocks(report: Report, ownWords: OwnWords): Block[] {
  const effects = countingIn(report.findings).filter(({ severity }) => severity !== 'info');
  if (effects.length === 0) return [];
  const names = namesOfSubjects(report);
  const groups = alike(effects);
  const shown = groups.slice(0, MOST_EFFECTS).map((group) => effectItem(group, names, ownWords));
  const left = groups.slice(MOST_EFFECTS).flat();
  return listed(left.length === 0 ? shown : [...shown, moreItem(left)]);
}

type Group = readonly [ReportedFinding, ...ReportedFinding[]];

/** The same effect on several policies appears once, where the first of them does. */
const alike = (effects: readonly ReportedFinding[]): Group[] => [
  ...grouped(effects, ({ severity, reason, where: { list = [] } }) =>
    [severity, plain(reason), plain(list)].join('\n'),
  ).values(),
];

const moreItem = (left: readonly ReportedFinding[]): ListItem => ({
  text: say`${count(left.length, 'more finding')} below, none worse than ${trusted(worstOf(left))}.`,
});

export const worstOf = (findings: readonly ReportedFinding[]): Severity =>
  SEVERITIES.find((severity) => findings.some((finding) => finding.severity === severity)) ?? 'info';

function effectItem(group: Group, names: ReadonlyMap<string, Sentence>, ownWords: OwnWords): ListItem {
  const [{ severity, reason, where }] = group;
  const places = group.length === 1 ? placeOf(where, ownWords) : say` · ${listOf(group, nameOfPlace)}`;
  const policies = trusted(group.length === 1 ? '1 policy' : `${group.length} policies`);
  const cause = where.list ? say`${where.list}, in ${policies}. ` : [];
  return {
    label: { text: severity, tone: TONES[severity] },
    text: say`${cause}${withNames(reason, names)}${places}`,
  };
}

const nameOfPlace = ({ where }: ReportedFinding) => foreign(where.origin?.name ?? where.subject ?? '');

function placeOf(where: ReportedFinding['where'], ownWords: OwnWords): Sentence {
  const { origin } = where;
  if (!origin) return trusted('');
  const line = origin.source ? say` ${foreign(`${origin.source.file}:${origin.source.line}`)}` : trusted('');
  return say` · ${foreign(origin.name)}${ownWords(where)}${line}`;
}

/** Identifiers mean nothing to a reader, so a subject is named after the resource that declares it. */
function namesOfSubjects({ findings, policies }: Report): ReadonlyMap<string, Sentence> {
  const names = new Map<string, Sentence>();
  for (const { policyId, after, before, changedUrns } of policies) {
    const rules = after.rules.length > 0 ? after.rules : before.rules;
    const first =
      [...after.rules, ...before.rules].find(({ origin }) => changedUrns.has(origin.urn)) ?? rules[0];
    if (!first) continue;
    const others = new Set(rules.flatMap(({ origin: { urn } }) => (urn === first.origin.urn ? [] : [urn])))
      .size;
    const more =
      others === 0 ? trusted('') : say` and ${count(others, 'more resource')} (${foreign(policyId)})`;
    names.set(policyId, say`the policy of ${foreign(first.origin.name)}${more}`);
  }
  for (const { where } of findings) {
    if (where.subject !== undefined && where.origin && !names.has(where.subject))
      names.set(where.subject, say`${foreign(where.origin.name)}`);
  }
  return names;
}

const withNames = (reason: Sentence, names: ReadonlyMap<string, Sentence>): Sentence =>
  reason.flatMap((run) => (isForeign(run) ? (names.get(run.foreign) ?? [run]) : [run]));
