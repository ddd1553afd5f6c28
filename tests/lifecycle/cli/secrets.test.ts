import { inflateRawSync } from 'node:zlib';
import { CommandLine, stackHolding } from '../../support/command-line';
import { policyId } from '../../support/ids';
import { SecretsScan } from '../../support/secrets-scan';
import { startService } from '../../support/service-stack';
import { resource, secretOf } from '../../support/state-resource';
import { previewText } from '../../unit/review/preview-builder';
import { SECRET } from '../../unit/review/inputs';

const NETWORK = '198.51.100.64/26';
const REASON = 'Merger with Initech';
const rules = `@rules\n${NETWORK}: allow '${REASON}'\n`;
/** The inputs of each kind, one of which no command knows. */
const KINDS = {
  IpPolicyRule: { ipPolicyId: policyId, cidr: NETWORK, action: 'allow', description: REASON, token: REASON },
  IpPolicyRuleSet: { ipPolicyId: policyId, rules, token: REASON },
};
const SECRETS = ['cidr', 'description', 'rules'];
type Inputs = Readonly<Record<string, unknown>>;

const hidden = (inputs: Inputs, secret: (text: string) => unknown): Inputs =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [
      name,
      SECRETS.includes(name) ? secret(String(value)) : value,
    ]),
  );

/** The engine lets the option mark outputs, and leaves the inputs in clear; a secret of the program is one in both. */
const byOption = { additionalSecretOutputs: SECRETS };
type Way = 'by an option' | 'in the program';

/** A stack, a preview that turns its rule into a deny, and its service, where somebody else has edited the rule. */
const lineOf = async (type: keyof typeof KINDS, way: Way) => {
  const { emulator, apiKey } = await startService();
  const wire = { ip_policy_id: policyId, cidr: NETWORK, action: 'allow', description: REASON } as const;
  const { id } = emulator.remote.createRule(wire);
  const [before, option] = [KINDS[type], way === 'by an option' ? byOption : {}];
  const shown = (inputs: Inputs, secret: (text: string) => unknown): Inputs =>
    way === 'by an option' ? inputs : hidden(inputs, secret);
  const outputs = { ...hidden(before, secretOf), ruleIdList: `${id}\n` };
  const held = { ...resource(type, 'hidden', shown(before, secretOf)), ...option, id, outputs };
  const line = new CommandLine({ emulator, apiKey }).withPulumi(stackHolding([held]));
  const after = JSON.parse(JSON.stringify(before).replace('allow', 'deny')) as Inputs;
  const [old = {}, wanted = {}] = [before, after].map((inputs) => shown(inputs, () => SECRET));
  const state = { ...option, outputs: hidden(before, () => SECRET) };
  const change = { type, name: 'hidden', op: 'update', before: old, after: wanted, state, newState: option };
  line.write('preview.json', previewText([change]));
  emulator.remote.updateRule(id, { description: `${REASON} (edited)` });
  const scan = new SecretsScan();
  for (const [label, value] of Object.entries({ NETWORK, REASON, apiKey })) scan.watch(label, value);
  return { line, scan };
};

const contentOf = (page: string): string =>
  page + inflateRawSync(Buffer.from(/id="content">([^<]*)</.exec(page)?.[1] ?? '', 'base64')).toString();

describe.each<[keyof typeof KINDS, Way]>([
  ['IpPolicyRule', 'by an option'],
  ['IpPolicyRule', 'in the program'],
  ['IpPolicyRuleSet', 'by an option'],
  ['IpPolicyRuleSet', 'in the program'],
])('%s: what is secret %s is nowhere', (type, way) => {
  test.each([
    'page --csv evidence.csv',
    'page --csv evidence.csv --live',
    'page --csv evidence.csv --preview preview.json',
    'explain 198.51.100.77',
    'explain 198.51.100.77 --json',
    'explain 198.51.100.77 --live',
    'explain 198.51.100.77 --preview preview.json',
    'review preview.json',
    'review preview.json --format json',
    'drift',
    'drift --json',
    'list',
    'list --json',
  ])('%s', async (command) => {
    const { line, scan } = await lineOf(type, way);
    const { stdout, stderr } = await line.run(...command.split(' '));
    const files = command.startsWith('page')
      ? [line.read('evidence.csv'), contentOf(line.read('access.html'))]
      : [];
    const output = [stdout, stderr, ...files].join('\n');
    expect(output).toMatch(/secret|nobody-let-in/);
    for (const file of files) expect(file).toContain('secret');
    scan.assertClean('the output', output);
  });
});
