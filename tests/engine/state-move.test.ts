import { execFileSync } from 'node:child_process';
import path from 'node:path';
import type { Host } from '../../provider/src/resources/provider-reference';
import { oneOfEach } from '../support/core-scenario';
import { program } from '../support/programs';
import { startService, stackOnService } from '../support/service-stack';
import { ownResources } from '../support/stack-state';
import { cliBin } from '../support/workspace';

test.each<Host>(['dynamic', 'native'])(
  '%s host: what moves to the state of another stack stays live, and nothing is sent',
  async (host) => {
    const service = await startService();
    const { stack: from, emulator } = await stackOnService({ program: oneOfEach(), host }, service);
    const shared = { backendUrl: `file://${from.folder.backend}`, stack: 'other', host };
    const { stack: to } = await stackOnService({ program: program('return {};'), ...shared }, service);
    await from.up();
    const live = emulator.state();
    const urns = ownResources(await from.state()).map(({ urn }) => urn);
    const sent = emulator.journal.length;

    // As docs/resources/ip-policy-rule-set.md says: first the state, then both programs.
    const moved = ['state', 'move', '--yes', '--source=dev', '--dest=organization/harness/other', ...urns];
    execFileSync(path.join(cliBin(), 'pulumi'), moved, { cwd: from.folder.project, env: from.environment() });
    from.writeProgram(program('return {};'));
    to.writeProgram(oneOfEach());
    expect((await from.up()).changes).toEqual({});
    expect((await to.up()).changes).toEqual({});
    expect(emulator.journal).toHaveLength(sent);
    expect(emulator.state()).toEqual(live);
    await to.destroy();
    expect(emulator.state()).toMatchObject({ rules: [], tcpModules: {}, httpsModules: {} });
  },
);
