// What the commands conclude from silence: a key of another account is shown nothing of ours, and that is no news.
import { providerReference, type ResourceType } from '../../../provider/src/resources/provider-reference';
import { aged } from '../../support/aged';
import { CommandLine, stackHolding, printed } from '../../support/command-line';
import { type Bag, type Scene, startScene } from '../../support/host';
import { otherPolicyId, policyId, tcpEdgeId } from '../../support/ids';
import { SecretsScan } from '../../support/secrets-scan';
import { providerOf, resource, stackResource } from '../../support/state-resource';
import { policyRule, previewText } from '../../unit/review/preview-builder';

const DEFAULT = 'urn:pulumi:dev::project::pulumi:providers:pulumi-nodejs::default::one';
/** A policy of the other account alone. */
const elsewhere = 'ipp_2ZnV5Rw8XhTq4LmKb7CyElsewhere';
const EXPLAIN_ALL = ['explain', '192.0.2.7', '--live'];
const EXPLAIN = [...EXPLAIN_ALL, '--policy', policyId];
const OTHER_ACCOUNT = /may belong to another account/;

const declared: readonly (readonly [type: ResourceType, args: Bag])[] = [
  ['IpPolicyRule', { ipPolicyId: policyId, action: 'allow', cidr: '192.0.2.0/24' }],
  ['IpPolicyRuleSet', { ipPolicyId: policyId, rules: '{"10.0.0.0/8":{"action":"deny"}}' }],
  ['TcpEdgeTrafficPolicyModule', { edgeId: tcpEdgeId, enabled: true, value: '{"inbound":[]}' }],
];

/** A service with two accounts and a stack in the first of them, of which a test says how the commands see it. */
class Place {
  readonly owner: string;
  /** A key of another account, which holds something, too. */
  readonly foreign = SecretsScan.makeUp('foreign');
  /** A new key of the account. */
  readonly rotated = SecretsScan.makeUp('rotated');

  private constructor(readonly scene: Scene) {
    this.owner = scene.apiKey;
    scene.emulator.issueKey(this.foreign, 'another');
    scene.emulator.issueKey(this.rotated);
    scene.emulator.seed(
      { rules: [{ ...live, cidr: '198.51.100.0/24', ip_policy_id: elsewhere }] },
      'another',
    );
  }

  static async make(): Promise<Place> {
    return new Place(await startScene());
  }

  /** The resources of a state, made with a key. */
  async made(key = this.owner, provider = DEFAULT, of = declared): Promise<Bag[]> {
    const host = this.scene.newProcess({ apiKey: key });
    const entries: Bag[] = [];
    for (const [type, args] of of) {
      const given = { __provider: providerReference(type), ...args };
      const { id, inputs, outs } = await host.create(type, given);
      const name = `${type}-${provider.split('::').at(-2) ?? ''}`;
      entries.push({ ...resource(type, name, inputs), id, provider, outputs: aged(outs) });
    }
    return entries;
  }

  /** All rules and modules of the account are deleted by others. */
  loseAll(): void {
    const { emulator } = this.scene;
    for (const { id } of emulator.state().rules) emulator.remote.deleteRule(id);
    emulator.remote.modules('tcpModules').delete(tcpEdgeId);
  }

  line(key: string | undefined, resources: readonly object[], pending: readonly object[] = []): CommandLine {
    const service = { emulator: this.scene.emulator, apiKey: key ?? '' };
    const line = new CommandLine(key === undefined ? undefined : service);
    line.withPulumi(stackHolding([stackResource, ...resources], pending));
    const steps = [stackResource, ...resources].map((state) => ({
      op: 'same',
      urn: (state as Bag)['urn'],
      oldState: state,
      newState: state,
    }));
    line.write('preview.json', JSON.stringify({ steps, changeSummary: { same: steps.length } }));
    return line;
  }
}

const withoutMark = (entry: Bag): Bag => {
  const { account: _mark, ...outputs } = entry['outputs'] as Bag;
  return { ...entry, outputs };
};

const live = { action: 'allow', ip_policy_id: policyId } as const;

/** Creates of rules that a killed run had begun. */
const creating = (count: number, provider = DEFAULT, ipPolicyId = policyId) =>
  Array.from({ length: count }, (_, index) => {
    const { urn, type } = resource('IpPolicyRule', `allow-${index}`, {});
    const inputs = { ipPolicyId, action: 'allow', cidr: `203.0.113.${index}/32` };
    return { type: 'creating', resource: { urn, type, provider, inputs } };
  });

const isWritten = (line: CommandLine): boolean =>
  line.pulumiCalls().some((call) => /^(stack )?import|^refresh/.test(call));

/** What `recover` decides and why, and whether it has written anything. */
const recover = async (line: CommandLine, ...args: string[]) => {
  const { exitCode, json } = await line.run('recover', '--json', '--no-wait', ...args);
  const { operations } = json as { operations: { verdict: string; why: string }[] };
  const verdicts = operations.map(({ verdict }) => verdict);
  return { exitCode, verdicts, whys: operations.map(({ why }) => why), isWritten: isWritten(line) };
};

const accountLines = async (line: CommandLine): Promise<Record<string, string>> => {
  const checks = (await line.run('doctor', '--json')).json as { what: string; status: string }[];
  const own = checks.filter(({ what }) => what.startsWith('account of the state'));
  return Object.fromEntries(own.map(({ what, status }) => [what, status]));
};

describe('a key of another account', () => {
  test.each<[args: readonly string[], exitCode: number, ofNewKey: number]>([
    [['drift'], 2, 0],
    [['list', '--unmanaged'], 3, 0],
    [['import', '--all'], 3, 0],
    [['import', '--all', '--run'], 3, 0],
    [EXPLAIN, 2, 0],
    [EXPLAIN_ALL, 2, 0],
    [['review', 'preview.json', '--live'], 3, 0],
    [['page', '--live'], 3, 0],
  ])(
    '%j: nothing is concluded, and a new key of the account is believed',
    async (args, exitCode, ofNewKey) => {
      const place = await Place.make();
      const resources = await place.made();
      const line = place.line(place.foreign, resources);
      const refused = await line.run(...args);
      expect(refused.exitCode).toBe(exitCode);
      expect(refused.stderr).toMatch(OTHER_ACCOUNT);
      expect(isWritten(line)).toBe(false);
      for (const key of [place.owner, place.rotated]) {
        const believed = await place.line(key, resources).run(...args);
        expect([believed.exitCode, believed.stderr]).toEqual([
          ofNewKey,
          expect.not.stringMatching(OTHER_ACCOUNT),
        ]);
      }
    },
  );

  test('list: the rules are shown, and none is said to be unmanaged', async () => {
    const place = await Place.make();
    const { exitCode, json } = await place.line(place.foreign, await place.made()).run('list', '--json');
    expect(exitCode).toBe(0);
    expect(json).toMatchObject({
      managedUnknownBecause: expect.stringMatching(OTHER_ACCOUNT) as string,
      policies: [{ id: elsewhere, rules: [expect.not.objectContaining({ managedBy: null })] }],
    });
  });

  test('recover --yes: no pending create is dropped, and the right key brings all of them in', async () => {
    const place = await Place.make();
    const resources = await place.made();
    const pending = creating(32);
    const rules = pending.map(({ resource: { inputs } }) => ({ ...live, cidr: inputs.cidr }));
    place.scene.emulator.seed({ rules });
    expect(await recover(place.line(place.foreign, resources, pending), '--yes')).toEqual({
      ...{ exitCode: 1, isWritten: false, verdicts: Array(32).fill('refuse') },
      whys: Array(32).fill(expect.stringMatching(OTHER_ACCOUNT)) as unknown,
    });
    expect(await recover(place.line(place.rotated, resources, pending), '--yes')).toMatchObject({
      ...{ exitCode: 0, verdicts: Array(32).fill('take') },
    });
  });

  test.each(['updating', 'deleting'])(
    'recover --yes: an operation that is %s stays pending',
    async (type) => {
      const place = await Place.make();
      const resources = await place.made();
      for (const { urn, ...resource } of resources) {
        const line = place.line(place.foreign, resources, [{ type, resource: { ...resource, urn } }]);
        const refused = { exitCode: 1, verdicts: ['refuse'], isWritten: false };
        expect(await recover(line, '--yes')).toMatchObject(refused);
        expect(await recover(line, '--yes', '--clear', String(urn))).toMatchObject({ exitCode: 0 });
      }
    },
  );
});

describe('what is missing altogether', () => {
  test('is gone if the state was written with this key', async () => {
    const place = await Place.make();
    const resources = await place.made();
    place.loseAll();
    expect(await place.line(place.owner, resources).run('drift')).toMatchObject(
      printed(1, 'no longer exists'),
    );
    expect(await accountLines(place.line(place.owner, resources))).toEqual({ 'account of the state': 'ok' });
  });

  test.each<[string, (entry: Bag) => Bag, 'owner' | 'rotated']>([
    ['with another one', (entry) => entry, 'rotated'],
    ['before states had marks', withoutMark, 'owner'],
  ])('is not decided if the state was written %s', async (_name, change, key) => {
    const place = await Place.make();
    const resources = (await place.made()).map(change);
    expect((await place.line(place[key], resources).run('drift')).exitCode).toBe(0);
    place.loseAll();
    expect(await place.line(place[key], resources).run('drift')).toMatchObject({ exitCode: 2, stdout: '' });
    expect(await accountLines(place.line(place[key], resources))).toEqual({ 'account of the state': 'red' });
  });

  test.each([0, 1, 2])('is gone if one resource without a mark is live: number %i', async (index) => {
    const place = await Place.make();
    const resources = (await place.made()).map(withoutMark);
    const kept = place.scene.emulator
      .state()
      .rules.map(({ ip_policy: { id: ip_policy_id }, ...rule }) => ({ ...rule, ip_policy_id }));
    place.loseAll();
    const { emulator } = place.scene;
    if (index === 2)
      emulator.remote.modules('tcpModules').set(tcpEdgeId, { enabled: true, value: '{"inbound":[]}' });
    else emulator.seed({ rules: kept.slice(index, index + 1) });
    expect(await place.line(place.owner, resources).run('drift')).toMatchObject(
      printed(1, 'no longer exists'),
    );
  });
});

describe('two accounts in one program', () => {
  const [one, two] = ['one', 'two'].map(
    (name) => `urn:pulumi:dev::project::pulumi:providers:edge-policy::${name}::id`,
  );

  /** A resource of each account, and the key that the second provider has by now. */
  const both = async (place: Place, ofSecond: string): Promise<Bag[]> => [
    providerOf('one', place.scene),
    providerOf('two', { ...place.scene, apiKey: ofSecond }),
    ...(await place.made(place.owner, one)),
    ...(await place.made(place.foreign, two, [
      ['IpPolicyRule', { ipPolicyId: otherPolicyId, action: 'deny', cidr: '203.0.113.0/24' }],
    ])),
  ];

  test('are each asked with their own key', async () => {
    const place = await Place.make();
    const line = place.line(undefined, await both(place, place.foreign));
    expect((await line.run('drift')).exitCode).toBe(0);
    expect((await line.run('review', 'preview.json', '--live')).exitCode).toBe(0);
    const unmanaged = async (name: string) =>
      (await line.run('list', '--unmanaged', '--provider', name)).exitCode;
    expect([await unmanaged('one'), await unmanaged('two')]).toEqual([0, 1]);
    expect(await accountLines(line)).toEqual({
      'account of the state (Provider one)': 'ok',
      'account of the state (Provider two)': 'ok',
    });
  });

  test('one whose key does not know its account is refused, and the other one is judged', async () => {
    const place = await Place.make();
    const resources = await both(place, place.rotated);
    const line = place.line(undefined, resources);
    expect((await line.run('drift')).exitCode).toBe(2);
    expect((await line.run('review', 'preview.json', '--live')).exitCode).toBe(3);
    const listed = ['one', 'two'].map((name) => line.run('list', '--unmanaged', '--provider', name));
    expect((await Promise.all(listed)).map(({ exitCode }) => exitCode)).toEqual([0, 3]);
    expect(await accountLines(line)).toEqual({
      'account of the state (Provider one)': 'ok',
      'account of the state (Provider two)': 'red',
    });
    const [first = {}, second = {}] = [...creating(1, one), ...creating(2, two, otherPolicyId).slice(1)];
    const { verdicts } = await recover(place.line(undefined, resources, [first, second]));
    expect(verdicts).toEqual(['clear', 'refuse']);
    // The stack has an account of its own as well.
    expect(await accountLines(place.line(place.owner, resources))).toMatchObject({
      'account of the state': 'skipped',
      'account of the state (Provider two)': 'red',
    });
  });
});

describe('a stack that holds nothing yet', () => {
  test('recover: what is not there may be in another account, so only the operator forgets it', async () => {
    const place = await Place.make();
    const pending = creating(1);
    const line = place.line(place.owner, [], pending);
    expect(await recover(line, '--yes')).toEqual({
      ...{ exitCode: 1, isWritten: false, verdicts: ['refuse'] },
      whys: [expect.stringContaining('--clear')],
    });
    const { urn = '' } = pending[0]?.resource ?? {};
    expect(await recover(line, '--yes', '--clear', urn)).toMatchObject({ exitCode: 0 });
  });

  test('recover: one of its operations that had an effect proves the account for all of them', async () => {
    const place = await Place.make();
    place.scene.emulator.remote.createRule({ ...live, cidr: '203.0.113.0/32' });
    const { verdicts } = await recover(place.line(place.owner, [], creating(3)));
    expect(verdicts).toEqual(['take', 'clear', 'clear']);
  });

  test('list and import take what the key shows; doctor and review --live say that nothing is proved', async () => {
    const place = await Place.make();
    await place.made();
    const line = place.line(place.owner, []);
    expect((await line.run('list', '--unmanaged')).exitCode).toBe(1);
    expect((await line.run('import', '--all')).exitCode).toBe(0);
    expect(await accountLines(line)).toEqual({ 'account of the state': 'skipped' });
    const inputs = { ipPolicyId: policyId, action: 'deny', cidr: '10.9.0.0/16' };
    line.write(
      'preview.json',
      previewText([policyRule('new', { after: inputs, newState: { provider: DEFAULT } })]),
    );
    expect((await line.run('review', 'preview.json', '--live')).stderr).toContain(
      'nothing shows whether the key',
    );
  });
});
