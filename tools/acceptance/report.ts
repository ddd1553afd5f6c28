// What for: what the answers mean to a user of the provider and of the review.
import { type SwitchName, switchTable } from '../../emulator/src/switches';
import { type QuestionName, questionOf } from './questions';

/** By the answer, `''` for every other one. */
const MEANINGS: Partial<Record<QuestionName, Readonly<Record<string, string>>>> = {
  errorBody: { json: 'errors show code and message', '': 'errors show little more than the status' },
  missingRule: { empty: 'the list is read, too, before a rule counts as gone' },
  listLagMs: { 0: 'a create whose answer is lost is found at once', '': 'it is looked for during 15 s' },
  hostBits: { '': 'the provider refuses them itself' },
  duplicateCidr: {
    accepted: 'rules move between resources without a gap: `--duplicate-networks accepted` in reviews',
    '': '`--duplicate-networks refused`, as reviews assume: a rule that moves is gone for a moment, unless `overwriteExisting` is set',
  },
  duplicateOfOtherAction: {
    accepted: '`deleteBeforeReplace: false` changes an action without a gap',
    '': 'leave `deleteBeforeReplace` on',
  },
  listedMetadata: { missing: 'leave `metadata` out: sets and look-ups read the list' },
  emptyTextPatch: { ignored: 'a description that leaves the program stays: replace the rule' },
  partialPatch: { cleared: 'not supported: a change of one text clears the other' },
  immutablePatch: { changed: 'not in the document: the provider replaces the rule' },
  textLimit: { '': 'the provider refuses more than 255 bytes' },
  parents: { seeded: 'an `up` with a wrong id fails' },
  regexDialect: {
    re2: 'as the review assumes',
    '': 'the review reads RE2: its verdicts on user agents may be wrong',
  },
  lastRuleOfPolicy: { 400: 'a `destroy` fails at the last rule of a policy in use' },
};
const ANY = 'nothing: the provider takes every answer';

/** A row of the table: question, answer, meaning. */
export type Row = readonly [question: string, answer: string, meaning: string];

function rowOf(name: QuestionName, answer: string): Row {
  const meanings = MEANINGS[name] ?? {};
  return [questionOf(name), answer, meanings[answer] ?? meanings[''] ?? ANY];
}

const NOT_LEARNED = `How rules, patterns and actions combine cannot be learned from answers: --ip-model, --user-agent-model
and --phases of the review stay assumptions (docs/review-assumptions.md); whoever runs the service knows.`;

/** The table, and what to set: in Markdown, to be kept or reported. */
export function reportOf(
  answers: ReadonlyMap<QuestionName, string>,
  life: readonly Row[],
  rateRefusals: number,
): string {
  const rows = [...Array.from(answers, ([name, answer]) => rowOf(name, answer)), ...life];
  const table = [['question', 'answer', 'what it means'], ['---', '---', '---'], ...rows];
  const switches = Array.from(answers).filter(([name, answer]) => isOtherPosition(name, answer));
  const pace =
    rateRefusals === 0
      ? 'not needed at this pace'
      : `lower than here, as the service answered 429 (${rateRefusals} times)`;
  return `${table.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}

- edge-policy:requestsPerMinute: ${pace}
- an emulator that answers alike: npx edge-policy-emulator ${switches.map(([name, answer]) => `--switch ${name}=${answer}`).join(' ')}

${NOT_LEARNED}`;
}

/** Whether the answer is a position of the emulator's switch, and not where it starts. */
function isOtherPosition(name: string, answer: string): boolean {
  const found = name in switchTable ? switchTable[name as SwitchName] : undefined;
  if (found === undefined || String(found.start) === answer) return false;
  return found.kind === 'number'
    ? /^\d+$/.test(answer)
    : (found.positions as readonly string[]).includes(answer);
}
