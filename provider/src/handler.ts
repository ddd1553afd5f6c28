// What the engine requires by name, from the text in `resources/provider-reference.ts`: a public contract. States of
// every released version hold that text, so `handler(type)` must keep answering to it.
import type { dynamic } from '@pulumi/pulumi';
import { ApiClient } from './api/client';
import type { ClientSettings } from './api/settings';
import { toHostError } from './lifecycle/host-error';
import type { AnyLifecycle } from './lifecycle/lifecycle';
import { PROVIDER_KEY, withoutAbsent } from './lifecycle/properties';
import { resolveSettings } from './lifecycle/settings';
import { lifecycles } from './resources/registry';
import { providerReference, type ResourceType } from './resources/provider-reference';
import { ProcessLedger } from './settle/ledger';
import type { Tools } from './settle/tools';

/** One run of the engine: its host keeps one process, and all resources share settings, client and ledger. */
let stackConfig: (key: string) => string | undefined = () => undefined;
let current: { readonly fingerprint: string; readonly client: ApiClient } | undefined;
const warned = new Set<string>();

function warnOnce(line: string): void {
  if (warned.has(line)) return;
  warned.add(line);
  console.warn(line);
}

const tools: Tools = {
  ledger: new ProcessLedger(),
  warn: warnOnce,
  /** Settings are read at call time: check and diff need none, and a missing key fails the first operation only. */
  get client() {
    const settings = resolveSettings({ config: stackConfig, environment: process.env });
    const fingerprint = JSON.stringify(settings);
    if (current?.fingerprint !== fingerprint) current = { fingerprint, client: newClient(settings) };
    return current.client;
  },
};

const newClient = (settings: ClientSettings): ApiClient => new ApiClient(settings);

/** The provider of a resource type, as the engine's host for dynamic resources calls it. */
export function handler(type: ResourceType): dynamic.ResourceProvider<object, object> {
  const lifecycle: AnyLifecycle = lifecycles[type](() => tools);
  return {
    // The host does not wait for this before other calls arrive: store synchronously, validate at each call.
    configure: ({ config }) => {
      stackConfig = (key) => config.get(key);
      return Promise.resolve();
    },
    check: (olds, news) => guarded(type, () => check(lifecycle, olds, news)),
    diff: (id, olds, news) => guarded(type, () => lifecycle.diff(id, olds, news)),
    create: (inputs) =>
      guarded(type, async () => {
        const { id, state } = await lifecycle.create(inputs);
        return { id, outs: withoutAbsent(state) };
      }),
    read: (id, prior) => guarded(type, () => read(lifecycle, id, prior ?? {})),
    update: (id, olds, news) =>
      guarded(type, async () => ({ outs: withoutAbsent(await lifecycle.update(id, olds, news)) })),
    delete: (id, olds) => guarded(type, () => lifecycle.delete(id, olds)),
  };
}

function check(lifecycle: AnyLifecycle, olds: object, news: object): dynamic.CheckResult<object> {
  const { inputs, failures, warnings } = lifecycle.check(olds, news);
  warnings.forEach(warnOnce);
  // With a property named the CLI prints that property's value, secrets in clear: the reason says the path instead.
  return { inputs, failures: failures.map((reason) => ({ property: '', reason })) };
}

async function read(lifecycle: AnyLifecycle, id: string, prior: object): Promise<dynamic.ReadResult<object>> {
  const found = await lifecycle.read(id, prior);
  if (found === undefined) return { id: '', props: {} };
  return { id: found.id, props: withoutAbsent(found.state), inputs: withoutAbsent({ ...found.inputs }) };
}

/** Lets only clean errors out to the host: see {@link toHostError}. */
async function guarded<T>(type: ResourceType, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toHostError(error, { [PROVIDER_KEY]: providerReference(type) });
  }
}
