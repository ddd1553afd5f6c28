import { isSameValue, type AnyField } from '../../fields/field';
import type { Properties } from '../../fields/properties';
import type { ResourceShape } from '../../resources/registry';
import { containsUnknown, UNKNOWN } from '../../values/unknowns';

/** What a create will answer, as far as it is known before. */
export const createPreview = ({ outputs }: ResourceShape, inputs: Properties): Properties => ({
  ...inputs,
  ...Object.fromEntries(Object.keys(outputs).map((name) => [name, UNKNOWN])),
});

/** What an update will answer, as far as it is known before. */
export function updatePreview(
  { fields, outputs }: ResourceShape,
  { olds, news }: { olds: Properties; news: Properties },
): Properties {
  const isChanged = (name: string): boolean => {
    const field = Reflect.get(fields, name) as AnyField;
    return containsUnknown(news[name]) || !isSameValue(field, olds[name], news[name]);
  };
  const later = Object.entries(outputs).map(([name, causes]) => [
    name,
    causes.some(isChanged) ? UNKNOWN : olds[name],
  ]);
  return { ...news, ...(Object.fromEntries(later) as Properties) };
}
