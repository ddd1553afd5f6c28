import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { PACKAGE_VERSION } from '../../provider/src/api/client-settings';
import { deferCleanup } from '../support/cleanup';
import { folderOf } from '../support/folder';
import { policyId } from '../support/ids';
import { stackOnService } from '../support/service-stack';
import { checkout } from '../support/workspace';

/** The archives of a release, as a web server offers them. */
async function releaseServer(): Promise<{ url: string; archive: string }> {
  const folder = folderOf();
  execFileSync(process.execPath, [path.join(checkout, 'tools', 'bundle.mjs'), folder]);
  const server = createServer(({ url = '' }, answer) => {
    answer.end(readFileSync(path.join(folder, path.basename(url))));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  deferCleanup(() => void server.close());
  const archive = path.join(folder, `pulumi-resource-edge-policy-v${PACKAGE_VERSION}-linux-amd64.tar.gz`);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, archive };
}

test.each(['an installed plugin', 'a server'])(
  'package add, from %s: a project in YAML needs nothing else',
  async (from) => {
    const { url, archive } = await releaseServer();
    const { stack, emulator } = await stackOnService({
      program: { ts: '' },
      project: 'added',
      host: 'native',
    });
    const file = path.join(stack.folder.project, 'Pulumi.yaml');
    writeFileSync(file, stringify({ name: 'added', runtime: 'yaml' }));
    const isInstalled = from === 'an installed plugin';
    if (isInstalled)
      await stack.call(['plugin', 'install', 'resource', 'edge-policy', PACKAGE_VERSION, '--file', archive]);
    const env = { PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: String(isInstalled) };
    const server = isInstalled ? [] : ['--server', url];
    await stack.call(['package', 'add', `edge-policy@${PACKAGE_VERSION}`, ...server], { env });
    const added = parse(readFileSync(file, 'utf8')) as object;
    const properties = { ipPolicyId: policyId, cidr: '10.0.0.0/8', action: 'deny' };
    writeFileSync(
      file,
      stringify({ ...added, resources: { rule: { type: 'edge-policy:IpPolicyRule', properties } } }),
    );
    expect((await stack.up({ env })).changes).toEqual({ create: 1 });
    expect(emulator.state().rules).toMatchObject([{ cidr: '10.0.0.0/8' }]);
  },
);
