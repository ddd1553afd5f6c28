import { processContext } from '../../../cli/src/command/context';
import { parseDeployment, isOwn, shortType } from '../../../cli/src/pulumi/deployment';
import { programLanguage } from '../../../cli/src/pulumi/stack';
import { stackAccount } from '../../../cli/src/pulumi/accounts';
import { nativeToken, RESOURCE_TYPES, typeToken } from '../../../provider/src/resources/provider-reference';
import { resourceTypeOf } from '../../../review/src/preview/resource-type';
import { folderOf } from '../../support/folder';

test.each(RESOURCE_TYPES)('%s is one of ours with either host, for the commands and for a review', (type) => {
  for (const token of [typeToken(type), nativeToken(type)]) {
    expect([isOwn({ type: token }), shortType(token), resourceTypeOf(token)]).toEqual([true, type, type]);
  }
});

test('a component of ours is no resource of the service', () => {
  const token = 'edge-policy:index:AccessAssertions';
  expect([isOwn({ type: token }), resourceTypeOf(token)]).toEqual([false, undefined]);
});

test('the account of an explicit provider of the plugin is read by the names of its settings', () => {
  const urn = 'urn:pulumi:dev::project::pulumi:providers:edge-policy::staging';
  const type = 'pulumi:providers:edge-policy';
  const inputs = { apiKey: 'key-1', baseUrl: 'https://api.example.com', maxAttempts: 2, version: '0.1.0' };
  const { settings } = stackAccount(urn, {
    deployment: parseDeployment(JSON.stringify({ deployment: { resources: [{ urn, type, inputs }] } })),
    reading: { problem: 'not read' },
    context: { ...processContext(), environment: {} },
  });
  // The version there is that of the plugin.
  expect(settings).toMatchObject({ ...inputs, version: '2' });
});

test.each([
  ['name: site\nruntime: yaml\n', 'yaml'],
  ['runtime: yaml # the program is below\r\nresources:\r\n  a: { type: b }\r\n', 'yaml'],
  ['name: site\nruntime:\n  name: python\n  options: { virtualenv: venv }\n', 'python'],
  ['name: site\nruntime:\n  options: { virtualenv: venv }\n  name: python\n', 'python'],
  ['config:\n  runtime: python\nruntime:\n\n  # of the program\n  name: "go"\nresources: {}\n', 'go'],
  ['{\n  "runtime": { "name": "nodejs" },\n  "name": "site"\n}', 'nodejs'],
  ['{\n  "runtime": "nodejs",\n  "name": "site"\n}', 'nodejs'],
  ['name: site\n', ''],
])('the language of a program is the runtime of its project: %j', (project, language) => {
  expect(programLanguage(folderOf({ 'Pulumi.yaml': project }))).toBe(language);
});
