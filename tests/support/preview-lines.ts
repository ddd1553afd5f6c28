/** The output of `preview --diff` about one resource: the lines below its URN, without their common indentation. */
export function linesOf(stdout: string, name: string): string[] {
  const lines = stdout.split('\n');
  const start = lines.findIndex((line) => line.includes('[urn=') && line.endsWith(`::${name}]`));
  if (start < 0) throw new Error(`${name} is not in the preview`);
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => !/^ {6}/.test(line));
  return rest.slice(0, end < 0 ? undefined : end).map((line) => line.slice(6).trimEnd());
}

/** The lines that show a change. */
export const changesOf = (stdout: string, name: string): string[] =>
  linesOf(stdout, name)
    .filter((line) => /^ *[-+~]/.test(line))
    .map((line) => line.trimStart());

/** What a preview or a run prints of the rules of sets that change, without their indentation. */
export const changedRules = (stdout: string): string[] =>
  stdout.split('\n').flatMap((line) => /^ +([-+] [0-9a-f:.]+\/\d+: (?:allow|deny).*)$/.exec(line)?.[1] ?? []);
