/** Where in the program a resource is declared, relative to the directory of its Pulumi project. */
export interface SourcePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

const POSITION = /^project:\/\/\/(?<file>[^#]+)#(?<line>[1-9]\d{0,8}),(?<column>[1-9]\d{0,8})$/;

/** Reads the engine's `project:///index.ts#12,3`; anything else is no position. */
export function parseSourcePosition(value: unknown): SourcePosition | undefined {
  const groups = typeof value === 'string' ? POSITION.exec(value)?.groups : undefined;
  if (!groups?.['file']) return undefined;
  return { file: decodePath(groups['file']), line: Number(groups['line']), column: Number(groups['column']) };
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
