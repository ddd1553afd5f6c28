// What for: the command `drift`: compares the live service with the state.
// Must not know: `import`, and how a difference is judged: it becomes a change, and the review judges that.
import { COMMAND_LINE } from 'pulumi-edge-policy/internal/errors/words';
import { Command } from 'commander';
import { printableJson } from 'pulumi-edge-policy/internal/values/printable';
import {
  choice,
  each,
  locationOf,
  withCommonOptions,
  type CommonOptions,
  type Location,
} from '../command/arguments';
import { type CommandContext, EXIT, hasColours, type CliContext } from '../command/context';
import { withAssumptionOptions, assumptionsOf } from '../judge/assumption-options';
import type { Judge, Case } from '../judge/judge-case';
import { NotDecidable, readLiveStack, type ReadResource, requireSettled } from './read-live-stack';
import { findFeedsFolder } from 'pulumi-edge-policy/internal/feeds/feed-files';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { NO_SIBLINGS, readSiblings, type Siblings, siblingsNote } from '../pulumi/siblings';
import { readConfig, requireStack, stackNameOf } from '../pulumi/stack';
import { count, safeText } from '../command/text';
import type { ServiceRule } from 'pulumi-edge-policy/internal/rule/rule';
import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import { readFeeds } from '../review/feeds';
import { readAssertions } from '../judge/review-files';
import { ASSERTIONS_TYPE, type Assumptions, CORPUS, isProviderType } from 'pulumi-edge-policy-review';
import { differencesOf } from './differences';
import {
  keepsSecret,
  SHOWN_SECRET,
  type StateResource,
  withSecretsHidden,
  isOwn,
} from '../pulumi/deployment';

const HELP = `
Examples:
  $ ${COMMAND_LINE} drift
  $ ${COMMAND_LINE} drift --stack prod --format markdown > drift.md
  $ ${COMMAND_LINE} drift --stack prod --also-managed-by acme/other/prod --json

Reads the state and the service, and writes neither. Exit codes: 0 no drift, 1 drift, 2 not decidable (the service does not
respond, the key may belong to another account, or a run has left something unsettled), 3 nothing was compared (wrong usage or settings).`;

export const driftCommand = (context: CommandContext, judge: Judge): Command =>
  withAssumptionOptions(
    withCommonOptions(
      new Command('drift').description(
        'list how the service differs from the state, and who gets in because of that',
      ),
    )
      .addOption(choice('--format <name>', 'what to print', ['markdown', 'text']).default('text'))
      .option('--also-managed-by <stack...>', 'other stacks that manage rules of the same policies')
      .option(
        '--assertions <file>',
        'assertions and waivers for the live state (repeatable; default: as for review)',
        each(String),
      )
      .option('--feeds <folder>', 'the folder of the published networks that assertions name'),
  )
    .addHelpText('after', HELP)
    .action(async (options: DriftOptions) => {
      const where = locationOf(options, context.workingDirectory);
      try {
        const drift = await findDrift(options, where, context);
        const format = options.json ? 'json' : options.format;
        const { exitCode, texts } = judge({
          ...drift,
          renderings: [{ format, hasColours: hasColours(context) }],
        });
        context.print(texts.join(''));
        context.end(exitCode);
      } catch (error) {
        if (!(error instanceof NotDecidable)) throw error;
        context.note(`Not decidable: ${error.message}\n`);
        if (options.json) context.print(printableJson({ formatVersion: 1, notDecidable: error.message }));
        context.end(EXIT.notDecidable);
      }
    });

interface DriftOptions extends CommonOptions, Partial<Assumptions> {
  readonly format: 'markdown' | 'text';
  /** Other stacks that manage rules of the same policies. */
  readonly alsoManagedBy?: readonly string[];
  readonly assertions?: readonly string[];
  readonly feeds?: string;
}

/** Reads a stack's state and its live objects: the difference is to be judged as a change. @throws NotDecidable or UserError. */
async function findDrift(
  options: DriftOptions,
  where: Location,
  context: CliContext,
): Promise<Omit<Case, 'renderings'>> {
  // Live objects are not a change by an author, so feeds and assertions are their own base.
  const folder = options.feeds ?? findFeedsFolder(where.cwd);
  const feeds = folder && (await readFeeds({ feeds: folder, baseFeeds: folder }, where.cwd, context));
  const assertions = await readAssertions(options.assertions ?? [], where.cwd, () =>
    stackNameOf(where, context),
  );
  const assumptions = assumptionsOf(options);
  const stack = requireStack(context, where);
  const deployment = await stack.deployment();
  requireSettled(deployment);
  if (deployment.resources.length === 0)
    throw new UserError('The stack holds nothing yet: run "pulumi up" first. Nothing was compared.');
  const others = await Promise.all(
    (options.alsoManagedBy ?? []).map((name) =>
      requireStack(context, { ...where, stack: name }).deployment(),
    ),
  );
  const reading = await readConfig(context, where);
  const live = await readLiveStack({ deployment, reading, context, others });
  const { resources: read, unmanaged: foreign } = live;
  const compared = async () => [await stack.name(), ...(options.alsoManagedBy ?? [])];
  const siblings = foreign.length === 0 ? NO_SIBLINGS : await readSiblings(stack, await compared());
  const unmanaged = withoutSiblings(foreign, siblings, context);
  const items = read.flatMap(differencesOf);
  const changedUrns = new Set(items.map(({ urn }) => urn));
  const byUrn = new Map(read.map((each) => [each.resource.urn, each]));
  const steps = deployment.resources.map((each) =>
    stepOf(each, byUrn.get(each.urn), changedUrns.has(each.urn)),
  );
  const guards = { assertions, base: { assertions }, ...(feeds && { feeds }) };
  return {
    preview: JSON.stringify({ steps, changeSummary: {} }),
    drift: { items, unmanaged },
    guards,
    asked: { noNewAccess: false, failOn: 'low', models: assumptions },
    ignoresGate: true,
    assumptions,
    corpus: CORPUS,
    request: { now: new Date(context.clock.epochMs()).toISOString(), ...(feeds && { feeds }) },
  };
}

/** The rules that none of the other stacks of the project manages; the others are named. */
function withoutSiblings(rules: readonly ServiceRule[], siblings: Siblings, { note }: CliContext) {
  note(siblingsNote(siblings));
  const ofSiblings = rules.flatMap(({ id }) => siblings.managers.get(id)?.stack ?? []);
  for (const [name, own] of grouped(ofSiblings, (each) => each))
    note(`Not reported: ${count(own.length, 'rule')} by stack ${safeText(name)} of this project.\n`);
  return rules.filter(({ id }) => !siblings.managers.has(id));
}

/** A resource as a preview shows its change, from what is known to what is live. Equal values are the same, secret or not. */
function stepOf(resource: StateResource, read: ReadResource | undefined, isChanged: boolean): object {
  const { urn, type } = resource;
  const isRead = isOwn(resource) || type === ASSERTIONS_TYPE || isProviderType(type);
  const state = isRead ? withSecretsHidden(resource) : { urn, type };
  // What is only looked up was live before, too: it is no gain that the service still has it.
  const op = resource.external === true ? 'read' : 'same';
  if (!read || !isChanged) return { op, urn, oldState: state, newState: state };
  const oldState = withValues(resource, read.known);
  if (read.live) return { op: 'update', urn, oldState, newState: withValues(resource, read.live) };
  // It is gone, whatever the engine would do with it.
  return { op: 'delete', urn, oldState: { ...oldState, retainOnDelete: false, deletedWith: undefined } };
}

/** A resource with other outputs; values that were secret in state stay so. */
function withValues(resource: StateResource, outputs: Readonly<Record<string, unknown>>): object {
  const shown = Object.entries(outputs).map(([name, value]) => [
    name,
    keepsSecret(resource, name) ? SHOWN_SECRET : value,
  ]);
  const { __provider, ...inputs } = withSecretsHidden(resource.inputs ?? {}) as Record<string, unknown>;
  // The program's inputs say nothing about the live object.
  const declared = Object.fromEntries(
    Object.keys(inputs).map((name) => [name, keepsSecret(resource, name) ? SHOWN_SECRET : outputs[name]]),
  );
  return {
    ...(withSecretsHidden(resource) as object),
    inputs: { ...declared, ...(__provider !== undefined && { __provider }) },
    outputs: Object.fromEntries(shown) as object,
  };
}
