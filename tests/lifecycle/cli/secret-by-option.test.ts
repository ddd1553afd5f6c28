import { inflateRawSync } from 'node:zlib';
import { CommandLine, stackHolding } from '../../support/command-line';
import { policyId } from '../../support/ids';
import { startService } from '../../support/service-stack';
import { resource, secretOf } from '../../support/state-resource';
import { previewText } from '../../unit/review/preview-builder';
import { SECRET } from '../../unit/review/inputs';

const NETWORK = '198.51.100.0/24';
const REASON = 'Merger with Initech';
const rules = `@rules\n${NETWORK}: allow '${REASON}'\n`;
const KINDS = {
  IpPolicyRule: { ipPolicyId: policyId, cidr: NETWORK, action: 'allow', description: REASON },
  IpPolicyRuleSet: { ipPolicyId: policyId, rules },
};
const SECRETS = ['cidr', 'description', 'rules'];

/** The engine lets the option mark outputs, and leaves the inputs in clear. */
const marked = (inputs: object, secret: (text: string) => unknown) => ({
  additionalSecretOutputs: SECRETS.filter((name) => name in inputs),
  outputs: Object.fromEntries(
    Object.entries(inputs).map(([name, value]: [string, string]) => [
      name,
      SECRETS.includes(name) ? secret(value) : value,
    ]),
  ) as object,
});

/** A stack, a preview that turns its rule into a deny, and its service, where somebody else has edited the rule. */
const lineOf = async (type: keyof typeof KINDS) => {
  const { emulator, apiKey } = await startService();
  const wire = { ip_policy_id: policyId, cidr: NETWORK, action: 'allow', description: REASON } as const;
  const { id } = emulator.remote.createRule(wire);
  const before = KINDS[type];
  const { outputs, ...option } = marked(before, secretOf);
  const values = { id, outputs: { ...outputs, ruleIdList: `${id}\n` } };
  const held = { ...resource(type, 'hidden', before), ...option, ...values };
  const line = new CommandLine({ emulator, apiKey }).withPulumi(stackHolding([held]));
  const after = JSON.parse(JSON.stringify(before).replace('allow', 'deny')) as object;
  const state = marked(before, () => SECRET);
  const newState = { additionalSecretOutputs: state.additionalSecretOutputs };
  const change = { type, name: 'hidden', before, after: { ...after }, state, newState };
  line.write('preview.json', previewText([change]));
  emulator.remote.updateRule(id, { description: `${REASON} (edited)` });
  return line;
};

const contentOf = (page: string): string =>
  inflateRawSync(Buffer.from(/id="content">([^<]*)</.exec(page)?.[1] ?? '', 'base64')).toString();

describe.each(['IpPolicyRule', 'IpPolicyRuleSet'] as const)(
  '%s: what an option makes secret is nowhere',
  (type) => {
    test.each([
      'page --csv evidence.csv',
      'page --csv evidence.csv --live',
      'page --csv evidence.csv --preview preview.json',
      'explain 198.51.100.7',
      'explain 198.51.100.7 --json',
      'explain 198.51.100.7 --live',
      'explain 198.51.100.7 --preview preview.json',
      'review preview.json',
      'review preview.json --format json',
      'drift',
      'drift --json',
      'list',
      'list --json',
    ])('%s', async (command) => {
      const line = await lineOf(type);
      const { stdout, stderr } = await line.run(...command.split(' '));
      const files = command.startsWith('page')
        ? [line.read('evidence.csv'), contentOf(line.read('access.html'))]
        : [];
      const output = [stdout, stderr, ...files].join('\n');
      expect(output).toMatch(/secret|nobody-let-in/);
      expect(output).not.toContain(NETWORK);
      expect(output).not.toContain(REASON);
    });
  },
);
