// The life of every kind of module, from its entry in the table.
import { fieldsOf, withoutService } from '../../../provider/src/fields/field';
import { identityOf } from '../../../provider/src/resources/module-kind';
import { type Bag, type HostProcess, type Scene, startScene } from '../../support/host';
import { moduleSamples } from '../../support/module-samples';

type Module = ReturnType<HostProcess['provider']>;

describe.each(moduleSamples)('$type', ({ type, id, kind, inputs: inputsWith, elsewhere }) => {
  const given = inputsWith('ours');
  const start = async (): Promise<{ scene: Scene; module: Module }> => {
    const scene = await startScene();
    return { scene, module: scene.newProcess().provider(type) };
  };
  const checked = async (module: Module, inputs: Bag): Promise<Bag> => {
    const { inputs: canonical, failures } = await module.check({}, inputs);
    expect(failures).toEqual([]);
    return canonical;
  };

  test('create: one whose delete a GET does not show yet is written again', async () => {
    const { scene, module } = await start();
    scene.emulator.setSwitches({ moduleLagMs: 300 });
    const declared = await checked(module, given);
    const made = await module.create(declared);
    scene.clock.pass(300);
    const next = scene.newProcess().provider(type);
    await next.delete(made.id, made.outs);
    const again = await next.create(declared);
    scene.clock.pass(300);
    expect((await next.read(id, {})).props).toMatchObject(withoutService(declared));
    expect((await next.read(id, again.outs)).props).toEqual(again.outs);
  });

  test('create: one whose writes all fail is not done as a GET does not show a delete yet', async () => {
    const { scene, module } = await start();
    const declared = await checked(module, given);
    const made = await module.create(declared);
    scene.clock.pass(4_900);
    scene.emulator.setSwitches({ moduleLagMs: 4_900 });
    const next = scene.newProcess().provider(type);
    await next.delete(made.id, made.outs);
    scene.emulator.fault({ method: 'PUT', kind: 'status', status: 500, times: 'always' });
    await expect(next.create(declared)).rejects.toThrow('the live values could not be read');
  });

  test('delete: one written seconds ago is not gone if all deletes fail and a GET does not show it yet', async () => {
    const { scene, module } = await start();
    scene.emulator.setSwitches({ moduleLagMs: 4_900 });
    const made = await module.create(await checked(module, given));
    scene.emulator.fault({ method: 'DELETE', kind: 'reset', times: 'always' });
    const next = scene.newProcess().provider(type);
    await expect(next.delete(made.id, made.outs)).rejects.toThrow('may or may not have been deleted');
  });

  test.each(['404', 'null'] as const)(
    'read: one written seconds ago is asked for again before it counts as gone: %s',
    async (missingModuleOnGet) => {
      const { scene, module } = await start();
      const made = await module.create(await checked(module, given));
      scene.emulator.setSwitches({ moduleLagMs: 3_000, missingModuleOnGet });
      const next = scene.newProcess().provider(type);
      expect((await next.read(id, made.outs)).props).toEqual(made.outs);
      expect(scene.clock.monotonicMs()).toBeGreaterThanOrEqual(3_000);
      scene.clock.pass(5_000);
      await next.delete(made.id, made.outs);
      scene.clock.pass(3_000);
      const gets = (): number => scene.emulator.journal.filter(({ method }) => method === 'GET').length;
      const before = gets();
      expect((await next.read(id, made.outs)).id).toBe('');
      expect(gets() - before).toBe(1);
    },
  );

  test('read: gone after a page of something in between only where the list answers below the same base URL', async () => {
    const { scene, module } = await start();
    const made = await module.create(await checked(module, given));
    // A wrong base path looks like that.
    const page = { kind: 'status', status: 404, rawBody: '<h1>404</h1>', times: 'always' } as const;
    scene.emulator.fault({ method: 'GET', path: kind.path, ...page });
    expect((await module.read(made.id, made.outs)).id).toBe('');
    scene.emulator.fault({ method: 'GET', path: '/ip_policy_rules', ...page });
    await expect(module.read(made.id, made.outs)).rejects.toThrow('check the base URL');
  });

  test('diff: another place replaces it, and another setting changes nothing', async () => {
    const { module } = await start();
    const made = await module.create(await checked(module, given));
    const moved = await checked(module, { ...given, ...elsewhere });
    const replaced = await module.diff(made.id, made.outs, moved);
    expect(replaced).toMatchObject({ changes: true, replaces: Object.keys(elsewhere) });
    expect(identityOf(kind)).toEqual(expect.arrayContaining(Object.keys(elsewhere)));
    const same = await checked(module, { ...given, overwriteExisting: true });
    expect(await module.diff(made.id, made.outs, same)).toMatchObject({ changes: false, replaces: [] });
  });

  test('check: what is required is asked for by name', async () => {
    const { module } = await start();
    const required = fieldsOf(kind.fields).flatMap(([name, field]) =>
      field.isRequired === true ? [name] : [],
    );
    const { failures } = await module.check({}, {});
    expect(failures).toHaveLength(required.length);
    for (const name of required) expect(failures.join('\n')).toContain(name);
  });
});

test('modules of two kinds on one edge are two objects: neither is in the way of the other', async () => {
  const scene = await startScene();
  const run = scene.newProcess();
  for (const { type, inputs } of moduleSamples) {
    const { id, inputs: declared, outs } = await run.create(type, inputs('ours'));
    expect((await run.provider(type).diff(id, outs, declared)).changes).toBe(false);
  }
  expect(scene.emulator.journal.filter(({ method }) => method === 'PUT')).toHaveLength(moduleSamples.length);
});
