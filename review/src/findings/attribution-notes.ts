import type { CidrSet } from 'pulumi-edge-policy/internal/values/cidr-set';
import { isEmptyCidrSet } from 'pulumi-edge-policy/internal/values/cidr-set';
import { attributeGain } from '../access/attribution';
import type { IpModel } from '../access/evaluation-model';
import type { PolicyChange } from '../access/policy-change';
import type { VisibleRule } from '../model/declarations';
import type { Sentence } from '../report/sentence';
import { foreign, list, listOf, say, words } from '../report/sentence';

/** As many rules are named before the rest is counted. */
const NAMED = 10;

/** Which rules bring a gain about, and what prevents it, for below the finding. */
export function gainNotes(policy: PolicyChange, gained: CidrSet, model: IpModel): Sentence[] {
  if (isEmptyCidrSet(gained)) return [];
  const { added, removed, leaveOut, keep } = attributeGain(policy, gained, model);
  const causes = [...part('', added, 'added'), ...part('', removed, 'removed')];
  const edits = [...part('leave out ', leaveOut, ''), ...part('keep ', keep, '')];
  return [
    ...(causes.length === 0 ? [] : [say`Cause: ${list(causes)}.`]),
    ...(edits.length === 0 ? [] : [say`To prevent it, ${list(edits)}.`]),
  ];
}

function part(verb: string, rules: readonly VisibleRule[], end: string): Sentence[] {
  if (rules.length === 0) return [];
  const names = listOf(rules, nameOf, NAMED);
  const ending = end === '' ? '' : ` ${rules.length === 1 ? 'is' : 'are'} ${end}`;
  return [say`${words(verb)}${names}${words(ending)}`];
}

const nameOf = ({ action, cidr, origin }: VisibleRule): Sentence =>
  say`${words(action)} ${foreign(cidr.text)} of ${foreign(origin.name)}`;
