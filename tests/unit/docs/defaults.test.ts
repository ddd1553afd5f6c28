import { SETTINGS } from '../../../provider/src/settings/settings';
import { textOf } from '../../support/workspace';

/** What a docstring or a page states of a setting, and the setting. */
const read = (name: string, text: string): unknown => SETTINGS[name as keyof typeof SETTINGS].read(text);
const defaultOf = (name: string): unknown =>
  Reflect.get(SETTINGS[name as keyof typeof SETTINGS], 'defaultValue');

const docstrings = textOf('provider/src/program/provider.ts').matchAll(
  /\/\*\* (.*) \*\/\n {2}readonly (\w+)\?/g,
);
const stated = Array.from(docstrings, ([, words = '', name = '']) => ({
  name,
  byDefault: /Default: `?([\w-]+)`?\./.exec(words)?.[1],
  bounds: /, (\d+) to (\d+)\./.exec(words)?.slice(1).map(Number),
}));

test('a docstring names the default and the bounds of its setting', () => {
  expect(stated.map(({ name }) => name)).toEqual(Object.keys(SETTINGS));
  const withDefault = stated.filter(
    ({ name }) => ![undefined, ''].includes(defaultOf(name) as string | undefined),
  );
  expect(withDefault.map(({ name, byDefault = '' }) => [name, read(name, byDefault)])).toEqual(
    withDefault.map(({ name }) => [name, defaultOf(name)]),
  );
  const bounded = stated.filter(({ bounds }) => bounds);
  expect(bounded).toHaveLength(4);
  for (const { name, bounds: [least = 0, most = 0] = [] } of bounded) {
    for (const inside of [least, most]) expect(() => read(name, String(inside))).not.toThrow();
    for (const outside of [least - 1, most + 1])
      expect(() => read(name, String(outside))).toThrow(`from ${least} to ${most}`);
  }
});

test('docs/reliability.md names the default of each setting that it states', () => {
  const numbers = textOf('docs/reliability.md').matchAll(/(\d+)(?: s for [^(,]*)? \(`(\w+)`\)/g);
  const named = Array.from(numbers, ([, number = '', name = '']) => ({ name, value: read(name, number) }));
  expect(named.map(({ name }) => name)).toEqual([
    'maxAttempts',
    'requestTimeoutSeconds',
    'operationTimeoutSeconds',
  ]);
  for (const { name, value } of named) expect(value).toBe(defaultOf(name));
});
