import { type Switches, switchTable } from '../../emulator/src/switches';
import { oneOfEach } from '../support/core-scenario';
import { policyId } from '../support/ids';
import { literal, program } from '../support/programs';
import { stackOnService } from '../support/service-stack';
import { ownResources } from '../support/stack-state';

/** Services that answer every open question of the document in another way; together they take every position. */
const services: Record<string, Partial<Switches>> = {
  'the public service': {},
  'a terse service': {
    errorBody: 'empty',
    missingRule: 'empty',
    missingModuleOnGet: 'null',
    missingModuleOnDelete: '204',
    missingParentOnPut: '400',
    missingParentOnPost: '404',
    duplicateCidr: '409',
    bareAddress: 'canonical',
    hostBits: 'canonical',
    ipv6Text: 'canonical',
    unsetText: 'empty',
    policyValue: 'reserialised',
    listOrder: 'oldest-first',
    pageSize: 1,
    nextPageUri: 'relative',
    timestamps: 'fraction',
    emptyPatch: 'ignored',
    immutablePatch: 'ignored',
    partialPut: '400',
    unknownInput: 'ignored',
    unexpectedBody: 'ignored',
    regexDialect: 'ecmascript',
    retryAfter: 'absent',
  },
  'a talkative service': {
    errorBody: 'text',
    missingRule: 'error-body-without-code',
    missingModuleOnGet: 'empty-object',
    missingParentOnPut: '422',
    missingParentOnPost: '422',
    duplicateCidr: 'accepted',
    bareAddress: 'as-sent',
    hostBits: 'as-sent',
    ipv6Text: 'as-sent',
    unsetText: 'null',
    emptyPage: 'after-first',
    listLagMs: 2_000,
    timestamps: 'offset',
    extraFields: 'some',
    retryAfter: 'date',
    rateLimit: 30,
    rateLimitWindowMs: 2_000,
    simultaneousLimit: 1,
  },
  'a service behind a proxy': {
    errorBody: 'html',
    missingModuleOnGet: 'defaults',
    parents: 'any',
    retryAfter: 'nonsense',
    rateLimit: 30,
    rateLimitWindowMs: 2_000,
  },
  'a service without error codes': { errorBody: 'json-without-code', missingModuleOnGet: '404' },
};

/** Positions that end in a refusal, which is no difference between two of our runs; lifecycle tests take them. */
const refusals: readonly string[] = ['parents: seeded', 'lastRuleOfPolicy: 400'];

test('the services take every position of every switch', () => {
  const taken = Object.values(services).flatMap((switches) =>
    Object.entries(switches).map(([name, position]) => `${name}: ${position}`),
  );
  const positions = Object.entries(switchTable).flatMap(([name, { kind, start, ...rest }]) =>
    kind === 'choice' && 'positions' in rest
      ? rest.positions.filter((position) => position !== start).map((position) => `${name}: ${position}`)
      : [],
  );
  expect(positions.filter((position) => !taken.includes(position) && !refusals.includes(position))).toEqual(
    [],
  );
});

test.each(Object.entries(services))(
  'on %s nothing is left to do after an up, and a refresh finds no drift',
  async (_name, switches) => {
    const { stack, emulator } = await stackOnService({ program: oneOfEach() });
    emulator.setSwitches(switches);
    await stack.up();
    expect((await stack.up()).changes).toEqual({});
    const before = ownResources(await stack.state()).map(({ inputs, outputs }) => ({ inputs, outputs }));
    await stack.refresh();
    const after = ownResources(await stack.state()).map(({ inputs, outputs }) => ({ inputs, outputs }));
    expect(after).toEqual(before);
    await stack.expectEmptyPreview();

    stack.writeProgram(
      program(`
        new IpPolicyRule('rule', ${literal({ cidr: '2001:DB8::/33', action: 'deny', ipPolicyId: policyId })});
        return {};
      `),
    );
    await stack.up();
    expect((await stack.preview({ args: ['--refresh'] })).changes).toEqual({ refresh: 1 });
    expect(emulator.state()).toMatchObject({ rules: [{ action: 'deny' }], tcpModules: {}, httpsModules: {} });
    await stack.destroy();
    expect(emulator.state().rules).toEqual([]);
  },
);
