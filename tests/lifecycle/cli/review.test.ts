import { CommandLine, stackHolding } from '../../support/command-line';

test.each([
  ['nothing to review', [], 'Give the preview to review'],
  ['a file that is not there', ['preview.json'], 'cannot be read'],
])('review: %s is wrong usage, and nothing is reviewed', async (_what, args, message) => {
  const { exitCode, stdout, stderr } = await new CommandLine().run('review', ...args);
  expect([exitCode, stdout]).toEqual([3, '']);
  expect(stderr).toContain(message);
});

test('review: with nothing to review, the command for the selected stack is named', async () => {
  const { exitCode, stderr } = await new CommandLine().withPulumi(stackHolding()).run('review');
  expect(exitCode).toBe(3);
  expect(stderr).toBe(
    'Give the preview to review: FILE, - for standard input, or --stack NAME to run one now.\n' +
      'For the selected stack: npx --no-install pulumi-edge-policy-cli review --stack dev\n',
  );
});

test('review --stack: the report names the CLI that made the preview, if it is none that was tested', async () => {
  const resource = { inputs: { ipPolicyId: 'ipp_1', cidr: '8.8.8.0/24', action: 'deny' } };
  const urn = 'urn:pulumi:dev::project::edge-policy:index:IpPolicyRule::office';
  const newState = { ...resource, urn, type: 'edge-policy:index:IpPolicyRule', custom: true };
  const line = new CommandLine().withPulumi({
    version: { stdout: 'v9.0.0' },
    preview: { stdout: JSON.stringify({ steps: [{ op: 'create', urn, newState }] }) },
  });
  line.write('Pulumi.yaml', 'name: project\nruntime: nodejs\n');
  const { stdout } = await line.run('review', '--stack', 'dev', '--fail-on', 'never');
  expect(stdout).toMatch(/Judged by the rules of Pulumi CLI .*, but .*9\.0\.0/);
});
