// The other stacks of a project: what they manage is in no state of the own stack, and must not look made by hand.
import { shortName } from './pulumi-cli';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { safeText } from '../command/text';
import {
  nameOfUrn,
  parseDeployment,
  type StateResource,
  withoutEnvelopes,
  isManaged,
  managersOf,
  shortType,
} from './deployment';
import type { Stack } from './stack';

export interface Siblings {
  /** The names of those that were read. */
  readonly stacks: readonly string[];
  /** By the key of the live object; see `liveKey`. */
  readonly managers: ReadonlyMap<string, { readonly stack: string; readonly resource: StateResource }>;
  /** Why some cannot be read, each with its name. */
  readonly unread: readonly string[];
  /** Those with operations of an interrupted run: what these created is in no state yet. */
  readonly pending: readonly string[];
}

export const NO_SIBLINGS: Siblings = { stacks: [], managers: new Map(), unread: [], pending: [] };

const AT_ONCE = 4;

/** Reads the states of the other stacks of the project, without their secrets. Other projects and backends stay unseen. */
export async function readSiblings(own: Stack, compared: readonly string[]): Promise<Siblings> {
  const known = new Set(compared.map(shortName));
  const listed = await own.cli.stacks();
  if (!listed)
    return { ...NO_SIBLINGS, unread: ['the stacks of the project, which "pulumi stack ls" does not list'] };
  const names = listed.map(({ name }) => name).filter((name) => !known.has(shortName(name)));
  const read: (readonly [string, readonly StateResource[], boolean] | string)[] = [];
  for (let at = 0; at < names.length; at += AT_ONCE)
    read.push(...(await Promise.all(names.slice(at, at + AT_ONCE).map((name) => readSibling(own, name)))));
  const states = read.filter((each) => typeof each !== 'string');
  const managers = states.flatMap(([stack, resources]) =>
    [...managersOf({ resources })].map(([key, resource]) => [key, { stack, resource }] as const),
  );
  return {
    stacks: states.map(([name]) => name),
    managers: new Map(managers),
    unread: read.filter((each) => typeof each === 'string'),
    pending: states.filter(([, , isPending]) => isPending).map(([name]) => name),
  };
}

/** Its resources and whether operations are pending, or why it cannot be read. */
async function readSibling(own: Stack, name: string) {
  try {
    const { resources, pendingOperations } = parseDeployment(await own.named(name).exportText());
    const hidden = resources.find(hidesIds);
    if (hidden) return `${safeText(name)}: it keeps the ids of ${safeText(nameOfUrn(hidden.urn))} secret`;
    return [name, resources, pendingOperations.length > 0] as const;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return `${safeText(name)}: ${safeText(error.message, 300)}`;
  }
}

const hidesIds = (resource: StateResource): boolean =>
  isManaged(resource) &&
  shortType(resource.type) === 'IpPolicyRuleSet' &&
  resource.outputs?.['ruleIdList'] !== undefined &&
  typeof withoutEnvelopes(resource.outputs['ruleIdList']) !== 'string';

/** For readers of an answer that depends on all stacks. */
export const siblingsNote = ({ unread }: Siblings): string =>
  unread.length === 0
    ? ''
    : `These stacks of the project cannot be read, and their rules look as if made by hand:\n${unread.map((each) => `  ${each}\n`).join('')}`;

export const UNSEEN = 'Stacks of other projects and backends are not seen.';
