// What a review says of states that are not what is live, and of providers that are not what their names say, against the `up` of
// the real CLI.
import type { Host } from '../../provider/src/resources/provider-reference';
import { readAssertionFile, type Report } from '../../review/src';
import { httpsEdgeId, policyId, routeId, tcpEdgeId } from '../support/ids';
import { killBehindEffect } from '../support/killed-run';
import { literal, program } from '../support/programs';
import { startService, stackOnService } from '../support/service-stack';
import { reviewed, told } from '../unit/review/reviewing';
import { type Change, change, changesIn, edgeOf, policiesOf, previewed, programOf } from './review/changes';
import { modulesOf, rulesOf } from './review/live-objects';

const office = (options = '{}') =>
  `new IpPolicyRule('office', { ipPolicyId: '${policyId}', action: 'allow', cidr: '10.0.0.0/8' }, ${options});`;

/** Refuses everybody. */
const SHUT = { enabled: true, value: '{"inbound":[{"name":"all","actions":[{"type":"deny"}]}]}' };
const ONCE = { 'edge-policy:maxAttempts': 1 };

const rule = (cidr: string): string =>
  `new IpPolicyRule('rule', { ipPolicyId: '${policyId}', action: 'allow', cidr: '${cidr}' });`;
const edge = (cidr: string): string =>
  `new TcpEdgeTrafficPolicyModule('edge', { edgeId: '${tcpEdgeId}', value: { inbound: [{ name: 'outside',
    expressions: ["!inCidrRange(conn.client_ip, '${cidr}')"], actions: [{ type: 'deny' }] }] } });`;

/** An update whose answer is lost for good, and the change after it, which lets in who may have been kept out. */
const lost = (before: string, between: string, after: string): Change => change(before, after, between);
const DENY = "[A, deny('10.0.1.0/28')]";
const OWNER = `set('a', [A], { exclusive: true })`;
const LOST: readonly Change[] = [
  lost(`one('a', '10.0.0.0/8');`, `one('a', '10.1.0.0/16');`, `one('a', '10.0.0.0/8');`),
  lost(`set('a', [A, B]);`, `set('a', [A]);`, `set('a', [A, B]);`),
  lost(`set('a', [A]);`, `set('a', ${DENY});`, `set('a', [A]);`),
  lost(`edge('a', [A]);`, `edge('a', []);`, `edge('a', []);`),
  lost(`edge('a', []);`, `edge('a', [A]);`, `edge('a', []);`),
  lost(`route('a', 'curl');`, `route('a', 'wget');`, `route('a', 'wget');`),
];
/** The modules whose writes are refused before they take effect; all others are carried out. */
const NOT_CARRIED_OUT = [3, 5];
const routeOf = (index: number): string => `${routeId.slice(0, -2)}${edgeOf(index).slice(-2)}`;
const placeOf = (index: number): string =>
  index < 5
    ? `/edges/tcp/${edgeOf(index)}/traffic_policy`
    : `/edges/https/${httpsEdgeId}/routes/${routeOf(index)}/user_agent_filter`;
const subjectOf = (index: number): string | undefined =>
  [policiesOf(index)[0], edgeOf(index), `${httpsEdgeId}/${routeOf(index)}`][
    index < 3 ? 0 : index < 5 ? 1 : 2
  ];

/** A program whose first run is killed, and the one after it, by whether its `up` stops. */
const INTERRUPTED: Readonly<Record<'always' | 'if refused' | 'never', Readonly<Record<string, Change>>>> = {
  always: {
    'an owner': lost('', OWNER, OWNER),
    'other content': lost('', `edge('a', [A])`, `edge('a', [B])`),
    'another name': lost('', `edge('a', [A])`, `edge('b', [B])`),
  },
  'if refused': {
    rule: lost('', `one('a', A)`, `one('a', A)`),
    'a renamed rule': lost('', `one('a', A)`, `one('b', A)`),
    set: lost('', `set('a', [A])`, `set('a', [A])`),
    'an update': lost(`one('a', A)`, `one('a', B)`, `one('a', A); one('b', B)`),
    'a set that needs what it may have': lost(`set('a', [A])`, `set('a', [A, B])`, `set('a', [A, B])`),
    'an update of a set': lost(`set('a', [A])`, `set('a', [A, B])`, `set('a', [A]); one('b', B)`),
  },
  never: {
    'a rule that may overwrite': lost('', `one('a', A)`, `one('a', A, FORCED)`),
    'a set that may overwrite': lost('', `set('a', [A])`, `set('a', [A], FORCED)`),
    'an owner that may overwrite': lost('', OWNER, `set('a', [A], { exclusive: true, ...FORCED })`),
    'equal content': lost('', `edge('a', [A])`, `edge('a', [A])`),
    'a module that may overwrite': lost('', `edge('a', [A])`, `edge('a', [B], FORCED)`),
    'given up': lost('', `one('a', A)`, `one('b', B)`),
  },
};

test.each([
  ['dynamic', 'refused'],
  ['native', 'accepted'],
] as const)(
  '%s, duplicates %s: an up after a killed run stops at what the review says',
  async (host, answer) => {
    const { always, 'if refused': onlyRefused, never } = INTERRUPTED;
    const changes = [always, onlyRefused, never].flatMap((table) => Object.entries(table));
    const write = (part: (of: Change) => string) => programOf(changes.map(([, of]) => part(of)));
    const duplicateCidr = answer === 'refused' ? '400' : answer;
    const { stack, emulator } = await stackOnService(
      { program: write(({ before }) => before), host, config: { 'edge-policy:maxConcurrency': 32 } },
      await startService({ switches: { duplicateCidr } }),
    );
    await stack.up();
    stack.writeProgram(write(({ between }) => between));
    const args = ['--parallel', '64'];
    const methods = ['POST', 'PUT', 'PATCH'];
    await killBehindEffect({ stack, emulator }, 'up', { methods, count: changes.length, args });
    await stack.cancel();
    stack.writeProgram(write(({ after }) => after));
    const { preview, state } = await previewed(stack);
    const held = emulator.state();
    const stops = (live: object) => {
      const report = reviewed(preview, { assumptions: { duplicateNetworks: answer }, state, ...live });
      const found = report.findings.filter(({ id }) => id === 'up-would-fail');
      return namesOf(found.map(({ where }) => where.origin?.urn));
    };
    const namesOf = (urns: readonly (string | undefined)[]) =>
      [...new Set(urns.flatMap(changesIn))].map((index) => changes[index]?.[0]).sort();
    const { events } = await stack.up({ args: [...args, '--continue-on-error'], expect: 'failure' });
    const stopped = namesOf(
      events.flatMap(({ diagnosticEvent: line }) => (line?.severity === 'error' ? [line.urn] : [])),
    );
    const expected = { ...always, ...(answer === 'refused' && onlyRefused) };
    expect(stopped).toEqual(Object.keys(expected).sort());
    expect(stops({})).toEqual(stopped);
    expect(stops({ liveRules: rulesOf(held), liveModules: modulesOf(held) })).toEqual(stopped);
  },
);

test.each<Host>(['dynamic', 'native'])(
  '%s: a provider of the program with the name of the engine’s sends nothing elsewhere unseen',
  async (host) => {
    const [service, elsewhere] = [await startService(), await startService()];
    const { stack } = await stackOnService({ program: program(`${office()} return {};`), host }, service);
    await stack.up();
    // The name and the version by which the engine itself calls its provider.
    const { resources } = await stack.state();
    const [name = ''] = resources.flatMap(({ urn }) => /::(default[^:]*)$/.exec(urn)?.[1] ?? []);
    const hostile = `const provider = new Provider('${name}', { baseUrl: ${literal(elsewhere.emulator.url)} });`;
    stack.writeProgram(program(`${hostile} ${office('{ provider }')} return {};`));
    const { preview, state } = await previewed(stack);
    const { findings, verdict } = reviewed(preview, { state });
    expect(told({ findings }, 'service-changed')).toEqual([
      expect.stringMatching(/^high service-changed: 1 resource .* would go to/),
    ]);
    expect(verdict.affectsAccess).toBe(true);
  },
);

test('a write whose answer is lost for good: what comes next is not without effect, in any kind of resource', async () => {
  const write = (part: (of: Change) => string) => programOf(LOST.map(part));
  const { stack, emulator } = await stackOnService({
    program: write((of) => of.before),
    host: 'dynamic',
    config: ONCE,
  });
  await stack.up();
  const always = { kind: 'reset', times: 'always' } as const;
  const faults = [
    ...NOT_CARRIED_OUT.map((index) => ({
      ...{ method: 'PUT', path: placeOf(index) },
      when: 'before' as const,
    })),
    ...['PUT', 'PATCH', 'POST', 'DELETE'].map((method) => ({ method, when: 'after' as const })),
    { method: 'GET' },
  ].map((each) => emulator.fault({ ...always, ...each }));
  stack.writeProgram(write(({ between }) => between));
  // All at once: after the first failure, the engine begins nothing more.
  await stack.up({ args: ['--parallel', '64', '--continue-on-error'], expect: 'failure' });
  for (const each of faults) each.remove();
  stack.writeProgram(write(({ after }) => after));

  const { preview, state } = await previewed(stack);
  const report = reviewed(preview, { state, noNewAccess: true });
  const open = report.findings.filter(({ id }) => id === 'new-access').map(({ where }) => where.subject);
  expect(preview.gaps).toEqual([]);
  expect(open.sort()).toEqual(LOST.map((_, index) => subjectOf(index)).sort());
  expect(report.verdict).toMatchObject({ outcome: 'findings', affectsAccess: true });
  await stack.up();
  const settled = await previewed(stack);
  expect(told(reviewed(settled.preview, { state: settled.state }))).toEqual([]);
});

test('a killed update is both: what was there, and what was sent', async () => {
  const { stack, emulator } = await stackOnService({
    program: program(`${rule('10.0.0.0/8')} return {};`),
    host: 'native',
  });
  await stack.up();
  stack.writeProgram(program(`${rule('0.0.0.0/0')} return {};`));
  await killBehindEffect({ stack, emulator }, 'up', { methods: ['PATCH'], count: 1 });
  stack.writeProgram(program(`${rule('10.0.0.0/8')} return {};`));
  await stack.cancel();
  const { preview, state } = await previewed(stack);
  const ceiling = (network: string) => {
    const text = JSON.stringify({ policies: [{ ipPolicyId: policyId, neverWiderThan: [network] }] });
    return reviewed(preview, { state, assertions: readAssertionFile(text, 'a.json') }).verdict.outcome;
  };
  expect(ceiling('10.0.0.0/8')).not.toBe('clear');
  expect(ceiling('0.0.0.0/0')).toBe('clear');
});

test('whether a killed delete has deleted a module is not decidable, and a deny may be gone', async () => {
  const deny = `new IpPolicyRule('deny', { ipPolicyId: '${policyId}', action: 'deny', cidr: '10.1.0.0/16' });`;
  const all = `${rule('10.0.0.0/8')} ${deny} ${edge('10.0.0.0/8')} return {};`;
  const { stack, emulator } = await stackOnService({ program: program(all), host: 'dynamic' });
  await stack.up();
  stack.writeProgram(program('return {};'));
  await killBehindEffect({ stack, emulator }, 'up', { methods: ['DELETE'], count: 3 });
  stack.writeProgram(program(all));
  await stack.cancel();
  const { preview, state } = await previewed(stack);
  expect(told(reviewed(preview, { state }))).toEqual([
    expect.stringMatching(/^high preview-incomplete: A run was interrupted while it deleted "edge": run/),
  ]);
  const pending = state.pending.filter(({ state: { type } }) => type.endsWith('IpPolicyRule'));
  const text = JSON.stringify({ policies: [{ ipPolicyId: policyId, mustDeny: ['10.1.0.0/16'] }] });
  const assertions = readAssertionFile(text, 'a.json');
  expect(reviewed(preview, { state: { ...state, pending }, assertions }).verdict.outcome).not.toBe('clear');
  expect(reviewed(preview, { state: { ...state, pending: [] }, assertions }).verdict.outcome).toBe('clear');
});

test('with --live, before is what the service has, and after what the run really writes', async () => {
  const places = [0, 1, 2].map((index) => policiesOf(index)[0]);
  const write = (name: string, description: string) =>
    programOf([
      `new TcpEdgeTrafficPolicyModule('module', { edgeId: '${edgeOf(0)}', value: { inbound: [{ name: '${name}',
        expressions: ["inCidrRange(conn.client_ip, '10.0.0.0/8')"], actions: [{ type: 'deny' }] }] } });`,
      `one('allow', A); one('deny', '10.0.1.0/28', DENY);`,
      `one('text', A, { description: '${description}' }); set('a', [B, C]);`,
    ]);
  const { stack, emulator } = await stackOnService({ program: write('before', 'before'), host: 'native' });
  await stack.up();
  const { remote } = emulator;
  const judged = async () => {
    const { preview, state } = await previewed(stack);
    const held = emulator.state();
    const live = { liveRules: rulesOf(held), liveModules: modulesOf(held) };
    const text = JSON.stringify({ policies: [{ ipPolicyId: places[1], mustDeny: ['10.0.1.1'] }] });
    const assertions = readAssertionFile(text, 'a.json');
    return {
      live: reviewed(preview, { state, ...live, assertions }),
      blind: reviewed(preview, { state, assertions }),
    };
  };
  const idsOf = ({ findings }: Report) => [...new Set(findings.map(({ id }) => id))].sort();
  stack.writeProgram(write('after', 'after'));
  const quiet = await judged();
  expect(idsOf(quiet.live)).toEqual(idsOf(quiet.blind));
  expect(quiet.live.verdict).toMatchObject({ outcome: 'clear', affectsAccess: false });

  remote.modules('tcpModules').set(edgeOf(0), SHUT);
  const find = (policy: string | undefined, cidr: string) =>
    emulator.state().rules.find((each) => each.ip_policy.id === policy && each.cidr === cidr)?.id ?? '';
  remote.deleteRule(find(places[1], '10.0.1.0/28'));
  remote.deleteRule(find(places[2], '10.0.1.0/24'));
  const { live, blind } = await judged();
  expect(blind.verdict).toMatchObject({ outcome: 'clear', affectsAccess: false });
  expect(told(live, 'state-drifted')).toEqual([expect.stringMatching(/^info state-drifted: 3 resources/)]);
  expect(told(live, 'up-would-fail')).toEqual([expect.stringContaining('no longer exists on the service')]);
  expect(idsOf(live)).toEqual(expect.arrayContaining(['assertion-failed', 'traffic-rule-changed']));
  expect(live.findings.map(({ where }) => where.subject)).toContain(edgeOf(0));
  const failed = await stack.up({ expect: 'failure' });
  expect(failed.output).toContain('no longer exists');
});
