import { existsSync } from 'node:fs';
import { lockFileOf } from '../../../cli/src/import/one-at-a-time';
import { CommandLine, stackHolding } from '../../support/command-line';
import { eventually } from '../../support/eventually';
import { policyId } from '../../support/ids';
import { startService } from '../../support/service-stack';

test('Ctrl-C while the CLI imports: the CLI gets it once and ends by itself, the lock goes, and how to go on is said', async () => {
  const service = await startService();
  service.emulator.seed({ rules: [{ cidr: '10.0.0.0/8', ip_policy_id: policyId, action: 'allow' }] });
  const canceled = { isLasting: true, stderr: 'error: import canceled', exitCode: 255 } as const;
  const line = new CommandLine(service).withPulumi({ ...stackHolding(), import: canceled });
  const running = line.run('import', '--all', '--run');
  await eventually('the CLI works', () => (line.pulumiCalls().includes('working') ? true : undefined));
  process.emit('SIGINT');
  const { exitCode, stdout } = await running;
  expect(exitCode).toBe(1);
  expect(stdout).toContain('Interrupted. The resources that were imported stay in the state');
  expect(stdout).toContain('Run the same command again');
  // Nothing more is begun, not even a preview.
  expect(line.pulumiCalls().slice(-2)).toEqual(['working', 'interrupted']);
  expect(existsSync(lockFileOf(line.folder))).toBe(false);
});
