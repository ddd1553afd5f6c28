import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { programLanguage, wordingFor } from '../../../provider/src/hosts/native/wording';
import {
  DECLARED_ALREADY,
  importEdgeCommand,
  importRouteCommand,
  importRuleCommand,
  importSetCommand,
  lookFirst,
} from '../../../provider/src/settle/create-failures';
import { deferCleanup } from '../../support/cleanup';
import { httpsEdgeId, policyId, routeId, tcpEdgeId } from '../../support/ids';
import { checkout } from '../../support/workspace';

const advice = [
  [`${importRuleCommand(policyId, '10.0.0.0/8')} (${DECLARED_ALREADY})`, 'IpPolicyRule NAME ID'],
  [
    `(${importSetCommand(policyId)}), or`,
    `(pulumi import edge-policy:index:IpPolicyRuleSet NAME ${policyId}), or`,
  ],
  [`${importEdgeCommand(tcpEdgeId)} (${DECLARED_ALREADY})`, `TcpEdgeTrafficPolicyModule NAME ${tcpEdgeId}`],
  [
    `${importRouteCommand(`${httpsEdgeId}/${routeId}`)} (${DECLARED_ALREADY})`,
    `HttpsEdgeRouteUserAgentFilterModule NAME ${httpsEdgeId}/${routeId}`,
  ],
  [lookFirst(policyId), `Look at the rules of policy ${policyId} before the next up.`],
] as const;

test.each(advice)('wording: %s is said without npm to a program that has none', (said, expected) => {
  const inYaml = wordingFor('yaml')(said);
  expect(inYaml).toContain(expected);
  expect(inYaml).not.toMatch(/npx|npm|--name/);
  expect(wordingFor('nodejs')(said)).toBe(said);
});

test.each([
  ['yaml', 'ipPolicyId: is required', 'ipPolicyId: is required'],
  ['python', 'ipPolicyId: is required', 'ip_policy_id: is required'],
  ['go', 'ipPolicyId: is required', 'IpPolicyId: is required'],
  ['python', 'set overwriteExisting: true to', 'set overwrite_existing=True to'],
  ['go', 'set overwriteExisting: true to', 'set OverwriteExisting: true to'],
  ['python', 'edge-policy:maxAttempts must be', 'edge-policy:maxAttempts must be'],
])('wording: names as a program in %s writes them: %s', (language, said, expected) => {
  expect(wordingFor(language)(said)).toBe(expected);
});

test('wording: every property that the languages write differently is known', () => {
  const schema = JSON.parse(
    readFileSync(path.join(checkout, 'provider', 'schemas', 'pulumi-schema.json'), 'utf8'),
  ) as { readonly resources: Record<string, { readonly inputProperties: object }> };
  const names = Object.values(schema.resources).flatMap(({ inputProperties }) =>
    Object.keys(inputProperties),
  );
  const inTwoWords = [...new Set(names)].filter((name) => /[A-Z]/.test(name));
  expect(inTwoWords.filter((name) => wordingFor('python')(name) === name)).toEqual([]);
});

test.each([
  ['name: site\nruntime: yaml\n', 'yaml'],
  ['name: site\nruntime:\n  name: python\n  options: { virtualenv: venv }\n', 'python'],
  ['{ "name": "site", "runtime": { "name": "nodejs" } }', 'nodejs'],
  ['name: site\n', ''],
])('the language of a program is the runtime of its project: %j', (project, language) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'edge-policy-language-'));
  deferCleanup(() => {
    rmSync(folder, { recursive: true });
  });
  mkdirSync(path.join(folder, 'src'));
  writeFileSync(path.join(folder, 'Pulumi.yaml'), project);
  expect(programLanguage(path.join(folder, 'src'))).toBe(language);
});
