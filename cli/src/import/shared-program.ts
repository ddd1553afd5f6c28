import type { Adoption } from '../adopt/adoption';
import { safeText } from '../command/text';
import { PulumiCli } from '../pulumi/pulumi-cli';
import type { ImportRun } from './prepare-import';

/** What to say before ids of one stack go into a program that others share. Empty without a stack, and if the CLI lists no other one. */
export async function sharedProgramWarning(
  { context, projectFolder, hasState, where }: ImportRun,
  adoptions: readonly Adoption[],
): Promise<string> {
  if (!hasState || adoptions.length === 0) return '';
  const { isSuccess, stdout } = await new PulumiCli(context, projectFolder).run(['stack', 'ls', '--json']);
  const listed = isSuccess ? (JSON.parse(stdout) as { name: string; current?: boolean }[]) : [];
  const shortName = (name: string) => safeText(name.slice(name.lastIndexOf('/') + 1));
  const own = shortName(where.stack ?? listed.find(({ current }) => current === true)?.name ?? '');
  const others = listed.map(({ name }) => shortName(name)).filter((name) => name !== own);
  if (own === '' || others.length === 0) return '';
  const members = adoptions.flatMap(({ args }) => Object.entries(args));
  const keys = new Map(members.flatMap(([key, id]) => (key.endsWith('Id') ? [[String(id), key]] : [])));
  return [
    `WARNING: The code will name ids of ${own}, and this program is that of ${others.join(', ')}, too, whose "pulumi up" would then declare`,
    'the same objects. Take the ids from the configuration instead, with a value of its own in each stack:',
    ...[...keys].map(([id, key], at) => {
      const name = `${key}${at === 0 ? '' : at + 1}`;
      return `  pulumi config set ${name} ${id} --stack ${own}\n    new pulumi.Config().require('${name}') in the code, instead of '${id}'`;
    }),
    '',
  ].join('\n');
}
