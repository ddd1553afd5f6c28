import { isSecret, secretInClear, type StateResource } from '../../../cli/src/pulumi/deployment';
import type { Bag } from '../host-process';

/** How an export shows secrets: in clear, or in a form that only the CLI can read. */
export const sealed = (entry: StateResource, keys: readonly string[], showsSecrets: boolean): StateResource =>
  withValues(entry, (value, key) => {
    if (!keys.includes(key)) return value;
    if (showsSecrets) return secretInClear(value);
    const { plaintext: _clear, ...mark } = secretInClear(value) as { plaintext: string };
    return { ...mark, ciphertext: Buffer.from(JSON.stringify(value)).toString('base64') };
  });

/** A resource that was exported, with its secrets as the CLI keeps them. */
export const opened = (entry: StateResource): StateResource =>
  withValues(entry, (value) => {
    if (!isSecret(value)) return value;
    const { plaintext, ciphertext = '' } = value as { plaintext?: string; ciphertext?: string };
    return JSON.parse(plaintext ?? Buffer.from(ciphertext, 'base64').toString()) as unknown;
  });

/** How a preview shows secrets. */
export const hidden = (entry: StateResource, keys: readonly string[]): StateResource =>
  withValues(entry, (value, key) => (keys.includes(key) ? '[secret]' : value));

/** Maps the values of a resource, inputs and outputs. */
const withValues = (entry: StateResource, make: (value: unknown, key: string) => unknown): StateResource => {
  const mapped = (bag: Bag): Bag =>
    Object.fromEntries(Object.entries(bag).map(([key, value]) => [key, make(value, key)]));
  return {
    ...entry,
    ...(entry.inputs && { inputs: mapped(entry.inputs) }),
    ...(entry.outputs && { outputs: mapped(entry.outputs) }),
  };
};
