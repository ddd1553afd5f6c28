import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { stripVTControlCharacters } from 'node:util';
import type { PreviewGap } from '../preview/preview-gaps';
import { count, foreign, list, say, type Sentence, trusted } from '../text/sentence';
import { finding, type Finding } from './finding';

/** Why a preview shows less than the whole change. */
export function gapFindings(gaps: readonly PreviewGap[]): Finding[] {
  return gaps.map((gap) => finding('preview-incomplete', { where: {}, reason: gapSentence(gap) }));
}

function gapSentence(gap: PreviewGap): Sentence {
  switch (gap.kind) {
    case 'empty':
      return trusted('The preview printed nothing, so it failed before it began.');
    case 'corrupt':
      return trusted(
        'The preview may be corrupt: its engine says so, or its summary is not a list of counts.',
      );
    case 'too-complex':
      return trusted(
        'Not decided: too complex. Judging this change takes more time or memory than a review may.',
      );
    case 'failed':
      return say`The preview failed: ${foreign(firstLines(gap.messages[0] ?? ''))}`;
    case 'steps-missing':
      return trusted('The preview has no list of steps, so it says nothing about any resource.');
    case 'steps-unreadable':
      return say`The preview has ${count(gap.steps, 'step')} that cannot be read.`;
    case 'operation-unknown':
      return say`The preview has the unknown operation ${foreign(gap.op)}.`;
    case 'inputs-missing':
      return say`The preview does not show the inputs of ${foreign(gap.name)} (${foreign(gap.op)}).`;
    case 'changes-missing':
      return say`The preview counts ${count(gap.hiddenSteps, 'step')} of the operation ${foreign(gap.op)} that it does not show.`;
    case 'code-unknown':
      return say`Code from another package serves ${list(gap.names.map(foreign))}, so its effect is unknown.`;
    case 'type-unknown':
      return say`The preview has resources of types that this review does not know: ${list(gap.types.map(foreign))}.`;
    case 'several-services':
      return say`Resources of several services or accounts manage ${foreign(gap.subject)}.`;
    case 'state-differs':
      return say`The preview and the state of the stack disagree about the previous state of ${list(gap.names.map(foreign))}.`;
    case 'fate-unknown':
      return say`The steps of ${list(gap.names.map(foreign))} do not show what the run leaves live.`;
    case 'drift-not-shown':
      return trusted(
        `The refresh counts changes that its steps do not show because the default host has no details of them: run ` +
          `${COMMAND_LINE} drift.`,
      );
    case 'several-stacks':
      return say`The preview shows resources of more than one stack: ${list(gap.stacks.map(foreign))}.`;
    case 'other-stack':
      return say`The preview or the state belongs to ${foreign(gap.shown)}, but the stack to review is ${foreign(gap.named)}.`;
    case 'sames-missing':
      return say`The preview hides ${count(gap.hiddenSteps, 'unchanged resource')} because it was made without --show-sames.`;
    case 'assertions-missing':
      return say`The preview hides what the assertions ${foreign(gap.name)} ask for because PULUMI_NODEJS_SKIP_COMPONENT_INPUTS was set.`;
  }
}

/** The first line of the CLI says that something failed, and the next one what. */
const firstLines = (message: string): string =>
  stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, 2)
    .join(' ');
