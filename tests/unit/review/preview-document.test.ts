import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPreviewDocument } from '../../../provider/src/review';
import { resourceChanges } from '../../../provider/src/review/model/resource-change';

/** Previews as the Pulumi CLI 3.259.0 printed them, without stack traces. */
const recorded = (name: string): string => readFileSync(join(__dirname, 'fixtures', `${name}.json`), 'utf8');
const changesOf = (name: string): string[] =>
  resourceChanges(readPreviewDocument(recorded(name)).steps).map(
    (change) => `${change.kind} ${change.before?.origin.name ?? change.after?.origin.name ?? ''}`,
  );

test('recorded: a change of every kind is read with both sides', () => {
  expect(changesOf('change')).toEqual([
    'create unk',
    'replace ua',
    'replace flip',
    'delete gone',
    'create new',
    'update office',
    'unchanged same',
    'update sec',
    'update set',
    expect.stringMatching(/^(create|update) tcp$/),
  ]);
});

test('recorded: the position in the program is known', () => {
  const change = resourceChanges(readPreviewDocument(recorded('change')).steps).find(
    (candidate) => candidate.after?.origin.name === 'new',
  );
  expect(change?.after?.origin.source).toEqual({ file: 'p/b.js', line: 4, column: 9 });
});

test('recorded: a failed check, and a failed program, leave a gap with the reason', () => {
  expect(readPreviewDocument(recorded('failed-check')).gaps).toEqual([
    { kind: 'failed', messages: [expect.stringContaining("resource 'bad' has a problem")] },
  ]);
  expect(readPreviewDocument(recorded('failed-program')).gaps).toEqual([
    { kind: 'failed', messages: [expect.stringContaining('unhandled exception')] },
  ]);
});

test('recorded: a preview without --show-sames is told by the resources it counts and does not show', () => {
  expect(readPreviewDocument(recorded('without-show-sames')).gaps).toEqual([
    { kind: 'sames-missing', hiddenSteps: 1 },
  ]);
});

test.each(['change', 'no-change', 'with-refresh', 'targeted', 'replace-by-hand', 'deletions'])(
  'recorded: %s has no gap',
  (name) => {
    expect(readPreviewDocument(recorded(name)).gaps).toEqual([]);
  },
);

test('recorded: steps of a refresh are left out', () => {
  expect(changesOf('with-refresh')).toEqual(changesOf('change'));
});

test('recorded: a create that --target leaves out exists on neither side', () => {
  expect(changesOf('targeted').filter((change) => !change.startsWith('unchanged'))).toEqual([
    'update office',
  ]);
  expect(changesOf('targeted')).not.toContain('create new');
});

test('recorded: the old resource of a replacement goes first', () => {
  const [change] = resourceChanges(readPreviewDocument(recorded('replace-by-hand')).steps).filter(
    (candidate) => candidate.kind === 'replace',
  );
  expect(change?.isDeletedFirst).toBe(true);
});

test('nothing at all is a preview that failed before it began', () => {
  expect(readPreviewDocument(' \n').gaps).toEqual([{ kind: 'empty' }]);
});

test('an empty stack is a preview without steps', () => {
  expect(readPreviewDocument('{"duration":1,"changeSummary":{"create":0}}')).toEqual({ steps: [], gaps: [] });
});

test.each(['no json', '[]', '{"version":3,"deployment":{}}', '{"steps":'])('%s is refused', (text) => {
  expect(() => readPreviewDocument(text)).toThrow('This is not the JSON of a preview');
});

test('a stream of events is refused with the setting that causes it', () => {
  const stream = '{"sequence":0,"timestamp":1}\n{"sequence":1,"timestamp":1}\n';
  expect(() => readPreviewDocument(stream)).toThrow('PULUMI_ENABLE_STREAMING_JSON_PREVIEW');
});

test('a name may hold the separator of URNs', () => {
  const urn = 'urn:pulumi:dev::acme::pulumi-nodejs:dynamic/edge-policy:IpPolicyRule::a::b';
  const [step] = readPreviewDocument(JSON.stringify({ steps: [{ op: 'same', urn }] })).steps;
  expect(step?.urn).toMatchObject({ stack: 'dev', project: 'acme', name: 'a::b' });
});
