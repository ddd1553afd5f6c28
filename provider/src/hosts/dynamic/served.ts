import type { dynamic } from '@pulumi/pulumi';
import { type Properties, PROVIDER_KEY, SECRET_INPUTS_KEY, withoutAbsent } from '../../fields/field';
import { toHostError } from '../../errors/host-error';
import { isPartialFailure, PartialFailure } from '../../errors/partial-failure';
import type { AnyLifecycle } from '../../resources/lifecycle';
import { providerReference, type ResourceType } from '../../resources/provider-reference';
import { registry } from '../../resources/registry';
import { printableByEngine } from '../../values/printable';
import { type HostRun, isLiveAsDeclared } from '../run';

/** A lifecycle in the form that the host calls. Only clean errors leave it, and no absent values: see {@link toHostError}. */
export function served(type: ResourceType, run: HostRun): Required<dynamic.ResourceProvider<object, object>> {
  const lifecycle = registry[type].lifecycle(() => run);
  const { fields } = registry[type].shape();
  // Partial failures must carry it into state.
  const reference = providerReference(type);
  const guarded = async <T>(work: () => T | Promise<T>): Promise<T> => {
    try {
      await run.joined;
      return await work();
    } catch (error) {
      const voice = { advice: run.keyAdvice, conceal: run.marked.conceal };
      throw toHostError(withoutSecretMark(error, run), { [PROVIDER_KEY]: reference }, voice);
    }
  };
  /** An operation on a resource in state, where nothing is marked. */
  const unsaid = <T>(bags: { olds: object; news?: object }, work: () => Promise<T>): Promise<T> =>
    run.marked.whileConcealing(fields, bags, () => guarded(work));
  return {
    // The host does not wait for this before other calls arrive. So store synchronously, and validate at each call.
    configure: ({ config }) => {
      // A secret that the program leaves out arrives as null.
      run.configure((key) => config.get(key) ?? undefined);
      return Promise.resolve();
    },
    check: (olds, news) => guarded(() => check({ lifecycle, type, run }, olds, news)),
    diff: (id, olds, news) =>
      guarded(() => {
        const outcome = lifecycle.diff(id, olds, news, run.declaredDiffs.use(reference, news));
        return { ...outcome, changes: outcome.changes || isOfOtherHost(olds, news) };
      }),
    create: (inputs) =>
      guarded(async () => {
        const isOnlyOne = run.declaredDiffs.isOnlyCreate(reference, inputs);
        const { id, state } = await lifecycle.create(inputs, isOnlyOne ? type : undefined);
        return { id, outs: withoutAbsent(state) };
      }),
    read: (id, prior = {}) => unsaid({ olds: prior }, () => read(lifecycle, id, prior)),
    update: (id, olds, news) =>
      unsaid({ olds, news }, async () => {
        if (!isOfOtherHost(olds, news))
          return { outs: withoutAbsent(await lifecycle.update(id, olds, news)) };
        const state = isLiveAsDeclared(fields, olds, news)
          ? olds
          : await moved(id, olds, () => lifecycle.update(id, olds, news));
        return { outs: withoutAbsent(state) };
      }),
    delete: (id, olds) => unsaid({ olds }, () => lifecycle.delete(id, olds)),
  };
}

/** The mark of a partial failure repeats inputs, and the engine would store those that are secret in clear. */
function withoutSecretMark(error: unknown, { marked }: HostRun): unknown {
  if (!isPartialFailure(error) || !('unsettledInputs' in error.state)) return error;
  const { id, reasons } = error;
  const { unsettledInputs, ...state } = error.state as { readonly unsettledInputs: Properties };
  const open = Object.entries(unsettledInputs).filter(([, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return marked.conceal(text) === text;
  });
  return new PartialFailure({ id, reasons, state: { ...state, unsettledInputs: Object.fromEntries(open) } });
}

/** Whether the plugin served it last: the outputs, in which a destroy finds the handler, must be written once more. */
const isOfOtherHost = (olds: object, news: object): boolean =>
  PROVIDER_KEY in news && !(PROVIDER_KEY in olds);

/** Even if the update fails, the handler must get into state. */
async function moved(id: string, olds: object, update: () => Promise<object>): Promise<object> {
  try {
    return await update();
  } catch (error) {
    if (isPartialFailure(error)) throw error;
    throw new PartialFailure({ id, state: olds, reasons: [toHostError(error, {}).message] });
  }
}

function check(
  { lifecycle, type, run }: { lifecycle: AnyLifecycle; type: ResourceType; run: HostRun },
  olds: object,
  given: object,
): dynamic.CheckResult<object> {
  const { [SECRET_INPUTS_KEY]: secrets = [], ...news } = given as Properties;
  const { inputs, failures, warnings } = lifecycle.check(olds, news);
  // A message can tell what is sent in no other form than that of the inputs.
  const bags: readonly Properties[] = failures.length > 0 ? [news, inputs] : [inputs];
  for (const name of secrets as readonly string[]) for (const bag of bags) run.marked.note(bag[name]);
  for (const line of warnings) run.warn(`${subjectOf(type, news)}: ${line}`);
  if (failures.length === 0) run.declaredDiffs.noteCheck(providerReference(type), { olds, inputs });
  // The reason contains the path. If the failure named the property, the CLI would print its value, even a secret one in clear.
  return {
    inputs,
    failures: failures.map((reason) => ({
      property: '',
      reason: printableByEngine(run.marked.concealFailure(reason)),
    })),
  };
}

/** The engine shows a warning under the stack, and does not tell this host which resource it checks. */
function subjectOf(type: ResourceType, inputs: object): string {
  const ids = Object.entries(inputs).flatMap(([name, value]: [string, unknown]) =>
    name.endsWith('Id') && typeof value === 'string' && ID.test(value) ? [value] : [],
  );
  return ids.length === 0 ? type : `${type} of ${ids.join(', ')}`;
}

/** Not the text that the engine sends for an unknown value. */
const ID = /^[a-z]+_[\w-]{1,128}$/;

async function read(lifecycle: AnyLifecycle, id: string, prior: object): Promise<dynamic.ReadResult<object>> {
  // All that is known at a look-up by an id.
  const { [PROVIDER_KEY]: _reference, ...state } = prior as Properties;
  const live = await lifecycle.read(id, state);
  if (live === undefined) return { id: '', props: {} };
  return { id: live.id, props: withoutAbsent(live.state), inputs: withoutAbsent({ ...live.inputs }) };
}
