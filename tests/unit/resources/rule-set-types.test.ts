import { compilerComplaints } from '../../support/compiler-complaints';

const unknownField = (name: string, type: string): string =>
  `Object literal may only specify known properties, and '${name}' does not exist in type 'InputRule<${type}>'.`;
const misspelt = `Type '"alow"' is not assignable to type 'Input<"allow" | "deny">'. Did you mean '"allow"'?`;

const COMPLAINTS: Readonly<Record<string, string | undefined>> = {
  "[{ cidr: '10.0.0.0/8', action: 'allow', descripton: 'office' }]": unknownField(
    'descripton',
    'IpPolicyRuleSetListedRuleArgs',
  ),
  "[{ cidr: '10.0.0.0/8', action: 'alow' }]": misspelt,
  "[{ cdir: '10.0.0.0/8', action: 'allow' }]": unknownField('cdir', 'IpPolicyRuleSetListedRuleArgs'),
  "[{ cidr: 7, action: 'allow' }]": "Type 'number' is not assignable to type 'Input<string>'.",
  "{ '10.0.0.0/8': { action: 'allow', descripton: 'office' } }": unknownField(
    'descripton',
    'IpPolicyRuleSetRuleArgs',
  ),
  "{ '10.0.0.0/8': { action: 'alow' } }": misspelt,
  "[{ cidr: '10.0.0.0/8', action: 'allow' }]": undefined,
  "{ '2001:db8::/32': { action: 'allow' } }": undefined,
};

test('the compiler reports a typo in a rule as that typo, in a list and in a map', () => {
  const programs = Object.keys(COMPLAINTS).map((rules, at): [string, string] => [
    `${at}.ts`,
    `import type { IpPolicyRuleSetRules } from 'pulumi-edge-policy';\nexport const rules: IpPolicyRuleSetRules = ${rules};\n`,
  ]);
  const complaints = compilerComplaints(new Map(programs));
  expect(programs.map(([file]) => complaints[file]?.map((said) => said.split('\n')[0]).join())).toEqual(
    Object.values(COMPLAINTS),
  );
});
