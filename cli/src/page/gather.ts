import { MODULE_PARENTS, type ModuleParent } from 'pulumi-edge-policy/internal/resources/module-kind';
import { isModuleType, liveKey } from 'pulumi-edge-policy/internal/resources/provider-reference';
import { ruleFields } from 'pulumi-edge-policy/internal/rule/rule';
import { readDeclaration } from 'pulumi-edge-policy/internal/rule-set/declared-rules';
import { hasOpenFields, parseRules, readRuleLines } from 'pulumi-edge-policy/internal/rule-set/rules-text';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import {
  accessesAt,
  against,
  type Assumptions,
  contentFields,
  CORPUS,
  identityFields,
  modulePlaces,
  readPreviewDocument,
  type ReviewedResource,
  type RouteAccess,
  type Snapshot,
  snapshotOf,
  sourceOf,
  type StackChange,
  type SubjectAccess,
} from 'pulumi-edge-policy-review';
import type { Location } from '../command/arguments';
import type { CliContext } from '../command/context';
import {
  hiddenAs,
  localPreview,
  requireOneSource,
  resourcesOfState,
  snapshotsOfPreview,
} from '../explain/sources';
import { objectsIn, requireKnown, stackAccount } from '../pulumi/accounts';
import { nameOfUrn, type StateResource, managersOf } from '../pulumi/deployment';
import { nameOfStack, type PastOptions, readPast } from '../pulumi/recorded-state';
import { readConfig, requireStack } from '../pulumi/stack';
import { resourcesOfService, withClient } from '../pulumi/live-objects';
import { readSiblings, type Siblings, siblingsNote } from '../pulumi/siblings';
import type { Made, PageContent, Proof, Shift, When } from './page-data';

interface PageSource {
  readonly cwd: string;
  readonly stacks: readonly (string | undefined)[];
  readonly preview: string | undefined;
  readonly live: true | undefined;
  readonly past: PastOptions;
  readonly assumptions: Assumptions;
}

interface Gathered {
  readonly stacks: Made['stacks'];
  readonly sides: readonly { readonly when: When; readonly resources: readonly ReviewedResource[] }[];
  readonly change?: StackChange;
}

/** Reads the sides, and proves what the page cannot. @throws UserError if a source cannot be read. */
export async function gather(
  source: PageSource,
  context: CliContext,
): Promise<Omit<PageContent, 'made'> & { readonly made: Omit<Made, 'commit'> }> {
  const { preview, live, past, assumptions } = source;
  requireOneSource({ preview, live, ...past });
  const isPast = (past.state ?? past.at) !== undefined;
  const kind = preview !== undefined ? 'preview' : live ? 'live' : isPast ? 'past' : 'state';
  const { stacks, sides, change } = await GATHERED_FROM[kind](source, context);
  const snapshots = sides.map(({ when, resources }) => change?.[sideIn(when)] ?? snapshotOf(resources));
  const [before, after] = snapshots;
  const compared = change ?? (before && after && { changes: [], before, after });
  return {
    made: { at: new Date(context.clock.epochMs()).toISOString(), source: kind, stacks },
    assumptions,
    sides: sides.map((side, at) => ({
      ...side,
      proofs: proofsOf(snapshots[at] ?? snapshotOf([]), assumptions),
    })),
    ...(change && { changes: change.changes }),
    shifts: compared ? accesses(compared, assumptions).map(shiftOf) : [],
  };
}

const GATHERED_FROM: Readonly<
  Record<Made['source'], (source: PageSource, context: CliContext) => Promise<Gathered>>
> = { preview: gatherPreview, live: gatherLive, past: gatherPast, state: gatherStates };

const sideIn = (when: When): 'before' | 'after' => (when === 'before' ? 'before' : 'after');

function gatherPreview({ preview: file = '', stacks, cwd }: PageSource): Promise<Gathered> {
  if (stacks.some((stack) => stack !== undefined))
    throw new UserError('A preview already names its stack: give --preview without --stack.');
  const text = localPreview(file, cwd);
  const change = snapshotsOfPreview(text);
  const { stack = 'unknown', project } = readPreviewDocument(text);
  const changes = change.changes.map(withPublicInputs);
  const side = (when: 'before' | 'after') => ({
    when,
    resources: changes.flatMap((each) => each[when] ?? []),
  });
  return Promise.resolve({
    stacks: [{ name: project === undefined ? stack : `${project}/${stack}` }],
    sides: [side('before'), side('after')],
    change: { ...change, changes },
  });
}

async function gatherStates(source: PageSource, context: CliContext): Promise<Gathered> {
  const read = await readStates(source, context);
  const resources = read.flatMap(({ state }) => resourcesOfState(state).map(withPublicInputsOnly));
  return { stacks: read.map(({ shown }) => shown), sides: [{ when: 'now', resources }] };
}

/** A state of the past, in which what it holds counted: only an `up` ends a rule. */
async function gatherPast({ cwd, stacks, past }: PageSource, context: CliContext): Promise<Gathered> {
  const [stack, second] = stacks;
  if (second !== undefined)
    throw new UserError('A state of the past is that of one stack: give one --stack.');
  const { deployment, doubts, gaps } = await readPast(past, { cwd, stack }, context);
  const { time } = deployment.manifest;
  const resources = resourcesOfState(deployment).map(withPublicInputsOnly).map(withoutEnds);
  const name = [nameOfStack(deployment), ...doubts, ...gaps].join('; ');
  return { stacks: [{ name, ...(time !== '' && { stateTime: time }) }], sides: [{ when: 'now', resources }] };
}

const withoutEnds = (resource: ReviewedResource): ReviewedResource =>
  withInputsAs(resource, (inputs) => {
    const { rules: text } = inputs;
    if (typeof text !== 'string' || !readRuleLines(text) || hasOpenFields(text)) return inputs;
    const lasting = parseRules(text).map(({ until: _until, ...rule }) => rule);
    return { ...inputs, rules: readDeclaration(lasting).value ?? text };
  });

/** A resource with other inputs, also in the place of those that it may have. */
function withInputsAs(
  resource: ReviewedResource,
  made: (inputs: ReviewedResource['inputs']) => ReviewedResource['inputs'],
): ReviewedResource {
  const { inputs, alternative } = resource;
  return { ...resource, inputs: made(inputs), ...(alternative && { alternative: made(alternative) }) };
}

async function readStates({ cwd, stacks, live }: PageSource, context: CliContext) {
  const read = [];
  for (const name of stacks) {
    const stack = requireStack(context, { cwd, stack: name });
    // To find what is live, all ids are needed, even if a stack keeps them secret.
    const state = await stack.deployment({ showsSecrets: live === true });
    const { time } = state.manifest;
    read.push({ state, shown: { name: await stack.name(), ...(time !== '' && { stateTime: time }) } });
  }
  return read;
}

/**
 * The state and the service; what the state keeps secret is hidden in both.
 *
 * @throws UserError if the key may belong to another account than what is declared, all of which would seem to be gone.
 */
async function gatherLive(source: PageSource, context: CliContext): Promise<Gathered> {
  const read = await readStates(source, context);
  const declared = read.flatMap(({ state }) => resourcesOfState(state).map(withPublicInputsOnly));
  const where: Location = { cwd: source.cwd, stack: source.stacks[0] };
  const from = { deployment: undefined, reading: await readConfig(context, where), context };
  const { settings, mark } = stackAccount('', from);
  const objects = read.flatMap(({ state }) => objectsIn(state.resources));
  const places = modulePlaces(snapshotOf(declared));
  const liveResources = await withClient(context, settings, async (client) => {
    await requireKnown({ client, mark, objects });
    return resourcesOfService(client, places);
  });
  const stacks = read.map(({ shown }) => shown);
  const names = stacks.map(({ name }) => name);
  const siblings = await readSiblings(requireStack(context, where), names);
  context.note(siblingsNote(siblings));
  const managers = new Map(read.flatMap(({ state }) => [...managersOf(state)]));
  return {
    stacks,
    sides: [
      { when: 'state', resources: declared },
      { when: 'live', resources: liveResources.map((resource) => asManaged(resource, managers, siblings)) },
    ],
  };
}

/** A live object with the name and the place of its resource, without what the resource keeps secret. */
function asManaged(
  live: ReviewedResource,
  own: ReadonlyMap<string, StateResource>,
  siblings: Siblings,
): ReviewedResource {
  const key = liveKey(live.origin.type, live.origin.urn);
  const sibling = own.has(key) ? undefined : siblings.managers.get(key);
  const managers = sibling ? new Map([[key, sibling.resource]]) : own;
  const { origin, inputs } = withPublicInputsOnly(hiddenAs(live, managers));
  const manager = managers.get(key);
  const name = manager && `${nameOfUrn(manager.urn)}${sibling ? ` by stack ${sibling.stack}` : ''}`;
  const source = manager && sourceOf(manager);
  const { createdAt } = live.inputs;
  return manager
    ? { origin: { ...origin, name: name ?? '', ...(source && { source }) }, inputs, outputs: {} }
    : { origin, inputs: { ...inputs, ...(createdAt !== undefined && { createdAt }) }, outputs: {} };
}

function withPublicInputs(change: StackChange['changes'][number]): StackChange['changes'][number] {
  const before = change.before && withPublicInputsOnly(change.before);
  // One object on both sides stays one.
  const after = change.after === change.before ? before : change.after && withPublicInputsOnly(change.after);
  return { ...change, ...(before && { before }), ...(after && { after }) };
}

const isPublic: (type: ReviewedResource['origin']['type'], name: string) => boolean = (type, name) =>
  isModuleType(type)
    ? identityFields(type).includes(name) || contentFields(type).some(([field]) => field === name)
    : name in ruleFields || name === 'rules' || name === 'exclusive';

/** A resource with the inputs that decide who gets in or say why, and nothing else of what a state holds. */
const withPublicInputsOnly = ({ origin, inputs, doubt, alternative }: ReviewedResource): ReviewedResource =>
  withInputsAs(
    { origin, inputs, outputs: {}, ...(doubt && { doubt }), ...(alternative && { alternative }) },
    (all) => Object.fromEntries(Object.entries(all).filter(([name]) => isPublic(origin.type, name))),
  );

const accesses = (change: StackChange, assumptions: Assumptions): SubjectAccess[] =>
  (Object.keys(MODULE_PARENTS) as ModuleParent[]).flatMap((parent) =>
    accessesAt(parent, change, { assumptions, corpus: CORPUS }),
  );

const proofsOf = (snapshot: Snapshot, assumptions: Assumptions): Proof[] =>
  accesses(against(snapshot), assumptions).map((access): Proof => {
    const { kind, subject, doubts } = access;
    if (access.of === 'addresses') return { of: 'addresses', kind, subject, doubts, ...access.after };
    // Each kind of module that decides about user agents tells this.
    const { letsEverybodyIn, letsNobodyIn } = (access as RouteAccess).after;
    return {
      ...{ of: 'user-agents', kind, subject, doubts },
      ...(letsEverybodyIn !== undefined && { letsEverybodyIn }),
      ...(letsNobodyIn !== undefined && { letsNobodyIn }),
    };
  });

function shiftOf(access: SubjectAccess): Shift {
  const { kind, subject, doubts } = access;
  return access.of === 'addresses'
    ? { of: 'addresses', kind, subject, doubts, gained: access.gained, lost: access.lost }
    : { of: 'user-agents', kind, subject, doubts, gained: access.gained, lost: access.lost };
}
