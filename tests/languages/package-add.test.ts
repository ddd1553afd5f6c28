import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { PACKAGE_VERSION } from '../../provider/src/api/client-settings';
import { folderOf } from '../support/folder';
import { policyId } from '../support/ids';
import { startRawServer } from '../support/raw-server';
import { stackOnService } from '../support/service-stack';
import { checkout } from '../support/workspace';

/** The archives of a release, as a web server offers them. */
async function releaseServer(): Promise<{ url: string; archive: string }> {
  const folder = folderOf();
  execFileSync(process.execPath, [path.join(checkout, 'tools', 'bundle.mjs'), folder]);
  const { url } = await startRawServer(({ url = '' }, answer) =>
    answer.end(readFileSync(path.join(folder, path.basename(url)))),
  );
  const archive = path.join(folder, `pulumi-resource-edge-policy-v${PACKAGE_VERSION}-linux-amd64.tar.gz`);
  return { url, archive };
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
