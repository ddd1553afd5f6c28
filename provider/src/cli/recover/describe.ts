import { count } from '../output/count';
import { safeText } from '../output/safe-text';
import { nameOfUrn } from '../pulumi/deployment';
import { shortType } from '../pulumi/managed';
import type { JudgedOperation, Verdict } from './verdict';

const WHAT_IS_DONE: Readonly<Record<Verdict['kind'], string>> = {
  clear: 'clear',
  take: 'bring into the stack',
  refresh: 'refresh',
  refuse: 'REFUSED',
};

/** The verdicts for people. */
export function describeVerdicts(judged: readonly JudgedOperation[]): string {
  return `${count(judged.length, 'operation')} interrupted:\n${judged.map(describe).join('')}`;
}

function describe({ operation, verdict }: JudgedOperation): string {
  const { urn, type } = operation.resource;
  const candidates =
    verdict.kind === 'refuse' ? verdict.candidates.map((one) => `      ${safeText(one, 200)}\n`) : [];
  return (
    `  ${operation.type} ${shortType(type)} ${safeText(nameOfUrn(urn))}\n` +
    `    ${WHAT_IS_DONE[verdict.kind]}: ${verdict.why}\n` +
    candidates.join('')
  );
}

/** What the operator can do about what was refused. */
export function describeWayOut(judged: readonly JudgedOperation[]): string {
  const refused = judged.filter(({ verdict }) => verdict.kind === 'refuse');
  if (refused.length === 0) return '';
  const urns = refused.map(({ operation }) => `  --clear '${operation.resource.urn}'\n`);
  return (
    `\n${count(refused.length, 'operation')} stay pending, as it is not certain what became of them. Look at the rules named above, then either\n` +
    `  --take RULE_ID   brings that rule into the stack, or delete the rules nobody wants and repeat, or\n` +
    `forget the operation and leave the rules alone:\n${urns.join('')}`
  );
}

/** The verdicts for scripts. */
export const verdictsAsJson = (judged: readonly JudgedOperation[]): object[] =>
  judged.map(({ operation, verdict }) => ({
    urn: operation.resource.urn,
    operation: operation.type,
    verdict: verdict.kind,
    why: verdict.why,
    ...(verdict.kind === 'take' && { id: verdict.id }),
    ...(verdict.kind === 'refuse' && { candidates: verdict.candidates }),
  }));
