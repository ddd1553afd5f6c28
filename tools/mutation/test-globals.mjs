// The part of Jest's interface that the tests of mutated files use, for `runner.mjs`.
import { expect } from 'expect';
import { ModuleMocker } from 'jest-mock';

const mocks = new ModuleMocker(globalThis);

/** @typedef {() => unknown} Hook */
/** @typedef {{ names: string[], before: Hook[], after: Hook[] }} Scope */
/** @typedef {{ name: string, scopes: readonly Scope[], body: Hook }} RegisteredTest */

/**
 * Makes the globals. A hook outside every `describe` applies to all tests, as the modules of tests/support register them.
 *
 * @param {(test: RegisteredTest) => void} onTest
 */
export function testGlobals(onTest) {
  /** @type {Scope[]} */
  const scopes = [{ names: [], before: [], after: [] }];
  const innermost = () => /** @type {Scope} */ (scopes.at(-1));
  /** @param {string} name @param {Hook} body */
  const describe = (name, body) => {
    scopes.push({ names: [...innermost().names, name], before: [], after: [] });
    body();
    scopes.pop();
  };
  /** @param {string} name @param {Hook} body */
  const test = (name, body) => {
    onTest({ name: [...innermost().names, name].join(' '), scopes: [...scopes], body });
  };
  return {
    expect,
    describe: Object.assign(describe, { each: each(describe) }),
    test: Object.assign(test, { each: each(test) }),
    beforeEach: (/** @type {Hook} */ hook) => innermost().before.push(hook),
    afterEach: (/** @type {Hook} */ hook) => innermost().after.push(hook),
    // The process ends with the tests.
    afterAll: () => undefined,
    jest: { fn: mocks.fn.bind(mocks), setTimeout: () => undefined },
  };
}

/** @param {(name: string, body: Hook) => void} register */
const each =
  (register) =>
  (/** @type {readonly unknown[]} */ rows) =>
  (/** @type {string} */ name, /** @type {(...row: unknown[]) => unknown} */ body) => {
    const isTable = rows.every((row) => Array.isArray(row));
    rows.forEach((row, index) => {
      register(`${name} (${index + 1})`, () =>
        isTable ? body(.../** @type {unknown[]} */ (row)) : body(row),
      );
    });
  };
