import type { Emulator, Fault } from '../../emulator/src/index';
import { PROVIDER_KEY, SERVICE_KEY } from '../../provider/src/fields/field';
import { declaredRule } from '../support/declarations';
import { type Bag, startScene } from '../support/host';
import { httpsEdgeId, routeId, tcpEdgeId } from '../support/ids';
import { literal, program as programText } from '../support/programs';
import { stackOnService } from '../support/service-stack';
import { type Declaration, type RunOptions, StandInEngine } from '../support/stand-in-engine';
import type { PulumiStack } from '../support/pulumi-stack';
import { ownResources } from '../support/stack-state';

/** One call of the CLI, what goes wrong during it, and what somebody else did before. */
interface Call {
  readonly call: 'up' | 'refresh' | 'destroy';
  readonly program?: readonly Declaration[];
  readonly faults?: readonly Fault[];
  readonly remote?: (emulator: Emulator) => unknown;
  readonly options?: Pick<RunOptions, 'refresh' | 'replace' | 'continuesOnError'>;
}

const rule = (inputs: Bag): Declaration => declaredRule('rule', inputs);
const policy = (name: string, enabled = true): Declaration => ({
  type: 'TcpEdgeTrafficPolicyModule',
  name,
  inputs: { edgeId: tcpEdgeId, enabled, value: '{"inbound":[]}' },
});
const filter = (deny: readonly string[]): Declaration => ({
  type: 'HttpsEdgeRouteUserAgentFilterModule',
  name: 'filter',
  inputs: { edgeId: httpsEdgeId, routeId, deny },
});

const refusing = (method: string): Fault => ({ method, kind: 'status', status: 403, times: 'always' });
const silent = (method: string): Fault => ({ method, kind: 'reset', times: 'always' });

const sequences: Readonly<Record<string, readonly Call[]>> = {
  'the life of a rule': [
    { call: 'up', program: [rule({ description: 'one' })], faults: [refusing('POST')] },
    { call: 'up', program: [rule({ description: 'one' })] },
    { call: 'up', program: [rule({ description: 'two' })], faults: [silent('PATCH'), silent('GET')] },
    { call: 'up', program: [rule({ description: 'two' })] },
    {
      call: 'refresh',
      remote: (emulator) =>
        emulator.remote.updateRule(emulator.state().rules[0]?.id ?? '', {
          metadata: 'theirs',
          description: '',
        }),
    },
    { call: 'up', program: [rule({ action: 'allow' })], faults: [refusing('POST')] },
    { call: 'up', program: [rule({ action: 'allow' })] },
    { call: 'destroy', faults: [refusing('DELETE')] },
    { call: 'destroy' },
  ],
  'the lives of modules': [
    { call: 'up', program: [policy('policy')], faults: [{ ...silent('GET'), nth: 2 }, silent('PUT')] },
    { call: 'refresh' },
    { call: 'up', program: [policy('policy'), filter(['bot'])] },
    // The engine deletes last: where something fails before, a rename leaves both names in state.
    { call: 'up', program: [policy('renamed'), filter(['bot', 'other'])], faults: [refusing('PUT')] },
    { call: 'up', program: [policy('renamed'), filter(['bot', 'other'])] },
    {
      call: 'refresh',
      remote: ({ remote }) => {
        remote.modules('tcpModules').delete(tcpEdgeId);
      },
    },
    { call: 'up', program: [policy('renamed', false)] },
  ],
  'what the engine can be asked for': [
    { call: 'up', program: dependent('deny') },
    { call: 'up', program: dependent('allow') },
    {
      call: 'up',
      remote: (emulator) => {
        emulator.remote.updateRule(emulator.state().rules[0]?.id ?? '', { description: 'theirs' });
      },
      program: dependent('allow', { ignoreChanges: ['description'] }),
      options: { refresh: 'before' },
    },
    {
      call: 'up',
      remote: ({ remote }) => {
        remote.modules('tcpModules').delete(tcpEdgeId);
      },
      options: { refresh: 'as registered' },
    },
    { call: 'up', options: { replace: ['rule'] } },
    { call: 'destroy', options: { refresh: 'before' } },
    { call: 'up', program: [rule({}), { ...filter(['bot']), dependsOn: ['rule'] }, policy('policy')] },
    // The rule goes after the filter, although the policy has failed beside that.
    {
      call: 'up',
      program: [],
      faults: [{ ...refusing('DELETE'), path: `/edges/tcp/${tcpEdgeId}/traffic_policy` }],
      options: { continuesOnError: true },
    },
  ],
};

function dependent(action: string, options: Partial<Declaration> = {}): Declaration[] {
  return [
    { ...rule({ action, description: 'ours' }), ...options },
    { ...policy('policy'), dependsOn: ['rule'] },
  ];
}

/** What can be compared: identifiers, addresses and times differ from service to service. */
interface Seen {
  readonly resources: readonly object[];
  readonly live: object;
}

const comparable = (bag: object = {}): object => ({
  ...bag,
  uri: null,
  createdAt: null,
  account: null,
  ...('unsettledSince' in bag && { unsettledSince: 'a time' }),
  ...('changedAt' in bag && { changedAt: 'a time' }),
  ...(SERVICE_KEY in bag && { [SERVICE_KEY]: 'an address' }),
  [PROVIDER_KEY]: null,
});

const seen = (
  resources: readonly { name: string; inputs?: object; outputs?: object; initErrors?: readonly string[] }[],
  emulator: Emulator,
): Seen => {
  const { rules, tcpModules, httpsModules } = emulator.state();
  return {
    resources: resources
      .map(({ name, inputs, outputs, initErrors = [] }) => ({
        name,
        inputs: comparable(inputs),
        outputs: comparable(outputs),
        failures: initErrors.length,
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
    live: [
      rules.map((live) => comparable({ ...live, id: null, ip_policy: null, created_at: null })),
      tcpModules,
      httpsModules,
    ],
  };
};

const disturb = (emulator: Emulator, { faults = [], remote }: Call): (() => void) => {
  remote?.(emulator);
  const handles = faults.map((fault) => emulator.fault(fault));
  return () => {
    for (const handle of handles) handle.remove();
  };
};

const text = (declared: readonly Declaration[]) =>
  programText(`const made = {};\n${declared.map(constructed).join('\n')}\nreturn {};`);

function constructed({ type, name, inputs, dependsOn = [], ignoreChanges = [] }: Declaration): string {
  const depended = dependsOn.map((other) => `made.${other}`).join(', ');
  const opts = `{ dependsOn: [${depended}], ignoreChanges: ${literal(ignoreChanges)} }`;
  return `made.${name} = new ${type}('${name}', ${literal(inputs)}, ${opts});`;
}

/** The options of a run as the CLI takes them. */
async function argsOf({ options = {} }: Call, stack: PulumiStack): Promise<string[]> {
  const { refresh, replace = [], continuesOnError = false } = options;
  const resources = replace.length === 0 ? [] : ownResources(await stack.state());
  const urns = resources
    .map(({ urn }) => urn)
    .filter((urn) => replace.some((name) => urn.endsWith(`::${name}`)));
  return [
    ...(refresh === undefined ? [] : ['--refresh']),
    ...(refresh === 'as registered' ? ['--run-program'] : []),
    ...urns.flatMap((urn) => ['--replace', urn]),
    ...(continuesOnError ? ['--continue-on-error'] : []),
  ];
}

test.each(Object.entries(sequences))('%s: the stand-in keeps state as the engine does', async (_, calls) => {
  const scene = await startScene();
  const standIn = new StandInEngine(() => scene.newProcess({ maxAttempts: 1 }));
  const { stack, emulator } = await stackOnService({
    program: text([]),
    config: { 'edge-policy:maxAttempts': 1 },
  });
  let program: readonly Declaration[] = [];
  for (const [index, call] of calls.entries()) {
    program = call.program ?? program;
    let mend = disturb(scene.emulator, call);
    const outcome = await (call.call === 'up'
      ? standIn.up(program, call.options)
      : standIn[call.call](call.options));
    mend();

    stack.writeProgram(text(program));
    mend = disturb(emulator, call);
    const result = await stack[call.call]({ expect: 'either', args: await argsOf(call, stack) });
    mend();

    // Between the two halves of a replacement the engine keeps a note of what it has deleted.
    const kept = ownResources(await stack.state()).filter((resource) => !('pendingReplacement' in resource));
    const real = kept.map((resource) => ({
      ...resource,
      name: resource.urn.slice(resource.urn.lastIndexOf(':') + 1),
    }));
    expect({ index, isSuccess: result.isSuccess, ...seen(real, emulator) }).toEqual({
      index,
      isSuccess: outcome.errors.length === 0,
      ...seen(
        standIn.state.filter((entry) => entry.isPendingReplacement !== true),
        scene.emulator,
      ),
    });
  }
});
