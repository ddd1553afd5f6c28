/** In place of an unknown value of any type at a preview, nested ones included (the SDK's `runtime.unknownValue`). */
export const UNKNOWN = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

export const isUnknown = (value: unknown): boolean => value === UNKNOWN;

/** Whether the value, or anything inside it, is unknown. */
export function containsUnknown(value: unknown): boolean {
  if (isUnknown(value)) return true;
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(containsUnknown);
}
