import type { ReportedFinding } from '../assertions/waivers';
import type { Severity } from '../findings/severity';
import { SEVERITIES } from '../findings/severity';
import type { Block, ListItem } from './blocks';
import { TONES } from './compose-finding';
import type { Report } from './report';
import type { Sentence } from './sentence';
import { count, foreign, isForeign, say, words } from './sentence';

/** With title and verdict a first screen of fifteen lines, the line that says how many more there are among them. */
const MOST_EFFECTS = 12;

/** What the change does, one line for each effect, the worst first: what a reviewer sees without scrolling. */
export function effectBlocks(report: Report): Block[] {
  const effects = report.findings.filter(
    (found) => found.isNew && !found.waiver && found.severity !== 'info',
  );
  if (effects.length === 0) return [];
  const names = namesOfSubjects(report);
  const shown = effects.slice(0, MOST_EFFECTS).map((found) => effectItem(found, names));
  const left = effects.slice(MOST_EFFECTS);
  return [{ kind: 'list', items: left.length === 0 ? shown : [...shown, moreItem(left)] }];
}

const moreItem = (left: readonly ReportedFinding[]): ListItem => ({
  text: say`${count(left.length, 'more finding')} below, none worse than ${words(worstOf(left))}.`,
  notes: [],
});

/** The worst severity among some findings. */
export const worstOf = (findings: readonly ReportedFinding[]): Severity =>
  SEVERITIES.find((severity) => findings.some((found) => found.severity === severity)) ?? 'info';

function effectItem(
  { severity, reason, where }: ReportedFinding,
  names: ReadonlyMap<string, Sentence>,
): ListItem {
  return {
    label: { text: severity, tone: TONES[severity] },
    text: say`${withNames(reason, names)}${placeOf(where)}`,
    notes: [],
  };
}

/** The resource and its line, unless there is none. */
function placeOf({ origin }: ReportedFinding['where']): Sentence {
  if (!origin) return words('');
  const line = origin.source ? say` ${foreign(`${origin.source.file}:${origin.source.line}`)}` : words('');
  return say` · ${foreign(origin.name)}${line}`;
}

/** Identifiers say nothing to a reader: a subject is called after the resource that declares something of it. */
function namesOfSubjects({ findings, policies }: Report): Map<string, Sentence> {
  const names = new Map<string, Sentence>();
  for (const { policyId, after, before } of policies) {
    const rules = after.rules.length > 0 ? after.rules : before.rules;
    const [first] = rules;
    if (!first) continue;
    const others = new Set(rules.map(({ origin }) => origin.urn)).size - 1;
    const more = others === 0 ? words('') : say` and ${count(others, 'other')}`;
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
