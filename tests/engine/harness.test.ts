import { existsSync } from 'node:fs';
import { eventually } from '../support/eventually';
import { PulumiStack } from '../support/pulumi-stack';
import type { CliRun } from '../support/cli-run';
import { ownResources } from '../support/stack-state';

/** A resource served by the engine's own host of dynamic resources, with nothing of ours in it. */
const note = (inputs: string, create = '({ id: "note-1", outs: inputs })'): { js: string } => ({
  js: `
    const pulumi = require('@pulumi/pulumi');
    const provider = 'exports.handler = () => ({' +
      'diff: (id, olds, news) => ({ changes: olds.text !== news.text, replaces: news.text === "other" ? ["text"] : [] }),' +
      'create: (inputs) => (${create}),' +
      'update: (id, olds, news) => ({ outs: news }),' +
      '})';
    class Note extends pulumi.CustomResource {
      constructor(name, args) {
        super('pulumi-nodejs:dynamic/harness:Note', name, { ...args, __provider: provider });
      }
    }
    new Note('note', ${inputs});
  `,
});

describe('a call', () => {
  test('tells its changes, steps, errors and notices, and leaves no process behind', async () => {
    const stack = await PulumiStack.create({ program: note(`{ text: 'first' }`) });
    expect((await stack.preview()).changes).toEqual({ create: 1 });
    expect((await stack.up()).changes).toEqual({ create: 1 });
    await stack.expectEmptyPreview();

    stack.writeProgram(note(`{ text: 'second' }`));
    await expect(stack.expectEmptyPreview()).rejects.toThrow('"first" => "second"');
    expect((await stack.up()).changes).toEqual({ update: 1 });
    expect(ownResources(await stack.state())).toMatchObject([{ id: 'note-1', outputs: { text: 'second' } }]);

    stack.writeProgram(note(`{ text: 'other' }`));
    expect((await stack.up()).changes).toEqual({ replace: 1 });
    expect((await stack.destroy()).changes).toEqual({ delete: 1 });
    expect((await stack.state()).resources).toEqual([]);
    expect(await stack.processes()).toEqual([]);
  });

  test('that fails rejects with all output, unless the failure is expected', async () => {
    const stack = await PulumiStack.create({
      program: note(`{ text: 'first' }`, '(() => { throw new Error("the paper is out"); })()'),
    });
    await expect(stack.up()).rejects.toThrow('the paper is out');
    const result = await stack.up({ expect: 'failure' });
    expect(result.errors.join('\n')).toContain('the paper is out');
    expect(result.changes).toEqual({});
  });

  test('reads configuration and secrets that the harness has written', async () => {
    const stack = await PulumiStack.create({
      program: {
        ts: `
          import * as pulumi from '@pulumi/pulumi';
          const config = new pulumi.Config();
          export const plain: string = config.require('plain');
          export const length = pulumi.unsecret(config.requireSecret('hidden').apply((hidden) => hidden.length));
          export const again = config.requireSecret('hidden');
        `,
      },
      config: { 'harness:plain': 'text', 'harness:hidden': { secret: 'four' } },
    });
    await stack.up();
    const [stackResource] = (await stack.state()).resources;
    expect(stackResource?.outputs).toMatchObject({
      plain: 'text',
      again: { ciphertext: expect.any(String) as string },
    });
  });
});

describe('the scan', () => {
  test('lets a secret input pass, in verbose logs too, as the state holds it encrypted', async () => {
    const stack = await PulumiStack.create({
      program: note(`{ text: pulumi.secret(process.env.CANARY_SECRET) }`),
    });
    const { stderr } = await stack.up({ isVerbose: true });
    expect(stderr).toContain('"v":9');
    expect(JSON.stringify(await stack.state())).toContain('ciphertext');
  });

  test.each([
    [
      'in the state',
      note(`{ text: process.env.CANARY_SECRET }`),
      /the secret "secret" is in .*\.json \(clear text\)/,
    ],
    ['on stdout', { js: `console.log(process.env.CANARY_SECRET);` }, /the secret "secret" is in stdout/],
    [
      'in base64',
      { js: `console.log(Buffer.from('key ' + process.env.CANARY_SECRET).toString('base64'));` },
      /the secret "secret" is in stdout \(base64/,
    ],
  ])('fails a call that leaves a secret %s', async (_place, program, message) => {
    const stack = await PulumiStack.create({ program });
    await expect(stack.up()).rejects.toThrow(message);
  });
});

describe('a run that is killed', () => {
  // Tells by a file that it has been reached, and never ends.
  const hanging = note(
    `{ text: 'first' }`,
    '(require("fs").writeFileSync(process.env.REACHED, ""), new Promise(() => setInterval(() => {}, 1000)))',
  );

  const startHanging = async (): Promise<{ stack: PulumiStack; run: CliRun }> => {
    const stack = await PulumiStack.create({ program: hanging });
    const reached = `${stack.folder.temporary}/reached`;
    const run = stack.start(['up', '--yes', '--skip-preview'], { env: { REACHED: reached } });
    await eventually('create reached', () => (existsSync(reached) ? true : undefined));
    return { stack, run };
  };

  test('by SIGKILL of the CLI leaves a lock, a pending operation, and nothing that outlives the test', async () => {
    const { stack, run } = await startHanging();
    run.signal('SIGKILL');
    expect((await run.finished).signal).toBe('SIGKILL');
    expect((await stack.state()).pendingOperations).toMatchObject([{ type: 'creating' }]);
    expect(await run.pluginProcesses()).toHaveLength(1);
    expect((await stack.preview({ expect: 'either' })).isSuccess).toBe(true);
    expect((await stack.up({ expect: 'failure' })).output).toContain('locked');
    await stack.killAll();
    expect(await stack.processes()).toEqual([]);
    await stack.cancel();
  });

  test('by SIGKILL of the plugin reports the failure', async () => {
    const { run } = await startHanging();
    await run.killPlugins();
    const result = await run.finished;
    expect(result.exitCode).not.toBe(0);
    expect(result.errors).not.toEqual([]);
  });

  test('by taking too long is told with what it has printed so far', async () => {
    const stack = await PulumiStack.create({
      program: { js: `console.log('so far'); setInterval(() => {}, 1000);` },
    });
    await expect(stack.up({ timeoutMs: 8_000 })).rejects.toThrow(/killed for taking too long[^]*so far/);
    expect(await stack.processes()).toEqual([]);
  });
});
