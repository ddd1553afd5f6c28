import { readFileSync } from 'node:fs';
import type { ClientSettings } from '../../provider/src/api/client-settings';
import {
  editDeployment,
  isSecret,
  parseDeployment,
  secretInClear,
  type StateResource,
} from '../../provider/src/cli/pulumi/deployment';
import type { CliAnswer } from '../../provider/src/cli/context';
import { PROVIDER_KEY } from '../../provider/src/fields/field';
import {
  providerReference,
  type ResourceType,
  typeToken,
} from '../../provider/src/resources/provider-reference';
import {
  type Declared,
  type Kill,
  type ModelCli,
  type PlannedStep,
  URN_PREFIX,
  urnOf,
} from './command-model/model-cli';
import { type Bag, HostProcess, usualSettings } from './host-process';
import type { IdleClock } from './idle-clock';

const stackUrn = `${URN_PREFIX}pulumi:pulumi:Stack::project-dev`;
const providerUrn = (name: string): string => `${URN_PREFIX}pulumi:providers:pulumi-nodejs::${name}`;
const componentUrn = (name: string): string => `${URN_PREFIX}test:index:Site::${name}`;

class Killed extends Error {}

/** Maps the bags of a resource, inputs and outputs. */
const withBags = (entry: StateResource, make: (bag: Bag) => Bag): StateResource => ({
  ...entry,
  ...(entry.inputs && { inputs: make(entry.inputs) }),
  ...(entry.outputs && { outputs: make(entry.outputs) }),
});

/** Secrets as in an export: in clear, or in a form that only the CLI can read. */
const sealedBag = (bag: Bag, keys: readonly string[], showsSecrets: boolean): Bag =>
  mapBag(bag, (value, key) => {
    if (!keys.includes(key)) return value;
    if (showsSecrets) return secretInClear(value);
    const { plaintext: _clear, ...mark } = secretInClear(value) as { plaintext: string };
    return { ...mark, ciphertext: Buffer.from(JSON.stringify(value)).toString('base64') };
  });

const openedBag = (bag: Bag): Bag =>
  mapBag(bag, (value) => {
    if (!isSecret(value)) return value;
    const { plaintext, ciphertext = '' } = value as { plaintext?: string; ciphertext?: string };
    return JSON.parse(plaintext ?? Buffer.from(ciphertext, 'base64').toString()) as unknown;
  });

/** Secrets as in a preview. */
const hiddenBag = (bag: Bag, { isSecret: hides }: Declared): Bag =>
  mapBag(bag, (value, key) => (hides === true && key === 'description' ? '[secret]' : value));

const mapBag = (bag: Bag, make: (value: unknown, key: string) => unknown): Bag =>
  Object.fromEntries(Object.entries(bag).map(([key, value]) => [key, make(value, key)]));

/**
 * Answers the calls of the commands as the Pulumi CLI does, from a state that it keeps: pending operations of killed runs stay,
 * creates are carried along, the lock stays until it is cancelled. `StandInEngine` stands in for what runs inside the CLI, this
 * for the deployment around it, which commands read and edit: URNs, parents, secrets, locks, history. It takes one step after
 * another, so that a run can be killed between two given steps.
 */
export class StandInCli implements ModelCli {
  program: Declared[] = [];
  resources: StateResource[] = [];
  pending: { type: string; resource: StateResource }[] = [];
  isLocked = false;
  killsImport = false;
  /** The inputs of each resource that its program made secrets. */
  private readonly secretInputs = new Map<string, readonly string[]>();
  private history: object[] = [];
  private writtenAt = '';
  private progress = { step: 0, underWay: 0 };
  private kill: Kill | undefined;

  constructor(
    private readonly service: { readonly baseUrl: string; readonly keys: Readonly<Record<string, string>> },
    readonly clock: IdleClock,
  ) {}

  /** `pulumi up`; returns whether it succeeded. */
  async up(kill?: Kill): Promise<boolean> {
    if (this.isLocked) return false;
    this.kill = kill;
    this.progress = { step: 0, underWay: 0 };
    this.pending = this.pending.filter(({ type }) => type === 'creating');
    const hosts = new Map<string, HostProcess>();
    const hostOf = (name: string): HostProcess => {
      const host = hosts.get(name) ?? new HostProcess(this.settings(name), { clock: this.clock });
      hosts.set(name, host);
      return host;
    };
    const result = await this.runSteps(hostOf);
    for (const host of hosts.values()) host.end();
    this.write();
    if (result === 'killed') this.isLocked = true;
    else this.history.unshift({ kind: 'update', result, endTime: this.writtenAt });
    this.clock.pass(5_000);
    return result === 'succeeded';
  }

  unlock(): Promise<void> {
    this.isLocked = false;
    return Promise.resolve();
  }

  /** Answers a call of the CLI. */
  readonly pulumi = async (args: readonly string[], input = ''): Promise<CliAnswer> => {
    const line = args.join(' ');
    const say = (stdout: string): CliAnswer => ({ isSuccess: true, stdout, stderr: '' });
    if (line.startsWith('version')) return say('v3.259.0');
    if (line.startsWith('config')) return say('{}');
    if (line.startsWith('stack --show-name')) return say('dev');
    if (line.startsWith('stack ls')) return say('[{"name":"dev"}]');
    if (line.startsWith('stack history')) return say(JSON.stringify(this.history));
    if (line.startsWith('stack export')) return say(this.export(args.includes('--show-secrets')));
    if (line.startsWith('preview')) return say(JSON.stringify({ steps: await this.previewSteps() }));
    if (this.isLocked)
      return { isSuccess: false, stdout: '', stderr: 'the stack is currently locked by 1 lock(s)' };
    if (line.startsWith('stack import')) return say(this.import(input));
    if (line.startsWith('import')) return this.importFile(args[args.indexOf('--file') + 1] ?? '');
    if (line.startsWith('refresh'))
      return say(await this.refresh(args.filter((arg) => arg.startsWith('urn:'))));
    return { isSuccess: false, stdout: '', stderr: `unexpected: ${line}` };
  };

  leaveForeignPending(name: string): void {
    const type = 'random:index/randomId:RandomId';
    this.pending.push({ type: 'creating', resource: { urn: `${URN_PREFIX}${type}::${name}`, type } });
  }

  private settings(provider: string): ClientSettings {
    return { ...usualSettings(this.service.baseUrl, this.service.keys[provider] ?? ''), maxAttempts: 2 };
  }

  private write(): void {
    this.writtenAt = new Date(this.clock.epochMs()).toISOString();
  }

  private export(showsSecrets: boolean): string {
    const empty = JSON.stringify({ version: 3, deployment: { manifest: { time: this.writtenAt } } });
    const sealed = (entry: StateResource): StateResource => {
      const keys = this.secretInputs.get(entry.urn) ?? [];
      return withBags(entry, (bag) => sealedBag(bag, keys, showsSecrets));
    };
    return editDeployment(empty, {
      resources: this.resources.map(sealed),
      pendingOperations: this.pending.map(({ type, resource }) => ({ type, resource: sealed(resource) })),
    });
  }

  private import(text: string): string {
    const { resources, manifest } = parseDeployment(text);
    const live = resources.filter((entry) => entry.delete !== true).map(({ urn }) => urn);
    if (new Set(live).size < live.length) throw new Error('duplicate resource urn');
    const opened = (entry: StateResource): StateResource => withBags(entry, openedBag);
    this.resources = resources.map(opened);
    // As the real CLI does, whatever the text says.
    this.pending = [];
    this.writtenAt = manifest.time;
    return '';
  }

  private async runSteps(hostOf: (name: string) => HostProcess): Promise<'succeeded' | 'failed' | 'killed'> {
    this.registerSurroundings();
    let result: 'succeeded' | 'failed' = 'succeeded';
    try {
      for (const declared of this.program) {
        if (!(await this.attempt(() => this.register(declared, hostOf(declared.provider ?? 'default')))))
          result = 'failed';
      }
      // Steps still under way when no other is left to begin are killed as well.
      if (this.progress.underWay > 0) throw new Killed();
      if (result === 'failed') return result;
      for (const entry of this.undeclared().reverse()) {
        const host = hostOf(entry.provider?.split('::').at(-2) ?? 'default');
        if (entry['protect'] === true || !(await this.attempt(() => this.remove(entry, host))))
          result = 'failed';
      }
      return result;
    } catch (error) {
      if (error instanceof Killed) return 'killed';
      throw error;
    }
  }

  private async attempt(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (error instanceof Killed) throw error;
      return false;
    }
  }

  private undeclared(): StateResource[] {
    const declared = new Set(this.program.map((one) => urnOf(one, one.name)));
    return this.resources.filter(
      ({ urn, type, delete: isDoomed }) =>
        type.startsWith('pulumi-nodejs:dynamic/') && (isDoomed === true || !declared.has(urn)),
    );
  }

  private registerSurroundings(): void {
    const created = new Date(this.clock.epochMs()).toISOString();
    const add = (resource: StateResource): void => {
      if (this.resources.every(({ urn }) => urn !== resource.urn)) this.resources.push(resource);
    };
    add({ urn: stackUrn, type: 'pulumi:pulumi:Stack', created });
    for (const name of new Set(['default', ...this.program.flatMap(({ provider }) => provider ?? [])])) {
      const key = {
        'edge-policy:apiKey': this.service.keys[name],
        'edge-policy:baseUrl': this.service.baseUrl,
      };
      const inputs = name === 'default' ? {} : key;
      add({ urn: providerUrn(name), type: 'pulumi:providers:pulumi-nodejs', id: name, inputs });
    }
    for (const name of new Set(this.program.flatMap(({ component }) => component ?? []))) {
      add({ urn: componentUrn(name), type: 'test:index:Site', parent: stackUrn });
    }
  }

  private entryOf(declared: Declared): StateResource | undefined {
    const urns = [declared.name, ...(declared.alias === undefined ? [] : [declared.alias])].map((name) =>
      urnOf(declared, name),
    );
    return this.resources.find((entry) => urns.includes(entry.urn) && entry.delete !== true);
  }

  private newState(declared: Declared, inputs: Bag): StateResource {
    const provider = declared.provider ?? 'default';
    if (declared.isSecret === true) this.secretInputs.set(urnOf(declared, declared.name), ['description']);
    return {
      urn: urnOf(declared, declared.name),
      type: typeToken(declared.type),
      inputs,
      parent: declared.component === undefined ? stackUrn : componentUrn(declared.component),
      provider: `${providerUrn(provider)}::${provider}`,
      ...(declared.isProtected === true && { protect: true }),
    };
  }

  private async plan(
    declared: Declared,
    host: HostProcess,
  ): Promise<{ op: string; inputs: Bag; entry: StateResource | undefined }> {
    const entry = this.entryOf(declared);
    const provider = host.provider(declared.type);
    const news = { ...declared.inputs, [PROVIDER_KEY]: providerReference(declared.type) };
    const { inputs, failures } = await provider.check({ ...entry?.inputs }, news);
    if (failures.length > 0) throw new Error(failures.join());
    if (entry === undefined || entry.pendingReplacement === true) return { op: 'create', inputs, entry };
    const { changes, replaces } = await provider.diff(entry.id ?? '', { ...entry.outputs }, inputs);
    return { op: replaces.length > 0 ? 'replace' : changes ? 'update' : 'same', inputs, entry };
  }

  private async register(declared: Declared, host: HostProcess): Promise<void> {
    const { op, inputs, entry } = await this.plan(declared, host);
    const next = this.newState(declared, inputs);
    const provider = host.provider(declared.type);
    if (op === 'same' && entry !== undefined) {
      this.put(entry, { ...entry, ...next });
    } else if (op === 'update' && entry !== undefined) {
      const { outs } = await this.step('updating', { ...entry, ...next }, () =>
        provider.update(entry.id ?? '', { ...entry.outputs }, inputs),
      );
      this.put(entry, { ...entry, ...next, outputs: outs });
    } else {
      if (op === 'replace' && entry !== undefined) {
        await this.step('deleting', entry, () => provider.delete(entry.id ?? '', { ...entry.outputs }));
        this.put(entry, { ...entry, pendingReplacement: true });
      }
      const replaced = this.entryOf(declared);
      const created = new Date(this.clock.epochMs()).toISOString();
      const resource = replaced === undefined ? next : { ...next, created };
      const { id, outs } = await this.step('creating', resource, () => provider.create(inputs));
      this.put(replaced, { ...next, id, outputs: outs, created });
    }
  }

  private async remove(entry: StateResource, host: HostProcess): Promise<void> {
    const type = entry.type.split(':').at(-1) as ResourceType;
    await this.step('deleting', entry, () =>
      host.provider(type).delete(entry.id ?? '', { ...entry.outputs }),
    );
    this.put(entry, undefined);
  }

  /** One step, with a note of it while it is under way; if it is killed before its end, it may or may not have taken effect. */
  private async step<T>(type: string, resource: StateResource, work: () => Promise<T>): Promise<T> {
    this.progress.step += 1;
    const { kill, progress } = this;
    const note = { type, resource };
    this.pending.push(note);
    if (kill !== undefined && progress.step >= kill.atStep) {
      if (kill.hasEffect) await work().catch(() => undefined);
      progress.underWay += 1;
      if (progress.underWay >= kill.width) throw new Killed();
      throw new Error('under way');
    }
    try {
      return await work();
    } finally {
      this.pending = this.pending.filter((other) => other !== note);
    }
  }

  private put(old: StateResource | undefined, now: StateResource | undefined): void {
    if (old === undefined) {
      if (now !== undefined) this.resources.push(now);
    } else this.resources = this.resources.flatMap((entry) => (entry === old ? (now ?? []) : [entry]));
    this.write();
  }

  async preview(): Promise<readonly PlannedStep[]> {
    return this.previewSteps();
  }

  private async previewSteps(): Promise<PlannedStep[]> {
    const steps: (PlannedStep & { readonly newState?: StateResource })[] = [];
    const claimed = new Set<StateResource>();
    for (const declared of this.program) {
      const host = new HostProcess(this.settings(declared.provider ?? 'default'), { clock: this.clock });
      const { op, inputs, entry } = await this.plan(declared, host);
      host.end();
      if (entry !== undefined) claimed.add(entry);
      const newState = withBags(this.newState(declared, inputs), (bag) => hiddenBag(bag, declared));
      if (op !== 'same') steps.push({ op, urn: newState.urn, newState });
    }
    for (const entry of this.undeclared())
      if (!claimed.has(entry)) steps.push({ op: 'delete', urn: entry.urn });
    return steps;
  }

  private importFile(file: string): CliAnswer {
    interface Imported {
      readonly type: string;
      readonly name: string;
      readonly id: string;
      readonly inputs: Bag;
      readonly outputs: Bag;
      readonly parent?: string;
      readonly provider?: string;
    }
    const { resources, nameTable = {} } = JSON.parse(readFileSync(file, 'utf8')) as {
      resources: Imported[];
      nameTable?: Record<string, string>;
    };
    this.registerSurroundings();
    const isKilled = this.killsImport;
    const half = isKilled ? resources.slice(0, Math.ceil(resources.length / 2)) : resources;
    this.killsImport = false;
    for (const { type, name, id, inputs, outputs, parent, provider } of half) {
      const prefix = parent === undefined ? '' : 'test:index:Site$';
      const urn = `${URN_PREFIX}${prefix}${type}::${name}`;
      const there = this.resources.find((entry) => entry.urn === urn && entry.delete !== true);
      if (there !== undefined && there.id !== id)
        return { isSuccess: false, stdout: '', stderr: `resource '${urn}' already exists` };
      const ownProvider = provider === undefined ? providerUrn('default') : (nameTable[provider] ?? '');
      const reference = `${ownProvider}::${ownProvider.split('::').at(-1) ?? ''}`;
      const belongs = parent === undefined ? stackUrn : (nameTable[parent] ?? '');
      if (there === undefined)
        this.put(undefined, { urn, type, id, inputs, outputs, parent: belongs, provider: reference });
    }
    this.isLocked = isKilled;
    return { isSuccess: !isKilled, stdout: '', stderr: isKilled ? 'killed' : '' };
  }

  private async refresh(urns: readonly string[]): Promise<string> {
    for (const entry of this.resources.filter(({ urn }) => urns.includes(urn))) {
      const type = entry.type.split(':').at(-1) as ResourceType;
      const name = entry.provider?.split('::').at(-1) ?? 'default';
      const host = new HostProcess(this.settings(name), { clock: this.clock });
      const found = await host.provider(type).read(entry.id ?? '', { ...entry.outputs });
      host.end();
      const { id, props: outputs, inputs } = found;
      this.put(entry, id === '' ? undefined : { ...entry, id, outputs, inputs });
    }
    return '';
  }
}
