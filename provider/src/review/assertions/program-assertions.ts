import type { PreviewStep } from '../preview/preview-step';
import type { AssertionSet } from './assertion';
import { decodeAssertions } from './assertion-file';

/** The component resource with which a program states its assertions. */
const TYPE_TOKEN = 'edge-policy:index:AccessAssertions';

/** The assertions that the program itself states, which a preview shows as the inputs of a component. */
export function programAssertions(steps: readonly PreviewStep[]): AssertionSet[] {
  return steps
    .filter((step) => step.type === TYPE_TOKEN && step.op !== 'delete' && step.op !== 'refresh')
    .sort((left, right) => (left.urn.text < right.urn.text ? -1 : 1))
    .flatMap((step) =>
      step.new?.inputs ? [decodeAssertions(step.new.inputs, `The assertions ${step.urn.name}`)] : [],
    );
}
