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

test('the scan lets a secret input pass, in verbose logs too, as the state holds it encrypted', async () => {
  const program = note(`{ text: pulumi.secret(process.env.CANARY_SECRET) }`);
  const stack = await PulumiStack.create({ program });
  const { stderr } = await stack.up({ isVerbose: true });
  expect(stderr).toContain('"v":9');
  expect(JSON.stringify(await stack.state())).toContain('ciphertext');
});

test.each([
  ['in the state', note(`{ text: process.env.CANARY_SECRET }`).js, /"secret" is in .*\.json \(clear text\)/],
  [
    'on stdout in base64',
    `console.log(btoa('key ' + process.env.CANARY_SECRET));`,
    /"secret" is in stdout \(base64/,
  ],
])('a call that leaves a secret %s fails', async (_place, js, message) => {
  const stack = await PulumiStack.create({ program: { js } });
  await expect(stack.up()).rejects.toThrow(message);
});
