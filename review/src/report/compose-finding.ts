import type { ReportedFinding } from '../guards/waivers';
import { kindOf, pageOf } from '../findings/catalog';
import type { Severity } from '../findings/severity';
import type { ListItem, Tone } from './blocks';
import type { Where } from '../findings/finding';
import type { Report } from './report';
import { explained, foreign, say, type Sentence, trusted } from '../text/sentence';

export const TONES: Readonly<Record<Severity, Tone>> = {
  critical: 'bad',
  high: 'bad',
  medium: 'doubtful',
  low: 'plain',
  info: 'plain',
};

export const inClause = (title: string): string => title.charAt(0).toLowerCase() + title.slice(1);

/** What a reader knows the rule of a finding by: its description, or its line in a set. */
export type OwnWords = (where: Where) => Sentence;

/** Reads the own words of a report's rules once, as a set may have thousands. */
export function ownWordsIn({ policies }: Report): OwnWords {
  const keyOf = (urn = '', property = ''): string => JSON.stringify([urn, property]);
  const words = new Map(
    policies.flatMap(({ before, after }) =>
      [...before.rules, ...after.rules].flatMap(({ origin, property, says }) =>
        says === undefined ? [] : [[keyOf(origin.urn, property), says] as const],
      ),
    ),
  );
  return ({ origin, property }) => {
    const says = words.get(keyOf(origin?.urn, property));
    return says === undefined ? [] : say` (${foreign(says)})`;
  };
}

export function findingItem(finding: ReportedFinding, ownWords: OwnWords): ListItem {
  const kind = kindOf(finding.id);
  return {
    label: { text: finding.severity, tone: finding.waiver ? 'plain' : TONES[finding.severity] },
    text: say`${trusted(kind.title)}. ${finding.reason}`,
    notes: [
      say`${placeOf(finding, ownWords)}${explained(finding.id, pageOf(finding.id))}`,
      ...finding.notes,
      ...(finding.waiver
        ? [say`Waived until ${foreign(finding.waiver.expires)}: ${foreign(finding.waiver.reason)}`]
        : [trusted(finding.advice ?? kind.advice)]),
    ],
  };
}

/** The place in words, followed by a separator; empty if there is none. */
function placeOf({ where }: ReportedFinding, ownWords: OwnWords): Sentence {
  const parts: Sentence[] = [];
  if (where.subject !== undefined) parts.push(say`${foreign(where.subject)}`);
  if (where.origin) {
    const property = where.property === undefined ? trusted('') : say` ${foreign(where.property)}`;
    parts.push(say`${trusted(where.origin.type)} ${foreign(where.origin.name)}${property}${ownWords(where)}`);
    if (where.origin.source)
      parts.push(say`${foreign(`${where.origin.source.file}:${where.origin.source.line}`)}`);
  }
  return parts.flatMap((part) => [...part, ' · ']);
}
