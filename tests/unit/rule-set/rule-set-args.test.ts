import * as pulumi from '@pulumi/pulumi';
import { type IpPolicyRuleSetRules, rulesText } from '../../../provider/src/program/rule-set-args';

/** What the SDK would send to the engine. */
async function resolve(rules: IpPolicyRuleSetRules) {
  const output = rulesText(rules) as unknown as {
    promise(withUnknowns: boolean): Promise<unknown>;
    isKnown: Promise<boolean>;
    isSecret: Promise<boolean>;
  };
  return { text: await output.promise(true), isKnown: await output.isKnown, isSecret: await output.isSecret };
}

// What an output of a resource that is yet to be created is at preview.
const unknown = <T>(): pulumi.Output<T> => pulumi.output<unknown>(pulumi.unknown) as pulumi.Output<T>;

const allow = { cidr: '10.0.0.0/8', action: 'allow' as const };
const secret = { ...allow, description: pulumi.secret('hush') };
const deny = { action: 'deny' as const };

test.each<[string, IpPolicyRuleSetRules, object]>([
  [
    'plain rules, outputs and promises become one text',
    Promise.resolve([
      { ...allow, description: undefined },
      pulumi.output({ cidr: '192.0.2.1', ...deny }),
      { cidr: pulumi.output('192.0.2.2'), action: Promise.resolve('deny' as const), metadata: 'm' },
    ]),
    {
      text:
        '[{"cidr":"10.0.0.0/8","action":"allow"},{"cidr":"192.0.2.1","action":"deny"},' +
        '{"cidr":"192.0.2.2","action":"deny","metadata":"m"}]',
      ...{ isKnown: true, isSecret: false },
    },
  ],
  [
    'an unknown value hides itself only: the text is known, and says which fields are open',
    [allow, { cidr: unknown<string>(), ...deny, description: unknown<string>() }, unknown<typeof allow>()],
    {
      text:
        '[{"cidr":"10.0.0.0/8","action":"allow"},{"action":"deny","(unknown)":"cidr, description"},' +
        '{"(unknown)":"cidr, action"}]',
      ...{ isKnown: true, isSecret: false },
    },
  ],
  [
    'in a map, a rule that is unknown keeps its network',
    { '10.0.0.0/8': unknown<typeof deny>(), '192.0.2.0/24': deny },
    { text: '{"10.0.0.0/8":{"(unknown)":"action"},"192.0.2.0/24":{"action":"deny"}}', isKnown: true },
  ],
  ['rules that are unknown as a whole are unknown', unknown<(typeof allow)[]>(), { isKnown: false }],
  ['one secret value makes the whole text secret', [secret], { isKnown: true, isSecret: true }],
  ['so it does beside an unknown one', [secret, { cidr: unknown<string>(), ...deny }], { isSecret: true }],
])('%s', async (_what, rules, resolved) => {
  expect(await resolve(rules)).toMatchObject(resolved);
});
