// What for: the plugin, a gRPC server, for programs in every language.
// Must not know: `hosts/dynamic`, and how a resource works.
import { status } from '@grpc/grpc-js';
import type { ConfigureRequest } from '@pulumi/pulumi/proto/provider_pb';
import type { ApiClient } from '../../api/client';
import { UserError } from '../../errors/user-error';
import { typescriptWords, type Words } from '../../errors/words';
import { nativeToken, type ResourceType, RESOURCE_TYPES } from '../../resources/provider-reference';
import { registry } from '../../resources/registry';
import type { EngineLink } from '../../run/run-members';
import { EngineConnection } from '../engine-watch';
import { Run } from '../run';
import { configOf } from './configuration';
import { MarkedValues } from './marked-values';
import { plainProperties } from './property-bags';
import { limited, NativeResource } from './resource';
import { Refused } from './status';

/** One provider of the engine: its resources, its settings, and the run that they share. */
export class Plugin {
  readonly marked = new MarkedValues();
  private currentRun: Run;
  private isConfigured = false;
  private attached: EngineConnection | undefined;
  private settings = '';
  private readonly resources = new Map<ResourceType, NativeResource>();

  /**
   * @param show Shows one line as a warning.
   * @param words How messages name what the program has written.
   * @param engine The engine that has started the plugin.
   */
  constructor(
    private readonly show: (line: string) => void,
    readonly words: Words = typescriptWords,
    private readonly engine?: EngineLink,
  ) {
    this.currentRun = this.newRun(engine);
  }

  private newRun(engine?: EngineLink): Run {
    const say = (line: string): void => {
      this.show(this.marked.conceal(line));
    };
    return new Run({ say, words: this.words, engine });
  }

  get run(): Run {
    return this.currentRun;
  }

  /**
   * A plugin that engines attach to outlives their runs, so the memory of a run, and its cancellation, must end with the run.
   * Within one run the engine attaches it once for each provider, and all of them share its settings.
   */
  async attach(address: string): Promise<void> {
    if (this.engine !== undefined)
      throw new Refused(status.FAILED_PRECONDITION, 'This plugin serves the engine that has started it.');
    // The next engine may have the port of this one.
    if (address === this.attached?.address && (await this.attached.isAlive())) return;
    this.attached = new EngineConnection(address);
    this.currentRun = this.newRun(this.attached);
    this.isConfigured = false;
  }

  configure(request: ConfigureRequest): void {
    const given = plainProperties(request.getArgs());
    const settings = JSON.stringify(Object.entries(given).sort());
    // Another process that reaches the port must not make this one send the run's key to another service.
    if (this.isConfigured && settings !== this.settings)
      throw new Refused(status.ALREADY_EXISTS, this.otherSettings());
    this.run.configure(configOf(given, request.getUrn() ?? ''));
    this.settings = settings;
    this.isConfigured = true;
  }

  private otherSettings(): string {
    const said = 'This provider is configured already, with other settings.';
    return this.attached === undefined
      ? said
      : `${said} A plugin that is debugged (PULUMI_DEBUG_PROVIDERS) serves one provider: give all of them the same settings, or run without it.`;
  }

  /** The resource of a URN; its type is the last of the types in the URN. */
  resource(urn: string): NativeResource {
    const token = urn.split('::')[2]?.split('$').at(-1) ?? '';
    const type = RESOURCE_TYPES.find((known) => nativeToken(known) === token);
    if (type === undefined) throw new Refused(status.NOT_FOUND, `There is no resource type ${token}.`);
    const resource = this.resources.get(type) ?? this.load(type);
    this.resources.set(type, resource);
    return resource;
  }

  private load(type: ResourceType): NativeResource {
    const { lifecycle, shape } = registry[type];
    const warn = (line: string): void => {
      this.currentRun.warn(line);
    };
    const { words } = this;
    const within = (limitMs?: number) => lifecycle(limited(() => this.currentRun, limitMs));
    return new NativeResource(within, shape(), {
      declaredDiffs: () => this.currentRun.declaredDiffs,
      warn,
      words,
      marked: this.marked,
    });
  }

  /** Requests need settings, and the engine sends those first. */
  requireConfiguration(): void {
    if (!this.isConfigured) throw new UserError('The engine has not configured this provider yet.');
  }

  readonly client = (): ApiClient => {
    this.requireConfiguration();
    return this.run.client;
  };
}
