import { type Acceptance, isAcceptable } from '../guards/acceptance';
import { kindOf } from '../findings/catalog';
import type { Finding } from '../findings/finding';
import { foreign, list, listOf, say, type Sentence, trusted } from '../text/sentence';
import type { Block } from './blocks';
import { inClause } from './compose-finding';
import type { Report } from './report';
import { countingIn } from './verdict';

/** So many of the things that would be accepted are named in their line; the findings have all of them. */
const MOST_NAMED = 10;

/** Wherever the gate stops a change: how a person accepts exactly this one, and what that would accept; or that nobody can. */
export function acceptanceBlocks({ acceptance, verdict, findings, drift }: Report): Block[] {
  if (drift) return [];
  const lines = acceptance
    ? linesOf(acceptance)
    : verdict.outcome === 'clear'
      ? []
      : [nobodyCan(countingIn(findings).filter((found) => !isAcceptable(found)))];
  return lines.length === 0 ? [] : [{ kind: 'list', items: lines.map((text) => ({ text })) }];
}

function linesOf({ hash, isAccepted, other, accepts }: Acceptance): Sentence[] {
  const what = listOf(accepts, inWords, MOST_NAMED);
  if (isAccepted) return [say`Accepted by ${foreign(hash)}: ${what}.`];
  return [
    say`Another person can accept exactly this change, and no other: --accept ${foreign(hash)} (${GUIDE}).`,
    say`That would accept: ${what}.`,
    ...(other === undefined ? [] : [say`What was accepted is another change: ${foreign(other)}.`]),
  ];
}

const nobodyCan = (found: readonly Finding[]): Sentence =>
  say`Nobody can accept this change as it is: ${list([...new Set(found.map(titleOf))].map(trusted))} (${GUIDE}).`;

const GUIDE = trusted('see docs/approving.md in the package pulumi-edge-policy');

function inWords(found: Finding): Sentence {
  const { origin, subject } = found.where;
  const place = origin?.name ?? subject;
  const where = place === undefined ? [] : say`, ${foreign(place)}`;
  return say`${trusted(titleOf(found))} (${trusted(found.severity)}${where})`;
}

const titleOf = ({ id }: Finding): string => inClause(kindOf(id).title);
