// What the engine requires by name, from the text in `resources/provider-reference.ts`: a public contract. States of
// every released version hold that text, so `handler(type)` must keep answering to it.
import type { dynamic } from '@pulumi/pulumi';
import type * as clientModule from '../../api/client';
import type { ApiClient } from '../../api/client';
import type { ClientSettings } from '../../api/settings';
import { keyAdvice } from '../../lifecycle/key-advice';
import { stopWithEngine } from './engine-watch';
import { served } from './served';
import { resolveSettings } from '../../lifecycle/settings';
import { lifecycles } from '../../resources/registry';
import { providerReference, type ResourceType } from '../../resources/provider-reference';
import { ProcessLedger } from '../../settle/ledger';
import type { Tools } from '../../settle/tools';
import { printableByEngine } from '../../values/printable';

/** One run of the engine: its host keeps one process, and all resources share settings, client and ledger. */
let stackConfig: (key: string) => string | undefined = () => undefined;
let current: { readonly fingerprint: string; readonly client: ApiClient } | undefined;
let isReconfigured = false;
const warned = new Set<string>();

// The host loads this file with the first call for one of our resources, and keeps it.
stopWithEngine();

function warnOnce(line: string): void {
  if (warned.has(line)) return;
  warned.add(line);
  // eslint-disable-next-line no-console -- shown by the CLI under the stack
  console.warn(printableByEngine(line));
}

const tools: Tools = {
  ledger: new ProcessLedger(),
  warn: warnOnce,
  /**
   * Settings are read when the first request is due: check and diff need none, and a missing key fails operations only. Each
   * type of resource configures the process, mostly alike, and a set asks for the client once per rule.
   */
  get client() {
    if (current !== undefined && !isReconfigured) return current.client;
    const settings = resolveSettings({ config: stackConfig, environment: process.env });
    const fingerprint = JSON.stringify(settings);
    if (current?.fingerprint !== fingerprint) current = { fingerprint, client: newClient(settings) };
    isReconfigured = false;
    return current.client;
  },
};

/** Loads the client with the first request: a preview that sends none has none. */
const newClient = (settings: ClientSettings): ApiClient => {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it with this file
  const { ApiClient: Client } = require('../../api/client') as typeof clientModule;
  return new Client(settings);
};

/** The provider of a resource type, as the engine's host for dynamic resources calls it. */
export const handler = (type: ResourceType): dynamic.ResourceProvider<object, object> =>
  served({
    lifecycle: lifecycles[type](() => tools),
    reference: providerReference(type),
    configure: (config) => {
      stackConfig = config;
      isReconfigured = true;
    },
    warn: warnOnce,
    keyAdvice: () => keyAdvice({ config: stackConfig, environment: process.env }),
  });
