import path from 'node:path';
import { type ImportedObject, typescriptWords, type Words } from '../../../provider/src/errors/words';
import { programLanguage, wordsFor } from '../../../provider/src/hosts/native/language-words';
import { folderOf } from '../../support/folder';
import { httpsEdgeId, policyId, routeId, tcpEdgeId } from '../../support/ids';
import { textOf } from '../../support/workspace';

const moduleTarget = (moduleType: string, id: string): ImportedObject => ({
  type: 'module',
  option: '--of',
  ...{ moduleType, id },
});

const targets: readonly (readonly [ImportedObject, string])[] = [
  [{ type: 'rule', ipPolicyId: policyId, cidr: '10.0.0.0/8' }, 'IpPolicyRule NAME ID'],
  [moduleTarget('TcpEdgeTrafficPolicyModule', tcpEdgeId), `TcpEdgeTrafficPolicyModule NAME ${tcpEdgeId}`],
  [
    moduleTarget('HttpsEdgeRouteUserAgentFilterModule', `${httpsEdgeId}/${routeId}`),
    `HttpsEdgeRouteUserAgentFilterModule NAME ${httpsEdgeId}/${routeId}`,
  ],
];

test.each(targets)('words: %j is imported by the engine where a program has no npm', (target, expected) => {
  expect(wordsFor('yaml').importDeclared(target)).toBe(`pulumi import edge-policy:index:${expected}`);
  expect(typescriptWords.importDeclared(target)).toMatch(/^npx .* --run \(add --name NAME/);
});

const said: readonly (readonly [string, (words: Words) => string, string])[] = [
  ['yaml', ({ name }) => name('ipPolicyId'), 'ipPolicyId'],
  ['python', ({ name }) => name('ipPolicyId'), 'ip_policy_id'],
  ['go', ({ name }) => name('ipPolicyId'), 'IpPolicyId'],
  ['nodejs', ({ assigned }) => assigned('overwriteExisting', true), 'overwriteExisting: true'],
  ['python', ({ assigned }) => assigned('overwriteExisting', true), 'overwrite_existing=True'],
  ['go', ({ assigned }) => assigned('overwriteExisting', true), 'OverwriteExisting: true'],
  ['nodejs', ({ deleteFirst }) => deleteFirst, 'leave out the option deleteBeforeReplace: false'],
  ['yaml', ({ deleteFirst }) => deleteFirst, 'set the option deleteBeforeReplace: true'],
  ['python', ({ deleteFirst }) => deleteFirst, 'set the option delete_before_replace=True'],
  [
    'go',
    ({ lookFirst }) => lookFirst('ipp_1'),
    'Check the rules of policy ipp_1 before the next "pulumi up".',
  ],
];

test.each(said)('words: names as a program in %s writes them: %s', (language, saying, expected) => {
  expect(saying(wordsFor(language))).toBe(expected);
});

test('words: every property that the languages write differently is known', () => {
  const schema = JSON.parse(textOf('provider/schemas/pulumi-schema.json')) as {
    readonly resources: Record<string, { readonly inputProperties: object }>;
  };
  const names = Object.values(schema.resources).flatMap(({ inputProperties }) =>
    Object.keys(inputProperties),
  );
  const inTwoWords = [...new Set(names)].filter((name) => /[A-Z]/.test(name));
  expect(inTwoWords.filter((name) => wordsFor('python').name(name) === name)).toEqual([]);
});

test.each([
  ['name: site\nruntime: yaml\n', 'yaml'],
  ['name: site\nruntime:\n  name: python\n  options: { virtualenv: venv }\n', 'python'],
  ['{ "name": "site", "runtime": { "name": "nodejs" } }', 'nodejs'],
  ['name: site\nruntime:\n  options: { virtualenv: venv }\n  name: python\n', 'python'],
  ['name: site\ndescription: "once runtime: nodejs"\nruntime: go\n', 'go'],
  ['config:\n  runtime: python\n"runtime":\n\n  # of the program\n  name: go\nresources: {}\n', 'go'],
  ['runtime: yaml # the program is below\r\nresources:\r\n  a: { type: b }\r\n', 'yaml'],
  ['name: site\n', ''],
  ['- no project\n', ''],
])('the language of a program is the runtime of its project: %j', (project, language) => {
  const folder = folderOf({ 'Pulumi.yaml': project, 'src/program': '' });
  expect(programLanguage(path.join(folder, 'src'))).toBe(language);
});
