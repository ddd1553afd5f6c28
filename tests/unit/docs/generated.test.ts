import { writeFileSync } from 'node:fs';
import path from 'node:path';
import schema from '../../../provider/schemas/pulumi-schema.json';
import { SETTINGS } from '../../../provider/src/settings/settings';
import { CommandLine } from '../../support/command-line';
import { expectGeneratedPart, isUpdate } from '../../support/generated-part';
import { jsonShapes } from '../../support/json-shapes';
import { checkout, textOf } from '../../support/workspace';

/** What a docstring says of a setting, without its variable, which has a column of its own. */
const meaningOf = (name: string): string =>
  (schema.config.variables as Record<string, { description: string }>)[name]?.description.replace(
    / From the environment: .*/,
    '',
  ) ?? 'nothing is said';

const settings = [
  '| Setting | Variable | Meaning |',
  '| --- | --- | --- |',
  ...Object.entries(SETTINGS).map(
    ([name, { variable }]) => `| \`edge-policy:${name}\` | \`${variable}\` | ${meaningOf(name)} |`,
  ),
].join('\n');

test.each(['docs/configuration.md', 'docs/installation-configuration.md'])(
  '%s lists every setting as the code and its docstring have it',
  (page) => {
    expectGeneratedPart(page, 'settings', settings);
  },
);

const fenced = (text: string): string => `\`\`\`text\n${text}\n\`\`\`\n`;

const inJson = (shapes: readonly string[] = []): string =>
  shapes.length === 0 ? '' : `\nWith \`--json\`:\n\n${shapes.map(fenced).join('\nor:\n\n')}`;

test('docs/cli-options.md lists the options of every command, and its JSON, as the command itself does', async () => {
  const cli = new CommandLine();
  const main = (await cli.run('--help')).stdout;
  const names = Array.from(main.matchAll(/^ {2}([a-z][a-z-]+) /gm), ([, name = '']) => name);
  const shapes = jsonShapes();
  const helps = await Promise.all(
    names
      .filter((name) => name !== 'help')
      .map(
        async (name) =>
          `## ${name}\n\n${fenced((await cli.run(name, '--help')).stdout.trimEnd())}${inJson(shapes.get(name))}`,
      ),
  );
  expect(helps.length).toBeGreaterThan(9);
  const wanted = [
    '# Options of the commands\n',
    '<!-- Written by a test: UPDATE_DOCS=1 npx jest --selectProjects=unit --testPathPatterns docs/generated -->\n',
    'The output of each command for `--help`, and the form of its output with `--json`: `?` marks members that may be absent. ' +
      '[The command line](cli.md) says what each command is for.\n',
    ...helps,
  ].join('\n');
  const page = 'docs/cli-options.md';
  if (isUpdate) writeFileSync(path.join(checkout, page), wanted);
  expect(textOf(page)).toBe(wanted);
});
