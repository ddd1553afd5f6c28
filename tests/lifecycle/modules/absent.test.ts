// When a module counts as gone.
import { type Bag, type HostProcess, type Scene, startScene } from '../../support/host';
import { moduleSamples } from '../../support/module-samples';

const LIST = '/ip_policy_rules';

const sent = ({ emulator }: Scene, method: string): number =>
  emulator.journal.filter((entry) => entry.method === method).length;

/** A page of something in between: a wrong base path looks like that. */
const notFoundPage = {
  kind: 'status',
  status: 404,
  rawBody: '<h1>404</h1>',
  contentType: 'text/html',
} as const;

interface Made {
  readonly id: string;
  readonly outs: Bag;
}

describe.each(moduleSamples)('$type', ({ type, kind, inputs: inputsWith }) => {
  const { path } = kind;
  const inputs = inputsWith('theirs');
  const start = async (): Promise<{
    scene: Scene;
    made: Made;
    module: ReturnType<HostProcess['provider']>;
  }> => {
    const scene = await startScene();
    const module = scene.newProcess().provider(type);
    const { inputs: checked } = await module.check({}, inputs);
    const made = await module.create(checked);
    return { scene, made, module: scene.newProcess().provider(type) };
  };

  test('read: gone where the service says so; delete: it then counts as deleted', async () => {
    const { scene, made, module } = await start();
    expect((await module.read(made.id, made.outs)).id).toBe(made.id);
    await module.delete(made.id, made.outs);
    expect((await module.read(made.id, made.outs)).id).toBe('');
    await module.delete(made.id, made.outs);
    expect(sent(scene, 'DELETE')).toBe(2);
  });

  test('read: gone after a page of something in between only where the list answers below the same base URL', async () => {
    const { scene, made, module } = await start();
    scene.emulator.fault({ method: 'GET', path, ...notFoundPage, times: 'always' });
    expect((await module.read(made.id, made.outs)).id).toBe('');
    scene.emulator.fault({ method: 'GET', path: LIST, ...notFoundPage, times: 'always' });
    await expect(module.read(made.id, made.outs)).rejects.toThrow('check the base URL');
  });
});
