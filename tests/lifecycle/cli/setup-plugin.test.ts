import { parse } from 'yaml';
import { CommandLine, noted, printed } from '../../support/command-line';
import { textOf } from '../../support/workspace';

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
  const [documented = ''] = /^plugins:\n(?: .*\n)+/m.exec(textOf('docs/hosts.md')) ?? [];
  expect(documented).toContain('path: node_modules');
  for (const own of [project + lines, project + documented]) {
    line.write('Pulumi.yaml', own);
    expect(await line.run('setup-plugin')).toMatchObject(printed(0, 'already names the plugin'));
    expect(line.read('Pulumi.yaml')).toBe(own);
  }
});

test.each([
  ['plugins of its own', `${project}plugins:\n  analyzers: []\n`],
  ['plugins under a quoted key', `${project}"plugins" :\n  analyzers: []\n`],
  ['the mark of an end', `${project}...\n`],
  ['a second document', `---\n${project}---\nname: other\n`],
  ['keys away from the margin', '# mine\n  name: project\n  runtime: nodejs\n'],
  ['the form of JSON', '{ "name": "project", "runtime": "nodejs" }\n'],
])('setup-plugin: a project file with %s is left alone, and the lines are printed', async (_case, own) => {
  const line = projectWith(own);
  expect(await line.run('setup-plugin')).toMatchObject(printed(1, lines));
  expect(line.read('Pulumi.yaml')).toBe(own);
});

test.each([`---\n${project}`, '"name": project\r\n"runtime": nodejs\r\n', `# first\n${project}# last`])(
  'setup-plugin: the lines go behind those of %j',
  async (text) => {
    const line = projectWith(text);
    expect((await line.run('setup-plugin')).exitCode).toBe(0);
    expect(parse(line.read('Pulumi.yaml'))).toMatchObject({
      ...{ name: 'project', runtime: 'nodejs' },
      plugins: { providers: [{ name: 'edge-policy' }] },
    });
  },
);

test('setup-plugin: a package of a folder above is named by a relative path, and one of no folder not at all', async () => {
  const line = new CommandLine();
  line.write('infra/Pulumi.yaml', project);
  const refused = noted(3, 'is not installed in the project');
  expect(await line.run('setup-plugin', '--cwd', 'infra')).toMatchObject(refused);
  expect(line.read('infra/Pulumi.yaml')).toBe(project);
  line.write('node_modules/pulumi-edge-policy/plugin/pulumi-resource-edge-policy', '');
  expect((await line.run('setup-plugin', '--cwd', 'infra')).exitCode).toBe(0);
  expect(line.read('infra/Pulumi.yaml')).toContain('path: "../node_modules/pulumi-edge-policy/plugin"');
});

test('setup-plugin: outside of a project nothing is done', async () => {
  expect(await new CommandLine().run('setup-plugin')).toMatchObject(noted(3, 'There is no Pulumi project'));
});
