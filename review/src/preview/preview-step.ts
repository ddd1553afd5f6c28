import { SERVICE_KEY, withoutService } from 'pulumi-edge-policy/internal/fields/field';
import { asArray, asObject, asString, isObject, type JsonObject, present } from './json-reading';
import { parseUrn, type ResourceUrn } from './resource-type';

export interface StepState {
  readonly id?: string;
  /** Differs from the step's URN if an alias moves the resource. */
  readonly urn: string;
  readonly type: string;
  /** The URN of its provider, and an identifier. */
  readonly provider?: string;
  /** As `check` returned them. Absent for a resource that does not exist on this side. */
  readonly inputs?: JsonObject;
  /** The address (or its digest) that `check` has noted; empty if the settings name none; absent without a check, or after a read. */
  readonly service?: string;
  readonly outputs?: JsonObject;
  readonly source?: SourcePosition;
  /** Deleting it leaves the object on the service. */
  readonly isRetainedOnDelete: boolean;
  /** The engine deletes this resource before it creates its successor, or did so in an earlier run. */
  readonly isDeletedFirst: boolean;
  /** It has a successor already, and is deleted last, in this run or in a later one. */
  readonly isPendingDelete: boolean;
  readonly isProtected: boolean;
  /** The resource whose deletion removes this one from the state without a request. */
  readonly deletedWith?: string;
  /** A look-up of an object that the stack does not manage. */
  readonly isExternal: boolean;
  readonly importId?: string;
  /** The URNs of all that must be there before it: dependencies, parent, provider, and what it is deleted or replaced with. */
  readonly needs: readonly string[];
}

export interface PreviewStep {
  readonly op: string;
  readonly urn: ResourceUrn;
  readonly type: string;
  readonly old?: StepState;
  readonly new?: StepState;
}

/** Reads one entry of `steps`; parts that are missing or of another type are omitted rather than guessed. */
export function readStep(value: unknown): PreviewStep {
  const step = asObject(value) ?? {};
  const urn = parseUrn(asString(step['urn']) ?? '');
  const [oldState, newState] = [step['oldState'], step['newState']].map((state) =>
    readState(state, urn.text),
  );
  return {
    op: asString(step['op']) ?? '',
    urn,
    // A step without states is still about the resource that its URN names.
    type: newState?.type ?? oldState?.type ?? urn.type,
    ...present({ old: oldState, new: newState }),
  };
}

/** Reads one side of a step, or an entry of a state; `urn` is for a side that names none. */
export function readState(value: unknown, urn: string): StepState | undefined {
  const state = asObject(value);
  if (!state) return undefined;
  const provider = asString(state['provider']);
  const { inputs, outputs } = withSharedSecrets(state);
  const deletedWith = nameIn(state['deletedWith']);
  return {
    type: asString(state['type']) ?? '',
    urn: asString(state['urn']) ?? urn,
    ...present({ id: nameIn(state['id']), importId: nameIn(state['importID']), provider, deletedWith }),
    ...present({ inputs: inputs && (withoutService(inputs) as JsonObject), outputs }),
    ...present({ service: asString(inputs?.[SERVICE_KEY]), source: sourceOf(state) }),
    isRetainedOnDelete: state['retainOnDelete'] === true,
    isDeletedFirst: state['pendingReplacement'] === true,
    isPendingDelete: state['delete'] === true,
    isProtected: state['protect'] === true,
    isExternal: state['external'] === true,
    needs: [
      ...asArray(state['dependencies']),
      ...asArray(state['replaceWith']),
      state['parent'],
      provider?.replace(/::[^:]*$/, ''),
      deletedWith,
    ].filter((urn) => typeof urn === 'string'),
  };
}

const nameIn = (value: unknown): string | undefined => (value === '' ? undefined : asString(value));

/** What the CLI prints in the place of a secret. */
export const SECRET = '[secret]';
/** Under this key the engine marks special values, such as secrets. */
const [SIGNATURE, SECRET_MARK] = ['4dabf18193072939515e22adb298388d', '1b47061264138c4ac30d75fd1eb44270'];

export const isSecret = (value: unknown): boolean => isObject(value) && value[SIGNATURE] === SECRET_MARK;

/** Whether a value of a preview or a state is a secret, or holds one, however deep. */
export const holdsSecret = (value: unknown): boolean =>
  value === SECRET ||
  isSecret(value) ||
  (typeof value === 'object' && value !== null && Object.values(value).some(holdsSecret));

/** A property that is secret in one place is secret in all: `additionalSecretOutputs`, for one, marks outputs and no input. */
function withSharedSecrets(state: JsonObject): Pick<StepState, 'inputs' | 'outputs'> {
  const [inputs, outputs] = [asObject(state['inputs']), asObject(state['outputs'])];
  const properties = [inputs, outputs].flatMap((side) => Object.entries(side ?? {}));
  const secret = new Set<unknown>([
    ...asArray(state['additionalSecretOutputs']),
    ...properties.flatMap(([name, value]) => (holdsSecret(value) ? [name] : [])),
  ]);
  const shared = (side: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(side).map(([name, value]) =>
        secret.has(name) && !holdsSecret(value) ? [name, SECRET] : [name, value],
      ),
    );
  const hidden = secret.size === 0 ? (side: JsonObject) => side : shared;
  return { ...(inputs && { inputs: hidden(inputs) }), ...(outputs && { outputs: hidden(outputs) }) };
}

/** A place in the program where a resource is declared, relative to the folder of its Pulumi project. */
export interface SourcePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

const POSITION = /^project:\/\/\/(?<file>[^#]+)#(?<line>[1-9]\d{0,8}),(?<column>[1-9]\d{0,8})$/;

/** Where the program makes a resource: if the SDK names no place or our package, the first caller in the program's own files. */
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
