import { existsSync, readFileSync } from 'node:fs';

/** One line of the engine's event log, reduced to what the tests use. */
export interface EngineEvent {
  readonly sequence: number;
  readonly resourcePreEvent?: { readonly metadata: StepMetadata };
  readonly resOutputsEvent?: { readonly metadata: StepMetadata };
  readonly diagnosticEvent?: { readonly urn?: string; readonly message: string; readonly severity: Severity };
}

type Severity = 'debug' | 'info' | 'info#err' | 'warning' | 'error';

/** A step of the engine on one resource. */
export interface StepMetadata {
  readonly op: string;
  readonly urn: string;
  readonly type: string;
  readonly old: StepState | null;
  readonly new: StepState | null;
}

interface StepState {
  readonly id: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** The events of a run; a line cut short by a kill is omitted. */
export const readEvents = (eventLogFile: string): EngineEvent[] => {
  if (!existsSync(eventLogFile)) return [];
  const text = readFileSync(eventLogFile, 'utf8');
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as EngineEvent);
};
