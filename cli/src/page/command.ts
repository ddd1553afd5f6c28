// What for: the command `page`: who gets in as one file for a browser, and the evidence of a rule review.
// Must not know: `import`, `review` and `drift`, and how access is computed: the review does that, here and in the page's script.
import { statSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { printableJson } from 'pulumi-edge-policy/internal/values/printable';
import {
  type Assumptions,
  DEFAULT_ASSUMPTIONS,
  explainClients,
  hidesRules,
  plain,
  type PolicyUse,
  type TrafficLog,
  usesByPolicy,
  useToJson,
  windowInWords,
} from 'pulumi-edge-policy-review';
import { type CommonOptions, locationOf, withCommonOptions } from '../command/arguments';
import { type CliContext, type CommandContext, EXIT, type ExitCode } from '../command/context';
import { writeReport } from '../command/write-file';
import { assumptionsOf, withAssumptionOptions } from '../judge/assumption-options';
import { AT_HELP, STATE_HELP } from '../pulumi/recorded-state';
import { findProjectFolder } from '../pulumi/stack';
import { readLogs } from '../traffic/read-traffic';
import { trafficFieldsOption, trafficOption, type TrafficOptions } from '../traffic/traffic-options';
import { type AccessSide, accessSidesOf } from './access-side';
import { csvOf, evidenceOf } from './evidence';
import type { SourceOptions } from '../explain/sources';
import { ruleKey, type PageClients, type PageContent, packed } from './page-data';
import { gather } from './gather';
import { lastCommit } from './last-commit';
import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';

interface PageOptions
  extends Omit<CommonOptions, 'stack'>, SourceOptions, TrafficOptions, Partial<Assumptions> {
  readonly stack?: readonly string[];
  readonly out: string;
  readonly csv?: string;
}

const EXAMPLES = `
Examples:
  $ ${COMMAND_LINE} page
  $ ${COMMAND_LINE} page --stack prod --stack organization/other/prod --csv evidence.csv
  $ ${COMMAND_LINE} page --preview preview.json --out change.html
  $ ${COMMAND_LINE} page --live

The page opens from disk and makes no requests. It holds what the stack declares: networks, reasons, resource names and lines of the
program. Secrets are left out. With --traffic, it also holds the clients of the log that do not get in, twenty for each subject, with
their addresses. Exit codes: 0 written, 2 written, but the log does not decide, 3 nothing was written (wrong usage or input).`;

export const pageCommand = (context: CommandContext): Command =>
  withAssumptionOptions(
    withCommonOptions(
      new Command('page')
        .description('write a page that shows who gets in, with a search, and the evidence of a rule review')
        .option('--out <file>', 'the file to write', 'access.html')
        .option('--csv <file>', 'also write the evidence, a row for each rule')
        .option(
          '--preview <file>',
          'before and after the change in this JSON from "pulumi preview --json --show-sames --show-replacement-steps"',
        )
        .option('--live', 'compare the rules on the service now, from all stacks, with the state')
        .option('--state <file>', STATE_HELP)
        .option('--at <time>', AT_HELP)
        .addOption(trafficOption())
        .addOption(trafficFieldsOption()),
      { isStackRepeatable: true },
    ),
  )
    .addHelpText('after', EXAMPLES)
    .action(async (options: PageOptions) => {
      context.end(await writePage(options, context));
    });

async function writePage(options: PageOptions, context: CliContext): Promise<ExitCode> {
  const { stack: stacks = [undefined], out, csv, preview, live, state, at, ...rest } = options;
  const { cwd } = locationOf(rest, context.workingDirectory);
  const assumptions = { ...DEFAULT_ASSUMPTIONS, ...assumptionsOf(options) };
  const assets = readAssets();
  const source = { cwd, stacks, assumptions, preview, live, past: { state, at } };
  const gathered = await gather(source, context);
  const commit = await lastCommit(findProjectFolder(cwd) ?? cwd, context);
  const declared: PageContent = { ...gathered, made: { ...gathered.made, ...(commit && { commit }) } };
  const { sides } = accessSidesOf(declared);
  const logs = options.traffic && (await readLogs({ ...options, cwd, context }));
  const content: PageContent = {
    ...declared,
    ...(logs && { clients: clientsIn(logs, sides), uses: usesIn(logs, sides.at(-1), assumptions) }),
  };
  const file = path.resolve(cwd, out);
  writeReport(file, pageOf(content, assets));
  const side = sides.at(-1);
  const rows = side ? evidenceOf(side, content) : [];
  if (csv !== undefined) writeReport(path.resolve(cwd, csv), csvOf(rows));
  const bytes = statSync(file).size;
  if (options.json) context.print(printableJson({ page: file, bytes, csv: csv ?? null, rules: rows.length }));
  else context.print(`${out}: who gets in by ${rows.length} rules (${Math.ceil(bytes / 1000)} kB)\n`);
  const { clients } = content;
  const isDecided =
    clients?.length !== 0 && clients?.every(({ problems }) => problems.length === 0) !== false;
  return isDecided ? EXIT.done : EXIT.notDecidable;
}

const clientsIn = (logs: readonly TrafficLog[], sides: readonly AccessSide[]): PageClients[] =>
  sides.flatMap(({ when, explainer }) =>
    explainer.subjects.flatMap((subject): PageClients[] => {
      const explained = explainClients({ when: 'now', explainer }, subject, logs);
      return explained ? [{ ...explained, when }] : [];
    }),
  );

function usesIn(
  logs: readonly TrafficLog[],
  side: AccessSide | undefined,
  { ipModel: model }: Assumptions,
): Readonly<Record<string, readonly string[]>> {
  const policies = side?.explainer.subjects.filter(({ kind }) => kind === 'policy') ?? [];
  const cells = policies.flatMap(({ subject }): [string, string[]][] => {
    const policy = side?.explainer.policy(subject)?.after;
    const hasOthers = policies.length > 1;
    const of =
      policy &&
      usesByPolicy(subject, policy.rules, { logs, model, hasOthers, hidesRules: hidesRules(policy) });
    return of ? policy.rules.map((rule, at) => [ruleKey(rule.origin, rule.property), cellsOf(of, at)]) : [];
  });
  return Object.fromEntries(cells);
}

function cellsOf(of: PolicyUse, at: number): string[] {
  const use = of.problems.length === 0 ? of.uses[at] : undefined;
  if (!use) return ['', '', '', '', '', of.problems.map((each) => `not decided: ${plain(each)}`).join('; ')];
  const { clients, requests, needed = '?', firstSeen = '', lastSeen = '' } = useToJson(use, of);
  const log = [windowInWords(of), ...of.unread].map(plain).join('; ');
  return [clients, requests, needed, firstSeen, lastSeen, log].map(String);
}

function readAssets(): PageAssets {
  try {
    return require('../../assets/page.cjs') as PageAssets;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    throw new UserError('The script of the page is missing: in a clone, run "npm run build" first.');
  }
}

/** The script and the style of the page, which the build makes. */
interface PageAssets {
  readonly script: string;
  readonly style: string;
}

/**
 * The page as one file that asks for nothing: the policy in its head allows its own script and style, by their hashes, and no request.
 * Nothing that others wrote is part of the document: the script reads it from the compressed data, as text.
 */
function pageOf(content: PageContent, { script, style }: PageAssets): string {
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const data = deflateRawSync(packed(content), { level: 9 }).toString('base64');
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    '<meta name="color-scheme" content="light dark">',
    '<title>Who gets in</title>',
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<noscript>This page needs its own script, which makes no requests: allow scripts to read it.</noscript>',
    `<script type="text/plain" id="content">${data}</script>`,
    `<script>${script}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;
