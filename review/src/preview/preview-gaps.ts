import { stripVTControlCharacters } from 'node:util';
import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { count, foreign, list, say, type Sentence, trusted } from '../text/sentence';
import { asArray, asObject, asString, isObject, type JsonObject } from './json-reading';
import type { PreviewStep, StepState } from './preview-step';
import { fatesOf, isOperation, isPartOfReplacement, isRefreshOnly } from './fate';
import { contestedSubjects } from './services';
import {
  ASSERTIONS_TYPE,
  hostOfToken,
  isUrn,
  parseUrn,
  providerReference,
  type ResourceType,
  resourceTypeOf,
} from './resource-type';

/** Why a preview does not show the whole change, so that nothing may be concluded from it, as a sentence. */
export type PreviewGap = Sentence;

/** One gap that names all, each once and in order; none without a name. */
export function gapAbout(names: readonly string[], gap: (named: Sentence) => PreviewGap): PreviewGap[] {
  const all = [...new Set(names)].sort();
  return all.length === 0 ? [] : [gap(list(all.map(foreign)))];
}

export const gapsOf = (document: JsonObject, steps: readonly PreviewStep[]): PreviewGap[] => [
  ...failureOf(document),
  ...announcedGaps(document),
  ...(document['maybeCorrupt'] === true ? [CORRUPT] : []),
  ...listGaps(document['steps'], steps.length),
  ...operationGaps(steps),
  ...inputGaps(steps),
  ...fateGaps(steps),
  ...summaryGaps(document, steps),
  ...stackGaps(steps),
  ...codeGaps(steps),
  ...declarationGaps(steps),
];

/** The gap of a change that no review has judged. */
export const TOO_COMPLEX =
  'Not decided: too complex. Judging this change takes more time or memory than a review may.';

/** Declarations that cannot be judged, however complete the document is. */
export const declarationGaps = (steps: readonly PreviewStep[]): PreviewGap[] => [
  ...typeGaps(steps),
  ...contestedSubjects(steps)
    .slice(0, 1)
    .map((subject) => [CONTESTED, foreign(subject), '.']),
];

/** How the gap about an object with resources of two accounts begins. */
export const CONTESTED = 'Resources of several services or accounts manage ';

const failureOf = (document: JsonObject): PreviewGap[] =>
  messagesOf(document, 'error')
    .slice(0, 1)
    .map((message) => say`The preview failed: ${foreign(firstLines(message))}`);

/** What only messages of the engine show. */
const ANNOUNCED: readonly (readonly [severity: string, message: string, gap: PreviewGap])[] = [
  [
    'info',
    'State migration planned',
    trusted('The program rewrites the state (stateMigrations), so the preview does not show what it was.'),
  ],
  // A preview shows the replacement and warns; an `up` stops.
  [
    'warning',
    'previously-imported resources that still specify an ID may not be replaced',
    trusted(
      'The up stops at a resource that the program imports and would replace: remove its option import.',
    ),
  ],
];

const announcedGaps = (document: JsonObject): PreviewGap[] =>
  ANNOUNCED.flatMap(([severity, text, gap]) =>
    messagesOf(document, severity).some((message) => message.includes(text)) ? [gap] : [],
  );

const messagesOf = (document: JsonObject, severity: string): string[] =>
  asArray(document['diagnostics'])
    .map(asObject)
    .filter((diagnostic) => diagnostic?.['severity'] === severity)
    .map((diagnostic) => asString(diagnostic?.['message']) ?? '');

/** The first line of the CLI says that something failed, and the next one what. */
const firstLines = (message: string): string =>
  stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, 2)
    .join(' ');

/** The CLI omits `steps` if there are none, and the stack itself is one: a document without any is not a preview of it. */
function listGaps(list: unknown, readable: number): PreviewGap[] {
  if (!Array.isArray(list) || list.length === 0)
    return [trusted('The preview has no list of steps, so no resource can be judged.')];
  const unreadable = list.length - readable;
  return unreadable > 0 ? [say`The preview has ${count(unreadable, 'step')} that cannot be read.`] : [];
}

/** A step names its resource, and a state of ours has the type that the resource's URN names. */
export function isReadableStep(step: unknown): boolean {
  if (!isObject(step)) return false;
  const urn = asString(step['urn']) ?? '';
  if (!isUrn(urn)) return false;
  const named = resourceTypeOf(parseUrn(urn).type);
  return isOfType(step['oldState'], named) && isOfType(step['newState'], named);
}

/** An absent state has every type. */
function isOfType(state: unknown, named: ResourceType | undefined): boolean {
  if (state === undefined || state === null) return true;
  const type = asString(asObject(state)?.['type']);
  return type !== undefined && resourceTypeOf(type) === named;
}

function operationGaps(steps: readonly PreviewStep[]): PreviewGap[] {
  const unknown = new Set(steps.map((step) => step.op).filter((op) => !isOperation(op)));
  return [...unknown].sort().map((op) => say`The preview has the unknown operation ${foreign(op)}.`);
}

const NEEDED_SIDES: Readonly<Record<'old' | 'new', readonly string[]>> = {
  old: ['update', 'replace', 'delete', 'delete-replaced', 'refresh'],
  new: ['create', 'import', 'update', 'replace', 'create-replacement', 'import-replacement'],
};

const inputGaps = (steps: readonly PreviewStep[]): PreviewGap[] =>
  steps
    .filter((step) => resourceTypeOf(step.type) && isWithoutInputs(step))
    .slice(0, 1)
    .map(
      ({ op, urn }) => say`The preview does not show the inputs of ${foreign(urn.name)} (${foreign(op)}).`,
    );

function isWithoutInputs(step: PreviewStep): boolean {
  // A create that `--target` excludes appears as `same` without inputs on either side.
  if (step.op === 'same') return (step.old?.inputs === undefined) !== (step.new?.inputs === undefined);
  // Of a look-up that becomes managed, only its id is known.
  return (['old', 'new'] as const).some(
    (side) =>
      NEEDED_SIDES[side].includes(step.op) && !step[side]?.isExternal && step[side]?.inputs === undefined,
  );
}

/** Steps from which no run of the engine can be told: forged ones, or those of which others are missing. */
function fateGaps(steps: readonly PreviewStep[]): PreviewGap[] {
  const names = fatesOf(steps.filter(({ op }) => isOperation(op))).flatMap(({ urn, objects }) =>
    objects.some(({ fate, step }) => fate === 'contradictory' && resourceTypeOf(step.type))
      ? [parseUrn(urn).name]
      : [],
  );
  return gapAbout(names, (named) => say`The steps of ${named} do not show what the run leaves live.`);
}

/** Counted operations that the steps show under several names: with --show-replacement-steps one replacement has several steps. */
const SHOWN_AS: Readonly<Record<string, readonly string[]>> = {
  import: ['import', 'import-replacement'],
  replace: ['replace', 'create-replacement', 'delete-replaced', 'import-replacement'],
};

/** Unchanged resources are shown on request only, and reads change nothing. */
const MAY_BE_HIDDEN: ReadonlySet<string> = new Set(['same', 'read', 'refresh']);

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

/** The summary also counts omitted steps, which reveals an incomplete preview. */
function summaryGaps(document: JsonObject, steps: readonly PreviewStep[]): PreviewGap[] {
  const summary = document['changeSummary'] ?? {};
  if (!isObject(summary) || !Object.values(summary).every(isCount)) return [CORRUPT];
  const hidden = (op: string, shown: number) => {
    const promised = summary[op];
    return typeof promised === 'number' ? promised - shown : 0;
  };
  const counted = Object.keys(summary).filter((op) => !MAY_BE_HIDDEN.has(op));
  const changes = counted.flatMap((op): PreviewGap[] => {
    const names = SHOWN_AS[op] ?? [op];
    const shown = new Set(steps.filter((step) => names.includes(step.op)).map((step) => step.urn.text));
    const hiddenSteps = hidden(op, shown.size);
    return hiddenSteps > 0
      ? [
          say`The preview counts ${count(hiddenSteps, 'step')} of the operation ${foreign(op)} that it does not show.`,
        ]
      : [];
  });
  const isRefresh = isRefreshOnly(steps);
  const unchanged = steps.filter(({ op }) => op === (isRefresh ? 'refresh' : 'same')).length;
  const hiddenSteps = hidden('same', unchanged);
  // The CLI writes what a refresh found over its step, except for dynamic resources: then more steps seem unchanged than are.
  if (isRefresh && (hiddenSteps < 0 || changes.length > 0)) return [DRIFT_NOT_SHOWN];
  if (hiddenSteps <= 0) return changes;
  return [
    ...changes,
    say`The preview hides ${count(hiddenSteps, 'unchanged resource')} because it was made without --show-sames.`,
  ];
}

const CORRUPT = trusted(
  'The preview may be corrupt: the engine reports it, or the summary is not a list of counts.',
);
const DRIFT_NOT_SHOWN = trusted(
  `The refresh counts changes that its steps do not show because the default host has no details of them: run ${COMMAND_LINE} drift.`,
);

/** Our resources are served by a constant. Any other code may do anything, whatever the inputs are. */
function codeGaps(steps: readonly PreviewStep[]): PreviewGap[] {
  const isForeign = (state: StepState | undefined): boolean => {
    const type = state?.inputs && resourceTypeOf(state.type);
    const code = state?.inputs?.['__provider'];
    // Our code under a foreign type creates rules that are not reviewed here.
    if (!type) return typeof code === 'string' && OUR_CODE.test(code);
    return hostOfToken(state.type) !== 'native' && code !== providerReference(type);
  };
  return gapAbout(
    steps.filter((step) => isForeign(step.old) || isForeign(step.new)).map(({ urn }) => urn.name),
    (named) => say`Code from another package serves ${named}, so its effect is unknown.`,
  );
}

const OUR_CODE = /\bpulumi-edge-policy\b/;

/** A type with our prefix from a later version, or from others: no evaluator here knows what it does. */
function typeGaps(steps: readonly PreviewStep[]): PreviewGap[] {
  const isUnknown = (type: string): boolean =>
    OUR_TYPE.test(type) && !resourceTypeOf(type) && type !== ASSERTIONS_TYPE;
  return unknownTypes(steps.map(({ type }) => type).filter(isUnknown));
}

/** Resources of types that nothing here judges. */
export const unknownTypes = (types: readonly string[]): PreviewGap[] =>
  gapAbout(
    types,
    (named) => say`The preview has resources of types that this review does not know: ${named}.`,
  );

const OUR_TYPE = /^(?:pulumi-nodejs:dynamic\/)?edge-policy[:/]/;

function stackGaps(steps: readonly PreviewStep[]): PreviewGap[] {
  const stacks = new Set(steps.map(({ urn }) => `${urn.project}/${urn.stack}`));
  return stacks.size > 1
    ? [say`The preview shows resources of more than one stack: ${list([...stacks].sort().map(foreign))}.`]
    : [];
}

/** Whether a preview shows only one step of a replacement: then it hides what is deleted with it, and leftovers of earlier runs. */
export const hidesReplacementSteps = (steps: readonly PreviewStep[]): boolean =>
  steps.some(({ op }) => op === 'replace') && !steps.some(({ op }) => isPartOfReplacement(op));

export interface OtherResources {
  readonly all: number;
  readonly changed: number;
}

/** The stack itself, its providers and assertions give nobody access. */
const OWN_TYPE = /^(?:pulumi:pulumi:Stack$|pulumi:providers:|edge-policy:index:)/;
const SEES_ONLY = new Set(['refresh', 'read', 'read-replacement', 'discard']);

export function countOtherResources(steps: readonly PreviewStep[]): OtherResources {
  const all = new Set<string>();
  const changed = new Set<string>();
  for (const { op, type, urn } of steps) {
    if (resourceTypeOf(type) || OWN_TYPE.test(type) || SEES_ONLY.has(op)) continue;
    all.add(urn.text);
    if (op !== 'same') changed.add(urn.text);
  }
  return { all: all.size, changed: changed.size };
}
