import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { systemClock } from '../../../provider/src/api/clock';
import type { CliContext } from '../../../cli/src/command/context';
import { shortHash } from '../../../provider/src/values/account-mark';
import { runCli } from '../../../cli/src/run-cli';
import type { Host } from '../../../provider/src/resources/provider-reference';
import { judgeHere } from '../../support/judging';
import type { PulumiStack } from '../../support/pulumi-stack';
import { stackOnService } from '../../support/service-stack';
import type { CallOptions } from '../../support/stack-options';
import { officeProgram, type Statements } from './office';
import type { Scenario } from './scenarios';

/** Waivers are looked at on this day. */
const TODAY = Date.parse('2026-06-15T12:00:00Z');

interface Reviewed {
  readonly exitCode: number;
  readonly output: string;
}

/** The stack that every change is previewed against; previews leave it as it is. */
export async function startOffice(host?: Host) {
  const options = host === undefined ? {} : { host };
  const office = await stackOnService({ ...options, program: officeProgram(), lifetime: 'file' });
  await office.stack.up();
  return office;
}

export const inProject = (of: PulumiStack, name: string): string => path.join(of.folder.project, name);

/** The service has another port each time, and its address is part of the reviewed plan, whose hash a report shows. */
const withoutPort = (text: string): string =>
  text
    .replace(/http:\/\/127\.0\.0\.1:\d+/g, ADDRESS)
    .replace(/("account": ")[0-9a-f]{8}\./g, `$1${shortHash(ADDRESS)}.`);

const ADDRESS = 'http://127.0.0.1:8000';

/** Makes the preview of a changed program, in a file next to it. */
export async function previewOf(of: PulumiStack, change: Statements, options?: CallOptions): Promise<void> {
  of.writeProgram(officeProgram(change));
  await previewInto(of, options);
}

export async function previewInto(of: PulumiStack, options?: CallOptions): Promise<void> {
  const { stdout } = await of.call(
    ['preview', '--json', '--show-sames', '--show-replacement-steps'],
    options,
  );
  writeFileSync(inProject(of, 'preview.json'), withoutPort(stdout));
}

/** Writes the state of the stack next to its previews. */
export async function exportInto(of: PulumiStack): Promise<void> {
  const { stdout } = await of.call(['stack', 'export']);
  writeFileSync(inProject(of, 'state.json'), withoutPort(stdout));
}

export async function reviewIn(of: PulumiStack, args: readonly string[] = []): Promise<Reviewed> {
  let output = '';
  const context: CliContext = {
    environment: of.environment(),
    workingDirectory: of.folder.project,
    clock: { ...systemClock, epochMs: () => TODAY },
    print: (text) => (output += text),
    note: (text) => {
      throw new Error(text);
    },
  };
  const exitCode = await runCli(['review', 'preview.json', ...args], context, judgeHere);
  of.secrets.assertClean('the report', output);
  return { exitCode, output };
}

/** The report on the change of a scenario, whose base has the same guards. */
export async function reviewedScenario(
  of: PulumiStack,
  { change, previewArgs, args, files = {} }: Scenario,
): Promise<Reviewed> {
  for (const [name, content] of Object.entries(files))
    writeFileSync(inProject(of, name), JSON.stringify(content));
  await previewOf(of, change, { args: previewArgs ?? [] });
  const options = Object.keys(files).flatMap((name) => ['--assertions', name, '--base-assertions', name]);
  return reviewIn(of, [...options, ...(args ?? [])]);
}
