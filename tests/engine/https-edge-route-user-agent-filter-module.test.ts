import { httpsEdgeId, otherRouteId, routeId } from '../support/ids';
import { literal, program } from '../support/programs';
import { stackOnService } from '../support/service-stack';
import { ownResources } from '../support/stack-state';
import { testedHost } from '../support/tested-host';

const id = `${httpsEdgeId}/${routeId}`;
const base = { edgeId: httpsEdgeId, routeId, deny: ['(?i)sqlmap', 'curl/'] };

const filter = (args: object) =>
  program(`new HttpsEdgeRouteUserAgentFilterModule('module', ${literal(args)}); return {};`);

test('a module is created, updated in place, replaced and deleted, and nothing is left to do', async () => {
  const { stack, emulator } = await stackOnService({ program: filter(base) });
  expect((await stack.up()).changes).toEqual({ create: 1 });
  expect(emulator.state().httpsModules).toEqual({ [id]: { enabled: true, allow: [], deny: base.deny } });
  expect(ownResources(await stack.state())).toMatchObject([{ id, inputs: { enabled: true, allow: [] } }]);

  // Another order is no change; an edit of others previews as exactly that edit.
  stack.writeProgram(filter({ ...base, deny: [...base.deny].reverse() }));
  emulator.remote.modules('httpsModules').set(id, { enabled: true, allow: ['^Googlebot/'], deny: base.deny });
  const preview = await stack.preview({ args: ['--refresh', '--diff'] });
  expect(preview.changes).toEqual({ refresh: 1, update: 1 });
  expect(preview.output).toContain('^Googlebot/');
  // Once as the refresh finds it, once as it is undone.
  expect(preview.markedProperties).toEqual(['~ allow', '~ allow']);

  stack.writeProgram(filter({ ...base, enabled: false, allow: ['^Mozilla/'], deny: ['curl/'] }));
  emulator.clearJournal();
  expect((await stack.up()).changes).toEqual({ update: 1 });
  const put = emulator.journal.find(({ method }) => method === 'PUT');
  expect(put?.body).toEqual({ enabled: false, allow: ['^Mozilla/'], deny: ['curl/'] });

  stack.writeProgram(filter({ edgeId: httpsEdgeId, routeId }));
  expect((await stack.up()).changes).toEqual({ update: 1 });
  expect(emulator.state().httpsModules[id]).toEqual({ enabled: true, allow: [], deny: [] });

  stack.writeProgram(filter({ ...base, routeId: otherRouteId }));
  expect((await stack.up()).changes).toEqual({ replace: 1 });
  expect(Object.keys(emulator.state().httpsModules)).toEqual([`${httpsEdgeId}/${otherRouteId}`]);
  await stack.expectEmptyPreview();

  await stack.destroy();
  expect(emulator.state().httpsModules).toEqual({});
});

test('get reads the module of a route; secret and unknown patterns pass through', async () => {
  const { stack, emulator } = await stackOnService({
    program: program(`
      const first = new HttpsEdgeRouteUserAgentFilterModule('first', {
        edgeId: '${httpsEdgeId}', routeId: '${routeId}', deny: [pulumi.secret(process.env.CANARY_SECRET)],
      });
      new HttpsEdgeRouteUserAgentFilterModule('second', {
        edgeId: '${httpsEdgeId}', routeId: '${otherRouteId}', allow: ['^Mozilla/', first.id],
      });
      return {};
    `),
  });
  await stack.up();
  expect(emulator.state().httpsModules).toMatchObject({
    [id]: { deny: [stack.secret] },
    [`${httpsEdgeId}/${otherRouteId}`]: { allow: ['^Mozilla/', id] },
  });
  expect((await stack.preview({ args: ['--refresh'] })).changes).toEqual({ refresh: 2 });

  stack.writeProgram(
    program(
      `const found = HttpsEdgeRouteUserAgentFilterModule.get('found', '${httpsEdgeId}/${otherRouteId}'); return { allow: found.allow };`,
    ),
  );
  await stack.up();
  expect(await stack.outputs()).toEqual({ allow: ['^Mozilla/', id] });
});

// The plugin attaches the warning to the resource, so that the CLI names it.
const named =
  testedHost === 'native' ? '' : `HttpsEdgeRouteUserAgentFilterModule of ${httpsEdgeId}, ${routeId}: `;

test('a pattern that matches everything is a warning, which names the route', async () => {
  const { stack } = await stackOnService({ program: filter({ ...base, deny: [''] }) });
  expect((await stack.preview()).warnings).toEqual([
    expect.stringMatching(`^${named}deny\\[0\\]: matches the empty string`),
  ]);
});
