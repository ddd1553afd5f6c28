// What a kind of module needs beside its entry in the table: whatever is forgotten is named here.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { moduleKind as emulatedKind, moduleNames } from '../../../emulator/src/routes/modules';
import { planAdoption } from '../../../cli/src/adopt/plan-adoption';
import { fieldsOf } from '../../../provider/src/fields/field';
import * as program from '../../../provider/src/index';
import { functions } from '../../../provider/src/hosts/native/invoke';
import { identityOf, idShape, moduleIdOf } from '../../../provider/src/resources/module-kind';
import { moduleKind, allModuleKinds } from '../../../provider/src/resources/modules';
import { liveKey, MODULE_TYPES } from '../../../provider/src/resources/provider-reference';
import { registry } from '../../../provider/src/resources/registry';
import { tcpEdgeId } from '../../support/ids';
import { kebabCase } from '../../../tools/schema/docstrings';
import { checkout, textOf } from '../../support/workspace';

const examplePrograms = (): string =>
  readdirSync(path.join(checkout, 'examples'))
    .map((name) => path.join('examples', name, 'index.ts'))
    .filter((file) => existsSync(path.join(checkout, file)))
    .map(textOf)
    .join('\n');

/** A path as both sides write it: each has its own names of parameters. */
const withoutNames = (place: string): string => place.replace(/\{\w+\}/g, '{}');

describe.each(MODULE_TYPES)('%s', (type) => {
  const kind = moduleKind(type);

  test('the registry has its fields', () => {
    expect(registry[type].shape().fields).toBe(kind.fields);
  });

  test('the emulator has its path, and the fields that it sends', () => {
    const [emulated] = moduleNames
      .map((name) => emulatedKind(name))
      .filter(({ path: place }) => withoutNames(place) === withoutNames(kind.path));
    if (emulated === undefined) throw new Error(`the emulator has no module at ${kind.path}`);
    const sent = fieldsOf(kind.fields).flatMap(([, { wire }]) => wire ?? []);
    expect(Object.keys(emulated.fields).sort()).toEqual(sent.sort());
  });

  test('an example program declares it', () => {
    expect(examplePrograms()).toContain(`new ${type}(`);
  });

  test('the list of pages leads to its page, which names its function and its option', () => {
    expect(textOf('docs/README.md')).toContain(`(resources/${kebabCase(type)}.md)`);
    const page = textOf(`docs/resources/${kebabCase(type)}.md`);
    for (const name of [`get${type}`, `import ${kind.importOption} `, `edge-policy:index:${type}`])
      expect(page).toContain(name);
  });

  test('is identified by fields that say of what they are the id, and that replace it', () => {
    const identity = identityOf(kind);
    expect(identity.length).toBeGreaterThan(0);
    for (const name of identity)
      expect(Reflect.get(kind.fields, name)).toMatchObject({
        identifies: expect.any(String) as string,
        isRequired: true,
        onChange: 'replace',
      });
    expect(idShape(kind).split('/')).toHaveLength(identity.length);
    expect(moduleIdOf(kind, {})).toBeUndefined();
  });

  test('has the settings of every module, and programs and the plugin have it and its functions', () => {
    expect(kind.fields).toMatchObject({ overwriteExisting: {}, enabled: {} });
    expect(program).toMatchObject({
      [type]: expect.anything() as unknown,
      [`get${type}`]: expect.anything() as unknown,
      [`get${type}Output`]: expect.anything() as unknown,
    });
    expect(functions).toHaveProperty(`get${type}`);
  });
});

type Kind = ReturnType<typeof allModuleKinds>[number];

/** The types that the files of a folder are named after. */
const typesIn = (folder: string): string[] =>
  readdirSync(path.join(checkout, folder))
    .filter((name) => /-module\.(ts|md)$/.test(name))
    .map((name) =>
      path.parse(name).name.replace(/(?:^|-)([a-z])/g, (_all, letter: string) => letter.toUpperCase()),
    );

test.each(['provider/src/resources', 'provider/src/program', 'emulator/src/routes', 'docs/resources'])(
  'every module in %s is in the tables of provider and emulator',
  (folder) => {
    const types = typesIn(folder);
    expect(types).toEqual([...MODULE_TYPES].sort());
    expect(types).toHaveLength(moduleNames.length);
  },
);

test('no two kinds share their path, the option of the import, or their name under one parent', () => {
  for (const of of [
    ({ path: place }: Kind) => place,
    ({ importOption }: Kind) => importOption,
    ({ name, parent }: Kind) => `${name} of ${parent}`,
  ])
    expect(new Set(allModuleKinds().map(of)).size).toBe(allModuleKinds().length);
});

test('two kinds on one edge are two objects: that one is managed hides nothing of the other', () => {
  const other = liveKey('HttpsEdgeRouteUserAgentFilterModule', tcpEdgeId);
  const own = liveKey('TcpEdgeTrafficPolicyModule', tcpEdgeId);
  expect(own).not.toBe(other);
  const live = { edgeId: tcpEdgeId, enabled: true, value: '{}' };
  const { adoptions, managed } = planAdoption(
    { rules: [], modules: new Map([[own, { type: 'TcpEdgeTrafficPolicyModule', live }]]) },
    { managedIds: new Set([other]), elsewhere: new Map(), names: new Set() },
  );
  expect([managed, adoptions.map(({ liveIds }) => liveIds)]).toEqual([[], [[own]]]);
});
