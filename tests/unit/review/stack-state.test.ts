import { NotAStateError, readStackState } from '../../../review/src';
import { kept, previewOf, previewSteps, rule } from './preview-builder';
import { newIds, reviewed } from './reviewing';

const TYPE = 'pulumi-nodejs:dynamic/edge-policy:IpPolicyRule';
const ASSERTIONS = 'edge-policy:index:AccessAssertions';
const urnOf = (name: string, type = TYPE): string => `urn:pulumi:dev::acme::${type}::${name}`;

const resource = (name: string, inputs: object, type = TYPE) => ({ urn: urnOf(name, type), type, inputs });
const stateOf = (...resources: object[]) =>
  readStackState(JSON.stringify({ version: 3, deployment: { resources } }));
const SECRET = {
  '4dabf18193072939515e22adb298388d': '1b47061264138c4ac30d75fd1eb44270',
  ciphertext: 'AAAA',
};

const preview = previewOf(kept('office', rule('8.8.8.0/24')));
const idsWith = (state: ReturnType<typeof stateOf>, of = preview): string[] =>
  newIds(reviewed(of, { state }));

test('a preview that starts from what the stack has is judged', () => {
  // The order of keys is no difference, and neither are resources of other packages.
  const { cidr, ipPolicyId, action } = rule('8.8.8.0/24');
  const other = { urn: urnOf('bucket', 'aws:s3:Bucket'), type: 'aws:s3:Bucket', inputs: {} };
  const { __provider: code } = preview.steps[0]?.old?.inputs ?? {};
  const inputs = { ipPolicyId, cidr, action, ...(code !== undefined && { __provider: code }) };
  expect(idsWith(stateOf(resource('office', inputs), other))).toEqual([]);
});

test.each<[string, ReturnType<typeof stateOf>]>([
  ['says that something else was there', stateOf(resource('office', rule('0.0.0.0/0')))],
  ['makes up what was there', stateOf()],
  [
    'leaves out what was there',
    stateOf(resource('office', rule('8.8.8.0/24')), resource('block', rule('8.8.8.8/32', 'deny'))),
  ],
  [
    'leaves out assertions that the program made',
    stateOf(
      resource('office', rule('8.8.8.0/24')),
      resource('access', { policies: [{ ipPolicyId: 'ipp_1', mustDeny: ['1.2.3.4'] }] }, ASSERTIONS),
    ),
  ],
])('a preview that %s is not decidable', (_, state) => {
  expect(idsWith(state)).toEqual(['preview-incomplete']);
});

test('a secret of the state is what the CLI prints in its place', () => {
  const secret = previewOf(kept('office', rule('[secret]')));
  const { inputs = {} } = secret.steps[0]?.old ?? {};
  expect(idsWith(stateOf(resource('office', { ...inputs, cidr: SECRET })), secret)).toEqual([]);
});

test('an alias moves a resource: its old URN counts', () => {
  const steps = previewSteps({
    op: 'same',
    urn: urnOf('office'),
    oldState: { ...resource('bureau', rule('8.8.8.0/24')) },
    newState: { ...resource('office', rule('8.8.8.0/24')) },
  });
  const moved = { ...preview, steps };
  expect(idsWith(stateOf(resource('bureau', rule('8.8.8.0/24'))), moved)).toEqual([]);
});

test('what is no state is refused', () => {
  for (const text of ['', '{}', 'nonsense', '[]']) expect(() => readStackState(text)).toThrow(NotAStateError);
});
