import { PulumiStack } from '../support/pulumi-stack';

/** A resource served by the engine's own host of dynamic resources, with nothing of ours in it. */
const note = (inputs: string): { js: string } => ({
  js: `
    const pulumi = require('@pulumi/pulumi');
    const provider = 'exports.handler = () => ({' +
      'diff: (id, olds, news) => ({ changes: olds.text !== news.text }),' +
      'create: (inputs) => ({ id: "note-1", outs: inputs }),' +
      '})';
    class Note extends pulumi.CustomResource {
      constructor(name, args) {
        super('pulumi-nodejs:dynamic/harness:Note', name, { ...args, __provider: provider });
      }
    }
    new Note('note', ${inputs});
  `,
});

test('a preview that is not empty fails with what it shows', async () => {
  const stack = await PulumiStack.create({ program: note(`{ text: 'first' }`) });
  expect((await stack.up()).changes).toEqual({ create: 1 });
  await stack.expectEmptyPreview();
  stack.writeProgram(note(`{ text: 'second' }`));
  await expect(stack.expectEmptyPreview()).rejects.toThrow('"first" => "second"');
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
