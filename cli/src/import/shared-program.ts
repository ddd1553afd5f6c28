import type { Adoption } from '../adopt/adoption';
import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import { safeText } from '../command/text';
import { PulumiCli } from '../pulumi/pulumi-cli';
import type { ImportRun } from './prepare-import';

/**
 * What to say before ids of one stack go into a program that others share: an `up` of those would declare the same objects.
 * Undefined without a stack, and if no other one is known.
 */
export async function sharedProgramWarning(
  run: ImportRun,
  adoptions: readonly Adoption[],
): Promise<string | undefined> {
  if (run.situation.deployment === undefined) return undefined;
  const { own, others } = await stacksOf(run);
  if (own === undefined || others.length === 0) return undefined;
  const ids = adoptions.flatMap(({ args }) =>
    Object.entries(args).flatMap(([key, id]) =>
      key.endsWith('Id') && typeof id === 'string' ? [{ key, id }] : [],
    ),
  );
  const settings = [...grouped(ids, ({ key }) => key)].flatMap(([key, entries]) =>
    [...new Set(entries.map(({ id }) => id))].map(
      (id, at) => [at === 0 ? key : `${key}${at + 1}`, id] as const,
    ),
  );
  return [
    `WARNING: The code will name ids of ${own}, and this program is that of ${others.join(', ')}, too, whose "pulumi up" would then declare`,
    'the same objects. Take the ids from the configuration instead, with a value of its own in each stack:',
    ...settings.map(([name, id]) => `  pulumi config set ${name} ${id} --stack ${own}`),
    ...settings.map(
      ([name, id]) => `  new pulumi.Config().require('${name}') in the code, instead of '${id}'`,
    ),
    '',
  ].join('\n');
}

/** The stack of the import, and the others of its project, as far as the CLI can list them. */
async function stacksOf({ context, projectFolder, where }: ImportRun) {
  const { isSuccess, stdout } = await new PulumiCli(context, projectFolder).run(['stack', 'ls', '--json']);
  const listed = isSuccess
    ? (JSON.parse(stdout) as { readonly name: string; readonly current?: boolean }[])
    : [];
  const shortName = (name: string) => safeText(name.slice(name.lastIndexOf('/') + 1));
  const named = where.stack ?? listed.find(({ current }) => current === true)?.name;
  const own = named === undefined ? undefined : shortName(named);
  return { own, others: listed.map(({ name }) => shortName(name)).filter((name) => name !== own) };
}
