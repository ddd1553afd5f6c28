import type { PreviewGap } from '../preview/preview-gaps';
import type { PreviewStep } from '../preview/preview-step';
import { ASSERTIONS_TYPE } from '../preview/resource-type';
import { foreign, say } from '../text/sentence';
import type { AssertionSet } from './assertion';
import { decodeAssertions, decodeBaseAssertions } from './assertion-file';

/** The assertions of the program on one side of the change. */
export type Side = 'old' | 'new';

/** By the type on that side: an alias can give a component another type, and then it no longer states anything. */
const declarations = (steps: readonly PreviewStep[], side: Side): PreviewStep[] =>
  steps
    .filter((step) => step[side]?.type === ASSERTIONS_TYPE && step.op !== 'refresh')
    .sort((left, right) => (left.urn.text < right.urn.text ? -1 : 1));

/** The assertions of the program itself, which a preview shows as the inputs of a component. */
export function programAssertions(steps: readonly PreviewStep[], side: Side): AssertionSet[] {
  return declarations(steps, side).flatMap((step) => {
    const inputs = step[side]?.inputs;
    const decode = side === 'old' ? decodeBaseAssertions : decodeAssertions;
    return inputs ? [decode(inputs, `The assertions ${step.urn.name}`)] : [];
  });
}

/** The assertions of the program that a preview does not show, as the SDK can be told to send no inputs of components. */
export const assertionGaps = (steps: readonly PreviewStep[]): PreviewGap[] =>
  (['old', 'new'] as const)
    .flatMap((side) =>
      declarations(steps, side).filter((step) => step[side]?.inputs?.['policies'] === undefined),
    )
    .map(
      ({ urn }) =>
        say`The preview hides what the assertions ${foreign(urn.name)} ask for because PULUMI_NODEJS_SKIP_COMPONENT_INPUTS was set.`,
    );
