import { CommandLine } from '../support/command-line';

const project = 'name: project\nruntime: nodejs\n';
const lines = `plugins:
  providers:
    - name: edge-policy
      path: "node_modules/pulumi-edge-policy/plugin"
`;

function projectWith(text: string): CommandLine {
  const line = new CommandLine();
  line.write('Pulumi.yaml', text);
  line.write('node_modules/pulumi-edge-policy/plugin/pulumi-resource-edge-policy', '');
  return line;
}

test('setup-plugin: the project file names the plugin, and everything else in it stays', async () => {
  const line = projectWith(project);
  expect((await line.run('setup-plugin')).exitCode).toBe(0);
  expect(line.read('Pulumi.yaml')).toBe(project + lines);
  expect((await line.run('setup-plugin')).stdout).toContain('already names the plugin');
  expect(line.read('Pulumi.yaml')).toBe(project + lines);
});

test('setup-plugin: a project file with plugins of its own is left alone, and the lines are printed', async () => {
  const own = `${project}plugins:\n  analyzers: []\n`;
  const line = projectWith(own);
  const { exitCode, stdout } = await line.run('setup-plugin');
  expect(exitCode).toBe(1);
  expect(stdout).toContain(lines);
  expect(line.read('Pulumi.yaml')).toBe(own);
});

test('setup-plugin: outside of a project nothing is done', async () => {
  const { exitCode, stderr } = await new CommandLine().run('setup-plugin');
  expect(exitCode).toBe(3);
  expect(stderr).toContain('is not in a Pulumi project');
});
