import { PulumiStack } from '../support/pulumi-stack';
import { ownResources } from '../support/stack-state';

/** A resource served by the engine's own host of dynamic resources, with nothing of ours in it. */
const noteResource = (text: string): { js: string } => ({
  js: `
    const pulumi = require('@pulumi/pulumi');
    const provider = "exports.handler = () => ({" +
      "diff: (id, olds, news) => ({ changes: olds.text !== news.text })," +
      "create: (inputs) => ({ id: 'note-1', outs: inputs })," +
      "update: (id, olds, news) => ({ outs: news })," +
      "})";
    class Note extends pulumi.CustomResource {
      constructor(name, args) {
        super('pulumi-nodejs:dynamic/harness:Note', name, { ...args, __provider: provider });
      }
    }
    new Note('note', { text: ${text} });
  `,
});

test('a stack goes through up, preview, refresh and destroy', async () => {
  const stack = await PulumiStack.create({ program: noteResource(`'first'`) });
  expect((await stack.preview()).changes).toEqual({ create: 1 });
  expect((await stack.up()).changes).toEqual({ create: 1 });
  await stack.expectEmptyPreview();

  stack.writeProgram(noteResource(`'second'`));
  expect((await stack.up()).changes).toEqual({ update: 1 });
  await stack.refresh();
  expect(ownResources(await stack.state())).toMatchObject([{ id: 'note-1', outputs: { text: 'second' } }]);

  expect((await stack.destroy()).changes).toEqual({ delete: 1 });
  expect((await stack.state()).resources).toEqual([]);
  expect(await stack.processes()).toEqual([]);
});
