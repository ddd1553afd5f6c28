import { CommandLine, noted, printed, stackHolding } from '../../support/command-line';

test('review: with nothing to review nothing is done, and the command for the selected stack is named', async () => {
  const nothing = {
    exitCode: 3,
    stdout: '',
    stderr:
      'Give the preview to review: FILE, - for standard input, or --stack NAME to run one now.\n' +
      'For the selected stack: npx --no-install pulumi-edge-policy-cli review --stack dev\n',
  };
  const line = new CommandLine().withPulumi(stackHolding());
  expect(await line.run('review')).toEqual(nothing);
  expect(await line.run('review', 'preview.json')).toMatchObject(noted(3, 'cannot be read'));
});

test('review --stack: the report names the CLI that made the preview, if it is none that was tested', async () => {
  const resource = { inputs: { ipPolicyId: 'ipp_1', cidr: '8.8.8.0/24', action: 'deny' } };
  const urn = 'urn:pulumi:dev::project::edge-policy:index:IpPolicyRule::office';
  const newState = { ...resource, urn, type: 'edge-policy:index:IpPolicyRule', custom: true };
  const line = new CommandLine().withPulumi({
    version: { stdout: 'v9.0.0' },
    preview: { stdout: JSON.stringify({ steps: [{ op: 'create', urn, newState }] }) },
  });
  expect(await line.run('review', '--stack', 'dev', '--fail-on', 'never')).toMatchObject(
    printed(0, /Judged by the rules of Pulumi CLI .*, but .*9\.0\.0/),
  );
});
