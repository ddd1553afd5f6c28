import { httpsEdgeId, otherRouteId, routeId } from '../support/ids';
import { literal, program } from '../support/programs';
import { stackOnService } from '../support/service-stack';
import { ownResources } from '../support/stack-state';

const id = `${httpsEdgeId}/${routeId}`;
const base = { edgeId: httpsEdgeId, routeId, deny: ['(?i)sqlmap', 'curl/'] };
const otherEdgeId = `${httpsEdgeId.slice(0, -1)}c`;

const filter = (args: object, name = 'module') =>
  program(`new HttpsEdgeRouteUserAgentFilterModule('${name}', ${literal(args)}); return {};`);

test('a module is created, updated in place, replaced and deleted, and nothing is left to do after each step', async () => {
  const { stack, emulator } = await stackOnService({ program: filter(base) });
  expect((await stack.up()).changes).toEqual({ create: 1 });
  expect(emulator.state().httpsModules).toEqual({ [id]: { enabled: true, allow: [], deny: base.deny } });
  expect(ownResources(await stack.state())).toMatchObject([{ id, inputs: { enabled: true, allow: [] } }]);

  stack.writeProgram(filter({ ...base, deny: [...base.deny].reverse() }));
  await stack.expectEmptyPreview();

  stack.writeProgram(filter({ ...base, enabled: false, allow: ['^Mozilla/'], deny: ['curl/'] }));
  emulator.clearJournal();
  expect((await stack.up()).changes).toEqual({ update: 1 });
  const put = emulator.journal.find(({ method }) => method === 'PUT');
  expect(put?.body).toEqual({ enabled: false, allow: ['^Mozilla/'], deny: ['curl/'] });
  await stack.expectEmptyPreview();

  stack.writeProgram(filter({ edgeId: httpsEdgeId, routeId }));
  expect((await stack.up()).changes).toEqual({ update: 1 });
  expect(emulator.state().httpsModules[id]).toEqual({ enabled: true, allow: [], deny: [] });

  stack.writeProgram(filter({ ...base, routeId: otherRouteId }));
  expect((await stack.up()).changes).toEqual({ replace: 1 });
  stack.writeProgram(filter({ ...base, routeId: otherRouteId, edgeId: otherEdgeId }));
  expect((await stack.up()).changes).toEqual({ replace: 1 });
  expect(Object.keys(emulator.state().httpsModules)).toEqual([`${otherEdgeId}/${otherRouteId}`]);
  await stack.expectEmptyPreview();

  await stack.destroy();
  expect(emulator.state().httpsModules).toEqual({});
});

test('refresh: another order is no drift, a remote edit previews as exactly that edit, a remote deletion creates again', async () => {
  const { stack, emulator } = await stackOnService({ program: filter(base) });
  await stack.up();
  emulator.remote
    .modules('httpsModules')
    .set(id, { enabled: true, allow: [], deny: [...base.deny].reverse() });
  expect((await stack.preview({ args: ['--refresh'] })).changes).toEqual({ refresh: 1 });

  emulator.remote.modules('httpsModules').set(id, { enabled: true, allow: ['^Googlebot/'], deny: base.deny });
  await stack.refresh();
  const preview = await stack.preview({ args: ['--diff'] });
  expect(preview.changes).toEqual({ update: 1 });
  expect(preview.output).toContain('^Googlebot/');
  expect(preview.markedProperties).toEqual(['~ allow']);
  await stack.up();
  expect(emulator.state().httpsModules[id]?.allow).toEqual([]);

  emulator.remote.modules('httpsModules').delete(id);
  await stack.refresh();
  expect((await stack.up()).changes).toEqual({ create: 1 });
  emulator.remote.modules('httpsModules').delete(id);
  await stack.destroy();
  expect((await stack.state()).resources).toEqual([]);
});

test('content of others is never silently overwritten, a rename keeps the live module', async () => {
  const { stack, emulator } = await stackOnService({ program: filter(base) });
  const theirs = { enabled: true, allow: ['^Mozilla/'], deny: [] };
  emulator.remote.modules('httpsModules').set(id, theirs);
  const said = (await stack.up({ expect: 'failure' })).errors.join('\n');
  expect(said).toContain('already exists with other content (enabled, 1 allow and 0 deny patterns)');
  expect(said).toContain(`npx pulumi-edge-policy import --route ${id} --run`);
  expect(emulator.state().httpsModules[id]).toEqual(theirs);

  stack.writeProgram(filter({ ...base, overwriteExisting: true }));
  await stack.up();
  expect(emulator.state().httpsModules[id]?.deny).toEqual(base.deny);
  stack.writeProgram(filter(base, 'renamed'));
  await stack.up();
  expect(emulator.state().httpsModules[id]?.deny).toEqual(base.deny);
  await stack.expectEmptyPreview();
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
  expect((await stack.preview()).changes).toEqual({ create: 2 });
  await stack.up();
  expect(emulator.state().httpsModules).toMatchObject({
    [id]: { deny: [stack.secret] },
    [`${httpsEdgeId}/${otherRouteId}`]: { allow: ['^Mozilla/', id] },
  });
  expect((await stack.preview({ args: ['--refresh'] })).changes).toEqual({ refresh: 2 });
  await stack.destroy();

  emulator.remote.modules('httpsModules').set(id, { enabled: false, allow: [], deny: ['wget'] });
  stack.writeProgram(
    program(
      `const found = HttpsEdgeRouteUserAgentFilterModule.get('found', '${id}'); return { deny: found.deny };`,
    ),
  );
  await stack.up();
  expect(await stack.outputs()).toEqual({ deny: ['wget'] });
});
