import { PulumiStack } from '../support/pulumi-stack';
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
