import { readFileSync } from 'node:fs';
import type { CliAnswer } from '../../cli/src/command/context';
import {
  editDeployment,
  parseDeployment,
  type PendingOperation,
  type StateResource,
} from '../../cli/src/pulumi/deployment';
import type { PlannedStep } from '../../cli/src/pulumi/preview';
import { typeOfToken } from '../../provider/src/resources/provider-reference';
import { usualSettings } from './host-process';
import type { IdleClock } from './idle-clock';
import { type Kill, Killing, TurnTakingHost } from './stand-in-cli/killing';
import { hidden, opened, sealed } from './stand-in-cli/secrets';
import { type Declaration, type Outcome, StandInEngine } from './stand-in-engine';
import {
  componentUrn,
  foreignUrn,
  nameOf,
  providerUrn,
  STACK_TYPE,
  STACK_URN,
  toEntry,
  toOperation,
  toResource,
  urnOf,
} from './stand-in-engine/deployment';
import { Turns } from './stand-in-engine/workers';

/** A resource as a program declares it, with what matters to the commands besides. */
export interface Declared extends Declaration {
  /** Whether the program makes its description a secret. */
  readonly isSecret?: boolean;
  /** The module, written by an import, that declares it. */
  readonly module?: string;
}

const SECRET_INPUTS = ['description'];

/**
 * Answers the calls of the commands as the Pulumi CLI does. `StandInEngine` does what runs inside the CLI, this adds the
 * deployment around it, which commands read and edit: URNs, parents, secrets, locks, history.
 */
export class StandInCli {
  program: Declared[] = [];
  isLocked = false;
  /** Whether the next import is killed half-way. */
  killsImport = false;
  private readonly engine: StandInEngine;
  /** The stack, its providers and components. */
  private surroundings: StateResource[] = [];
  private foreignPending: PendingOperation[] = [];
  /** The URNs of the resources whose texts a program made secrets. */
  private readonly secrets = new Set<string>();
  private history: object[] = [];
  private writtenAt = '';
  private run: { readonly turns: Turns; readonly killing: Killing };

  constructor(
    private readonly service: { readonly baseUrl: string; readonly keys: Readonly<Record<string, string>> },
    readonly clock: IdleClock,
  ) {
    this.run = this.newRun();
    this.engine = new StandInEngine((provider) => {
      const key = service.keys[provider === '' ? 'default' : provider] ?? '';
      const settings = { ...usualSettings(service.baseUrl, key), maxAttempts: 2 };
      return new TurnTakingHost(settings, clock, this.run);
    });
  }

  get resources(): readonly StateResource[] {
    return [...this.surroundings, ...this.engine.state.map(toResource)];
  }

  get pending(): readonly PendingOperation[] {
    return [...this.engine.pending.map(toOperation), ...this.foreignPending];
  }

  /** `pulumi up`; returns whether it succeeded. */
  async up(kill?: Kill): Promise<boolean> {
    if (this.isLocked) return false;
    this.registerSurroundings();
    this.noteSecrets();
    this.run = this.newRun(kill);
    const { run, ended } = this.engine.start(
      { command: 'up', program: this.program },
      kill === undefined ? {} : { parallel: kill.width },
    );
    const outcome = await Promise.race([ended, this.run.killing.isDue]);
    if (outcome === undefined) {
      run.killCli();
      for (const host of run.hosts.values()) host.end();
    }
    this.write();
    const isDone = outcome?.errors.length === 0;
    if (outcome === undefined) this.isLocked = true;
    else
      this.history.unshift({
        kind: 'update',
        result: isDone ? 'succeeded' : 'failed',
        endTime: this.writtenAt,
      });
    this.clock.pass(5_000);
    return isDone;
  }

  /** Leaves a pending operation of another package, as a killed run does. */
  leaveForeignPending(name: string): void {
    const type = 'random:index/randomId:RandomId';
    this.foreignPending.push({ type: 'creating', resource: { urn: foreignUrn(type, name), type } });
  }

  /** Answers a call of the CLI. */
  readonly pulumi = async (args: readonly string[], input = ''): Promise<CliAnswer> => {
    const line = args.join(' ');
    if (line.startsWith('version')) return said('v3.259.0');
    if (line.startsWith('config')) return said('{}');
    if (line.startsWith('stack --show-name')) return said('dev');
    if (line.startsWith('stack ls')) return said('[{"name":"dev"}]');
    if (line.startsWith('stack history')) return said(JSON.stringify(this.history));
    if (line.startsWith('stack export')) return said(this.export(args.includes('--show-secrets')));
    if (line.startsWith('preview')) {
      const { steps, errors } = await this.planned();
      return ended(errors, JSON.stringify({ steps }));
    }
    if (this.isLocked) return failed('the stack is currently locked by 1 lock(s)');
    if (line.startsWith('stack import')) return said(this.import(input));
    if (line.startsWith('import')) return this.importFile(args[args.indexOf('--file') + 1] ?? '');
    if (line.startsWith('refresh')) return this.refresh(args.filter((arg) => arg.startsWith('urn:')));
    return failed(`unexpected: ${line}`);
  };

  private newRun(kill?: Kill): { readonly turns: Turns; readonly killing: Killing } {
    return { turns: new Turns(), killing: new Killing(kill, this.clock) };
  }

  private write(): void {
    this.writtenAt = new Date(this.clock.epochMs()).toISOString();
  }

  private registerSurroundings(): void {
    const add = (resource: StateResource): void => {
      if (this.surroundings.every(({ urn }) => urn !== resource.urn)) this.surroundings.push(resource);
    };
    add({ urn: STACK_URN, type: STACK_TYPE, created: new Date(this.clock.epochMs()).toISOString() });
    for (const name of new Set(['default', ...this.program.flatMap(({ provider }) => provider ?? [])])) {
      const key = {
        'edge-policy:apiKey': this.service.keys[name],
        'edge-policy:baseUrl': this.service.baseUrl,
      };
      const inputs = name === 'default' ? {} : key;
      add({ urn: providerUrn(name), type: 'pulumi:providers:pulumi-nodejs', id: 'id', inputs });
    }
    for (const name of new Set(this.program.flatMap(({ component }) => component ?? []))) {
      add({ urn: componentUrn(name), type: 'test:index:Site', parent: STACK_URN });
    }
  }

  private noteSecrets(): void {
    for (const declared of this.program) if (declared.isSecret === true) this.secrets.add(urnOf(declared));
  }

  private secretsOf({ urn }: StateResource): readonly string[] {
    return this.secrets.has(urn) ? SECRET_INPUTS : [];
  }

  private export(showsSecrets: boolean): string {
    const empty = JSON.stringify({ version: 3, deployment: { manifest: { time: this.writtenAt } } });
    const exported = (entry: StateResource): StateResource =>
      sealed(entry, this.secretsOf(entry), showsSecrets);
    return editDeployment(empty, {
      resources: this.resources.map(exported),
      pendingOperations: this.pending.map(({ type, resource }) => ({ type, resource: exported(resource) })),
    });
  }

  private import(text: string): string {
    const { resources, manifest } = parseDeployment(text);
    const live = resources.filter((entry) => entry.delete !== true).map(({ urn }) => urn);
    if (new Set(live).size < live.length) throw new Error('duplicate resource urn');
    this.surroundings = resources.filter((entry) => !isOurs(entry));
    this.engine.state = resources.filter(isOurs).map((entry) => toEntry(opened(entry)));
    // As the real CLI does, whatever the text says.
    this.engine.pending = [];
    this.foreignPending = [];
    this.writtenAt = manifest.time;
    return '';
  }

  /** The steps of the next `up`. */
  async planned(): Promise<{ readonly steps: PlannedStep[] } & Pick<Outcome, 'errors'>> {
    this.noteSecrets();
    this.run = this.newRun();
    const steps: PlannedStep[] = [];
    const { run, ended } = this.engine.start({ command: 'preview', program: this.program });
    run.onStep = ({ type, entry }, op) => {
      const resource = toResource(entry);
      const newState = hidden(resource, this.secretsOf(resource));
      steps.push({ op, urn: resource.urn, ...(type !== 'deleting' && { newState }) });
    };
    const { errors } = await ended;
    return { steps, errors };
  }

  /** `pulumi import --file` */
  importFile(file: string): CliAnswer {
    const { resources, nameTable = {} } = JSON.parse(readFileSync(file, 'utf8')) as ImportFile;
    this.registerSurroundings();
    const isKilled = this.killsImport;
    const half = isKilled ? resources.slice(0, Math.ceil(resources.length / 2)) : resources;
    this.killsImport = false;
    for (const { name, parent = '', provider = '', ...imported } of half) {
      const owners = {
        parent: nameTable[parent] ?? STACK_URN,
        provider: nameTable[provider] ?? providerUrn(),
      };
      const entry = toEntry({ ...imported, ...owners, urn: foreignUrn(imported.type, name) });
      const urn = urnOf(entry);
      const there = this.engine.state.find((one) => one.isDoomed !== true && urnOf(one) === urn);
      if (there !== undefined && there.id !== entry.id) return failed(`resource '${urn}' already exists`);
      if (there === undefined) this.engine.state = [...this.engine.state, entry];
    }
    this.write();
    this.isLocked = isKilled;
    return isKilled ? failed('killed') : said('');
  }

  private async refresh(urns: readonly string[]): Promise<CliAnswer> {
    this.run = this.newRun();
    const { errors } = await this.engine.refresh({ targets: urns.map(nameOf) });
    this.write();
    return ended(errors, '');
  }
}

/** The file of `pulumi import --file`. */
interface ImportFile {
  readonly resources: readonly (Required<Pick<StateResource, 'id' | 'inputs' | 'outputs'>> & {
    readonly type: string;
    readonly name: string;
    readonly parent?: string;
    readonly provider?: string;
  })[];
  readonly nameTable?: Readonly<Record<string, string>>;
}

const isOurs = ({ type }: StateResource): boolean => typeOfToken(type) !== undefined;

const said = (stdout: string): CliAnswer => ({ isSuccess: true, stdout, stderr: '' });

const failed = (stderr: string): CliAnswer => ({ isSuccess: false, stdout: '', stderr });

const ended = (errors: readonly Error[], stdout: string): CliAnswer => ({
  isSuccess: errors.length === 0,
  stdout,
  stderr: errors.map(({ message }) => message).join('\n'),
});
