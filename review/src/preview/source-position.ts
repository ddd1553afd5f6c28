import { asArray, asObject, type JsonObject } from './json-reading';

/** A place in the program where a resource is declared, relative to the folder of its Pulumi project. */
export interface SourcePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

const POSITION = /^project:\/\/\/(?<file>[^#]+)#(?<line>[1-9]\d{0,8}),(?<column>[1-9]\d{0,8})$/;

/**
 * Where the program makes a resource. The SDK cannot place a constructor in an anonymous function, as in `networks.map((cidr)
 * => new IpPolicyRule(…))`, and places a look-up in our package: then the first caller in the program's own files is used.
 */
export function sourceOf(state: JsonObject): SourcePosition | undefined {
  const named = parseSourcePosition(state['sourcePosition']);
  if (named !== undefined && !LIBRARY.test(named.file)) return named;
  const callers = asArray(state['stackTrace']).map((frame) =>
    parseSourcePosition(asObject(frame)?.['sourcePosition']),
  );
  return callers.find((caller) => caller !== undefined && !LIBRARY.test(caller.file)) ?? named;
}

/** The absolute path on the machine that ran the program, which the command line replaces if it finds the file here. */
const IN_ES_MODULE = /(^|\/)file:\//;
const LIBRARY = /(^|\/)node_modules\//;

/** Reads the engine's `project:///index.ts#12,3`; anything else is not a position. */
function parseSourcePosition(value: unknown): SourcePosition | undefined {
  const groups = typeof value === 'string' ? POSITION.exec(value)?.groups : undefined;
  if (!groups?.['file'] || IN_ES_MODULE.test(groups['file'])) return undefined;
  return { file: decodePath(groups['file']), line: Number(groups['line']), column: Number(groups['column']) };
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
