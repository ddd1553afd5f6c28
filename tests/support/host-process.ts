import { ApiClient, type ClientSettings, type ClientEnvironment } from '../../provider/src/api/client';
import { importByCommandLine } from '../../provider/src/errors/words';
import { PROVIDER_KEY } from '../../provider/src/fields/field';
import { served } from '../../provider/src/hosts/dynamic/served';
import { MarkedValues } from '../../provider/src/hosts/marked-values';
import { DeclaredDiffs, type HostRun } from '../../provider/src/hosts/run';
import { type Host, type ResourceType } from '../../provider/src/resources/provider-reference';
import type { KeyInUse } from '../../provider/src/resources/known-account';
import { Account } from '../../provider/src/settings/account';
import type { OtherProcesses } from '../../provider/src/run/other-processes';
import { RunRecord } from '../../provider/src/run/run-record';
import { testedHost } from './tested-host';
import type * as nativeProviderModule from './native-provider';

/** A property bag as it crosses the wire. */
export type Bag = Record<string, unknown>;

/** The provider of one type behind the engine's host: every bag crosses the wire, which refuses absent values. */
export interface HostedProvider {
  check(olds: Bag, news: Bag): Promise<{ inputs: Bag; failures: string[] }>;
  diff(id: string, olds: Bag, news: Bag): Promise<{ changes: boolean; replaces: string[] }>;
  /** @param name Of the resource, if a process creates several. */
  create(inputs: Bag, name?: string): Promise<{ id: string; outs: Bag }>;
  read(id: string, props: Bag): Promise<{ id: string; props: Bag; inputs: Bag }>;
  update(id: string, olds: Bag, news: Bag): Promise<{ outs: Bag }>;
  delete(id: string, props: Bag): Promise<void>;
}

/** The settings of a process where a test does not say otherwise. */
export const usualSettings = (baseUrl: string, apiKey: string): ClientSettings => ({
  apiKey,
  baseUrl,
  versionHeader: 'Service-Version',
  version: '2',
  maxConcurrency: 8,
  requestTimeoutMs: 30_000,
  operationTimeoutMs: 300_000,
  maxAttempts: 4,
});

/** The context of a process, and the host that serves the resources in it. */
export type HostEnvironment = Pick<ClientEnvironment, 'clock' | 'connect'> &
  Partial<ClientEnvironment> & {
    readonly host?: Host;
    /** The other processes of the run; by default there are none. */
    readonly others?: OtherProcesses;
  };

/** One process of a host, which lives as long as one `pulumi up`. */
export class HostProcess {
  readonly warnings: string[] = [];
  readonly client: ApiClient;
  private readonly host: Host;
  private readonly runOfHost: HostRun;
  private readonly providers = new Map<ResourceType, HostedProvider>();

  constructor(settings: ClientSettings, { host = testedHost, others, ...environment }: HostEnvironment) {
    const marked = new MarkedValues();
    const warn = (line: string): void => void this.warnings.push(line);
    const account = { EDGE_POLICY_API_KEY: settings.apiKey, EDGE_POLICY_BASE_URL: settings.baseUrl };
    this.host = host;
    this.client = new ApiClient(settings, { random: () => 0.5, ...environment, warn }, marked.all);
    this.runOfHost = {
      ...{ client: this.client, marked, warn, declaredDiffs: new DeclaredDiffs() },
      record: new RunRecord(others, environment.clock.epochMs()),
      importDeclared: importByCommandLine,
      account: new Account({ config: () => undefined, environment: account }),
      joined: Promise.resolve(),
      configure: () => undefined,
      keyAdvice: () => '',
    };
  }

  /** Its key and address, as the commands use them. */
  get key(): KeyInUse {
    return { client: this.client, mark: this.runOfHost.account.mark };
  }

  /** The provider of one type; one object per process, as in the host. */
  provider(type: ResourceType): HostedProvider {
    const provider = this.providers.get(type) ?? this.newProvider(type);
    this.providers.set(type, provider);
    return provider;
  }

  /** The inputs as check answers them. Throws its failures. */
  async checked(type: ResourceType, news: Bag, olds: Bag = {}): Promise<Bag> {
    const { inputs, failures } = await this.provider(type).check(olds, news);
    if (failures.length > 0) throw new Error(failures.join('\n'));
    return inputs;
  }

  /** Checks and creates a resource, as an `up` does with a new one. */
  async create(type: ResourceType, declared: Bag): Promise<{ id: string; inputs: Bag; outs: Bag }> {
    const inputs = await this.checked(type, declared);
    return { inputs, ...(await this.provider(type).create(inputs)) };
  }

  private newProvider(type: ResourceType): HostedProvider {
    const run = this.runOfHost;
    if (this.host === 'native') return newNativeProvider(type, run);
    const hosted = served(type, run);
    return {
      async check(olds, news) {
        const { inputs, failures = [] } = await hosted.check(overTheWire(olds), overTheWire(news));
        const reasons = failures.map(({ reason }) => reason);
        return { inputs: overTheWire(withReference(inputs as Bag, news)), failures: reasons };
      },
      async diff(id, olds, news) {
        const { changes = false, replaces = [] } = await hosted.diff(
          id,
          overTheWire(olds),
          overTheWire(news),
        );
        return { changes, replaces };
      },
      async create(inputs) {
        const { id, outs } = await hosted.create(overTheWire(inputs));
        return { id, outs: overTheWire(withReference(outs as Bag, inputs)) };
      },
      async read(id, props) {
        const found = await hosted.read(id, overTheWire(props));
        const [outputs, inputs] = [found.props, found.inputs].map((bag) =>
          overTheWire(withReference((bag ?? {}) as Bag, props)),
        );
        return { id: found.id ?? '', props: outputs ?? {}, inputs: inputs ?? {} };
      },
      async update(id, olds, news) {
        const { outs } = await hosted.update(id, overTheWire(olds), overTheWire(news));
        return { outs: overTheWire(withReference(outs as Bag, news)) };
      },
      delete: (id, props) => hosted.delete(id, overTheWire(props)),
    };
  }

  end(): void {
    this.client.close();
  }
}

/** Loads gRPC only if the plugin is used: most processes of the tests never need it. */
const newNativeProvider: typeof nativeProviderModule.nativeProvider = (type, run) =>
  (require('./native-provider') as typeof nativeProviderModule).nativeProvider(type, run);

/** The host does this with every bag except that of a failure: the reference stays as it was. */
const withReference = (answered: Bag, given: Bag): Bag =>
  PROVIDER_KEY in given ? { ...answered, [PROVIDER_KEY]: given[PROVIDER_KEY] } : answered;

/** What the host's protobuf structs do to a value: anything that is not JSON is refused, above all `undefined`. */
function overTheWire<T>(value: T): T {
  return copied(value) as T;
}

function copied(value: unknown): unknown {
  if (value === undefined) throw new Error('Unexpected struct type.');
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copied);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copied(member)]));
}
