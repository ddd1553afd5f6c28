import * as pulumi from '@pulumi/pulumi';
import { type IpPolicyRuleSetRules, rulesText } from '../../../provider/src/program/rule-set-args';

interface Resolved {
  readonly text: unknown;
  readonly isKnown: boolean;
  readonly isSecret: boolean;
}

/** What the SDK would send to the engine. */
async function resolve(rules: IpPolicyRuleSetRules): Promise<Resolved> {
  const output = rulesText(rules) as unknown as {
    promise(withUnknowns: boolean): Promise<unknown>;
    isKnown: Promise<boolean>;
    isSecret: Promise<boolean>;
  };
  return { text: await output.promise(true), isKnown: await output.isKnown, isSecret: await output.isSecret };
}

// What an output of a resource that is yet to be created is at preview.
const unknown = <T>(): pulumi.Output<T> => pulumi.output<unknown>(pulumi.unknown) as pulumi.Output<T>;

test('plain rules, outputs and promises become one text', async () => {
  const rules = Promise.resolve([
    { cidr: '10.0.0.0/8', action: 'allow' as const, description: undefined },
    pulumi.output({ cidr: '192.0.2.1', action: 'deny' as const }),
    { cidr: pulumi.output('192.0.2.2'), action: Promise.resolve('deny' as const), metadata: 'm' },
  ]);
  expect(await resolve(rules)).toEqual({
    text:
      '[{"cidr":"10.0.0.0/8","action":"allow"},{"cidr":"192.0.2.1","action":"deny"},' +
      '{"cidr":"192.0.2.2","action":"deny","metadata":"m"}]',
    isKnown: true,
    isSecret: false,
  });
});

test('an unknown value hides itself only: the text is known, and says which fields are open', async () => {
  const rules = [
    { cidr: '10.0.0.0/8', action: 'allow' as const },
    { cidr: unknown<string>(), action: 'deny' as const, description: unknown<string>() },
    unknown<{ cidr: string; action: 'allow' }>(),
  ];
  expect(await resolve(rules)).toEqual({
    text:
      '[{"cidr":"10.0.0.0/8","action":"allow"},{"action":"deny","(unknown)":"cidr, description"},' +
      '{"(unknown)":"cidr, action"}]',
    isKnown: true,
    isSecret: false,
  });
});

test('in a map, a rule that is unknown keeps its network', async () => {
  const rules = { '10.0.0.0/8': unknown<{ action: 'allow' }>(), '192.0.2.0/24': { action: 'deny' as const } };
  expect(await resolve(rules)).toMatchObject({
    text: '{"10.0.0.0/8":{"(unknown)":"action"},"192.0.2.0/24":{"action":"deny"}}',
    isKnown: true,
  });
});

test('rules that are unknown as a whole are unknown', async () => {
  expect(await resolve(unknown<{ cidr: string; action: 'allow' }[]>())).toMatchObject({ isKnown: false });
});

test('one secret value makes the whole text secret, beside an unknown one too', async () => {
  const secret = { cidr: '10.0.0.0/8', action: 'allow' as const, description: pulumi.secret('hush') };
  expect(await resolve([secret])).toMatchObject({ isKnown: true, isSecret: true });
  expect(await resolve([secret, { cidr: unknown<string>(), action: 'deny' }])).toMatchObject({
    isSecret: true,
  });
});

test('a hundred thousand plain rules are one text as well', async () => {
  const rules = Array.from({ length: 100_000 }, (_, index) => ({
    cidr: String(index),
    action: 'allow' as const,
  }));
  const { text } = await resolve(rules);
  expect((JSON.parse(String(text)) as unknown[]).length).toBe(100_000);
});
