import type { Block, Limits } from './blocks';
import type { Report } from './report';
import { foreign, list, say, type Sentence } from './sentence';

/** What has become known since, and what nobody can compare. */
export function planBlocks({ plan: { expected } }: Report, { rows }: Limits): Block[] {
  if (!expected) return [];
  const { comparison } = expected;
  const notes: Sentence[] = [];
  if (comparison.nowKnown.length > 0)
    notes.push(
      say`Not known when it was reviewed, and within what was reviewed now: ${list(comparison.nowKnown, rows)}.`,
    );
  if (comparison.notCovered.length > 0)
    notes.push(
      say`Not covered, as something of them is secret: ${list(comparison.notCovered.map(nameOf), rows)}.`,
    );
  return notes.length === 0 ? [] : [{ kind: 'list', items: notes.map((text) => ({ text, notes: [] })) }];
}

const nameOf = (urn: string) => foreign(urn.split('::').slice(3).join('::'));
