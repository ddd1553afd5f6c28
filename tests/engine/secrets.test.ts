import { httpsEdgeId, policyId, routeId, tcpEdgeId } from '../support/ids';
import { program } from '../support/programs';
import { stackOnService } from '../support/service-stack';
import { ownResources } from '../support/stack-state';

// The harness scans after every call: output, state, event logs, and whatever else was written. A canary that shows up
// anywhere fails the test, so most of what is proved here needs no assertion.

/** Every field that may hold a secret does; the text behind the canary tells the revisions apart. */
const secretive = (revision: string) =>
  program(`
    const secret = pulumi.secret(process.env.CANARY_SECRET + ' ${revision}');
    const value = secret.apply((name) => JSON.stringify({ inbound: [{ name, expressions: ['true'], actions: [{ type: 'deny' }] }] }));
    new IpPolicyRule('rule', { cidr: '10.0.0.0/8', action: 'deny', ipPolicyId: '${policyId}', description: secret, metadata: secret });
    new TcpEdgeTrafficPolicyModule('policy', { edgeId: '${tcpEdgeId}', value });
    new HttpsEdgeRouteUserAgentFilterModule('filter', { edgeId: '${httpsEdgeId}', routeId: '${routeId}', deny: [secret] });
    return {};`);

test('secrets and the key stay out of output, state, event logs and -v=9 logs, from create to destroy', async () => {
  const { stack, emulator } = await stackOnService({ program: secretive('one') });
  await stack.up({ isVerbose: true });
  const [rule] = emulator.state().rules;
  expect(rule).toMatchObject({ description: `${stack.secret} one`, metadata: `${stack.secret} one` });
  for (const { outputs = {} } of ownResources(await stack.state())) {
    expect(JSON.stringify(outputs)).toContain('ciphertext');
  }

  stack.writeProgram(secretive('two'));
  await stack.up({ args: ['--diff'], isVerbose: true });
  emulator.remote.updateRule(rule?.id ?? '', { description: 'theirs' });
  await stack.refresh({ args: ['--diff'], isVerbose: true });
  await stack.preview({ args: ['--json'], isVerbose: true });
  await stack.destroy({ isVerbose: true });
});

test('what a message of the service quotes of a secret is masked, and writes without an answer leave no secret in state', async () => {
  const { stack, emulator } = await stackOnService({ program: secretive('one') });
  const quoting = ['POST', 'PATCH', 'PUT'].map((method) =>
    emulator.fault({ method, kind: 'status', status: 400, echo: true, times: 'always' }),
  );
  const created = await stack.up({ expect: 'failure', args: ['--continue-on-error'], isVerbose: true });
  expect(created.errors.join('\n')).toMatch(/returned 400: Refused: \{"cidr":"10.*\*\*\*/);
  for (const fault of quoting) fault.remove();

  await stack.up();
  stack.writeProgram(secretive('two'));
  for (const method of ['PATCH', 'PUT'])
    emulator.fault({ method, kind: 'status', status: 422, echo: true, times: 'always' });
  const updated = await stack.up({ expect: 'failure', args: ['--continue-on-error'] });
  expect(updated.errors.join('\n')).toMatch(/returned 422: Refused: \{"description.*\*\*\*/);

  for (const fault of emulator.faults) fault.remove();
  for (const method of ['PATCH', 'PUT', 'GET'])
    emulator.fault({ method, kind: 'reset', when: 'after', times: 'always' });
  const lost = await stack.up({ expect: 'failure', args: ['--continue-on-error'] });
  expect(lost.errors.join('\n')).toContain('may differ from what is declared');
});

const TEXT = 'of the open office';
const declared = (isSecret: boolean) =>
  program(`
    const text = ${isSecret} ? pulumi.secret('${TEXT}') : '${TEXT}';
    const ipPolicyId = '${policyId}';
    new IpPolicyRule('rule', { ipPolicyId, cidr: '10.0.0.0/8', action: 'deny', description: text });
    new IpPolicyRuleSet('set', { ipPolicyId, rules: [{ cidr: '10.0.0.0/9', action: 'deny', metadata: text }] });
    return {};`);

test('what becomes secret or plain is no change, and decides whether a message of the service shows it', async () => {
  const { stack, emulator } = await stackOnService({ program: declared(false) });
  const body = { msg: `bad: ${TEXT}.` };
  for (const isSecret of [false, true]) {
    stack.writeProgram(declared(isSecret));
    const refusing = emulator.fault({ method: 'POST', kind: 'status', status: 400, body, times: 'always' });
    const { errors } = await stack.up({ expect: 'failure', args: ['--continue-on-error'] });
    refusing.remove();
    const said = new Set(errors.join('\n').match(/returned 400: [^[\n]*/g));
    expect([...said]).toEqual([`returned 400: bad: ${isSecret ? '***' : TEXT}.`]);
  }
  await stack.up();
  for (const isSecret of [false, true]) {
    stack.writeProgram(declared(isSecret));
    const { changes, stdout } = await stack.up({ args: ['--diff'] });
    expect([changes, /^ *[~+-] |__secretInputs/m.exec(stdout)]).toEqual([{}, null]);
  }
});
