import { providerReference } from '../../../provider/src/resources/provider-reference';
import { readPreviewDocument } from '../../../review/src';
import { resourceChanges } from '../../../review/src/model/resource-change';
import { plain } from '../../../review/src/text/escape';
import type { Sentence } from '../../../review/src/text/sentence';
import { newIds, recorded, reviewed, textOf } from './reviewing';

const sentences = (gaps: readonly Sentence[]): string[] => gaps.map(plain);

const changesOf = (name: string): string[] =>
  resourceChanges(readPreviewDocument(recorded(name)).steps).map(
    (change) => `${change.kind} ${change.before?.origin.name ?? change.after?.origin.name ?? ''}`,
  );

const OF_EVERY_KIND = [
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
] as unknown[];

test.each([
  ['a change of every kind is read with both sides', 'change', OF_EVERY_KIND],
  ['steps of a refresh are left out', 'with-refresh', OF_EVERY_KIND],
  [
    'what an earlier run left to be deleted is an object of its own',
    'pending-delete',
    ['delete one', 'unchanged one', 'unchanged two', 'delete mod'],
  ],
])('recorded: %s', (_fact, name, changes) => {
  expect(changesOf(name)).toEqual(changes);
});

test.each([
  ['failed-check', "resource 'bad' has a problem"],
  ['failed-program', 'unhandled exception'],
  ['without-show-sames', 'hides 1 unchanged resource'],
  ...['change', 'no-change', 'with-refresh', 'targeted', 'replace-by-hand', 'deletions'].map((name) => [
    name,
  ]),
])('recorded: %s leaves the gap that it should, or none', (name = '', ...gap) => {
  const { gaps } = readPreviewDocument(recorded(name));
  expect(sentences(gaps)).toEqual(gap.map((reason) => expect.stringContaining(reason) as string));
});

test('recorded: a create that --target leaves out exists on neither side', () => {
  const changes = changesOf('targeted').filter((change) => !change.startsWith('unchanged'));
  expect(changes).toEqual(['update office']);
});

test('recorded: the old resource of a replacement goes first', () => {
  const changes = resourceChanges(readPreviewDocument(recorded('replace-by-hand')).steps);
  expect(changes.find(({ kind }) => kind === 'replace')?.isDeletedFirst).toBe(true);
});

test('nothing at all is a preview that failed before it began', () => {
  expect(sentences(readPreviewDocument(' \n').gaps)).toEqual([expect.stringContaining('printed nothing')]);
});

describe('a document that leaves something out is never taken for the whole change', () => {
  const token = 'pulumi-nodejs:dynamic/edge-policy:IpPolicyRule';
  const urn = `urn:pulumi:dev::acme::${token}::office`;
  const inputs = {
    __provider: providerReference('IpPolicyRule'),
    ...{ cidr: '8.8.8.0/24', action: 'allow', ipPolicyId: 'ipp_1' },
  };
  const state = { urn, custom: true, type: token, inputs };
  const same = { op: 'same', urn, oldState: state, newState: state };
  const gapsOf = (document: object) => readPreviewDocument(JSON.stringify(document)).gaps;
  const counting = (changeSummary: unknown) => ({ steps: [same], changeSummary });
  const UNREAD = 'has 1 step that cannot be read';
  const elsewhere = { ...same, newState: { ...state, type: 'random:index:Id' } };

  test.each<[string, object, string]>([
    ['no list of steps', { duration: 1, changeSummary: { create: 0 } }, 'has no list of steps'],
    ['steps that are no list', { steps: { a: same } }, 'has no list of steps'],
    // The stack itself is a step.
    ['not any step', { steps: [] }, 'has no list of steps'],
    ['a step that is no object', { steps: [same, 'create'] }, UNREAD],
    ['a step without a URN', { steps: [{ op: 'create' }] }, UNREAD],
    ['a state that is not of the type of the URN', { steps: [elsewhere] }, UNREAD],
    ['an unknown operation', { steps: [{ ...same, op: 'mend' }] }, 'the unknown operation "mend"'],
    ['no operation', { steps: [same, { urn }] }, 'the unknown operation ""'],
    ...(
      [
        ['a create without inputs', 'create', { newState: { urn, type: token } }],
        ['a create without any state', 'create', {}],
        ['a delete without inputs', 'delete', { oldState: { type: token } }],
        ['an update that shows one side', 'update', { newState: state }],
      ] as const
    ).map(([fact, op, states]): [string, object, string] => [
      fact,
      { steps: [{ op, urn, ...states }] },
      `the inputs of "office" ("${op}")`,
    ]),
    ['a count of more creates', counting({ create: 2, same: 1 }), 'counts 2 steps of the operation "create"'],
    ['a count of a replacement', counting({ replace: 1 }), 'counts 1 step of the operation "replace"'],
    [
      'a count of what the engine never counts',
      counting({ same: 1, 'delete-replaced': 1 }),
      'counts 1 step of the operation "delete-replaced"',
    ],
    ...[{ create: '2' }, { create: -1 }, { create: null }, [], 'create'].map(
      (summary): [string, object, string] => [
        `a summary that is no list of counts: ${JSON.stringify(summary)}`,
        counting(summary),
        'may be corrupt',
      ],
    ),
    [
      'a state that the program rewrites first',
      { steps: [same], diagnostics: [{ severity: 'info', message: 'State migration planned (…).\n' }] },
      'rewrites the state',
    ],
    [
      'a resource that is imported and replaced, which only an up refuses',
      {
        steps: [same],
        diagnostics: [
          {
            severity: 'warning',
            message: 'warning: previously-imported resources that still specify an ID may not be replaced; …',
          },
        ],
      },
      'The up stops at a resource that the program imports',
    ],
    [
      'two stacks',
      { steps: [same, { ...same, urn: urn.replace('dev', 'prod') }] },
      'more than one stack: "acme/dev" and "acme/prod"',
    ],
  ])('%s', (_name, document, gap) => {
    expect(sentences(gapsOf(document))).toEqual([expect.stringContaining(gap)]);
    const report = reviewed(readPreviewDocument(JSON.stringify(document)));
    expect(report.verdict).toMatchObject({ outcome: 'not-decidable', affectsAccess: true });
  });

  test.each(
    Object.entries<object>({
      'reads and refreshes, which are shown on request only, may be counted without steps': {
        steps: [same],
        changeSummary: { same: 1, read: 3, refresh: 2 },
      },
      'one replacement may come as three steps': {
        steps: ['create-replacement', 'replace', 'delete-replaced'].map((op) => ({ ...same, op })),
        changeSummary: { replace: 1 },
      },
      'resources of other packages may be without inputs': {
        steps: [
          same,
          { op: 'create', urn: 'urn:pulumi:dev::acme::my:mod:Comp::c', newState: { type: 'my:mod:Comp' } },
        ],
      },
    }),
  )('%s', (_fact, document) => {
    expect(gapsOf(document)).toEqual([]);
  });
});

test('resources of other packages are counted, as nobody looked at them', () => {
  const other = (op: string, type: string) => ({
    op,
    urn: `urn:pulumi:dev::acme::${type}::a`,
    newState: { type },
  });
  const steps = [
    other('same', 'pulumi:pulumi:Stack'),
    other('same', 'pulumi:providers:aws'),
    other('create', 'aws:s3/bucket:Bucket'),
    other('refresh', 'random:index:Id'),
    other('same', 'random:index:Id'),
  ];
  const report = reviewed(readPreviewDocument(JSON.stringify({ steps })));
  expect(report.otherResources).toEqual({ all: 2, changed: 1 });
  expect(textOf(report)).toContain('2 resources of other packages were not reviewed, of which 1 changes');
});

test('a document nested 20,000 deep is read', () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const step = JSON.stringify({ op: 'same', urn: 'urn:pulumi:dev::acme::pulumi:pulumi:Stack::acme-dev' });
  expect(readPreviewDocument(`{"steps":[${step}],"config":{"a":${deep}}}`).gaps).toEqual([]);
});

const EVENTS = '{"sequence":0,"timestamp":1}\n{"sequence":1,"timestamp":1}\n';

test.each(['no json', '[]', '{"version":3,"deployment":{}}', '{"steps":', EVENTS])(
  '%s is refused',
  (text) => {
    expect(() => readPreviewDocument(text)).toThrow('This is not the JSON of a preview');
  },
);

test('a name may hold the separator of URNs', () => {
  const urn = 'urn:pulumi:dev::acme::pulumi-nodejs:dynamic/edge-policy:IpPolicyRule::a::b';
  const [step] = readPreviewDocument(JSON.stringify({ steps: [{ op: 'same', urn }] })).steps;
  expect(step?.urn).toMatchObject({ stack: 'dev', project: 'acme', name: 'a::b' });
});

test('recorded: a look-up that becomes managed is created, at the line of the program, and its object stays', () => {
  const preview = readPreviewDocument(recorded('look-up-becomes-managed'));
  expect(preview.gaps).toEqual([]);
  const changes = resourceChanges(preview.steps);
  expect(changes.map(({ kind, retention }) => [kind, retention])).toEqual([
    ['create', undefined],
    ['unchanged', undefined],
    ['forget', 'deletedWith'],
    ['delete', undefined],
  ]);
  expect(changes[0]?.after?.origin.source).toMatchObject({ file: 'index.js', line: 7, column: 18 });
  expect(preview.steps.find(({ op }) => op === 'discard-replaced')?.old?.source).toMatchObject({
    file: 'index.js',
    line: 9,
  });
});

test('recorded: a refresh without drift affects nobody, and what it finds is reviewed', () => {
  const text = recorded('refresh');
  const preview = readPreviewDocument(text);
  expect(preview.gaps).toEqual([]);
  expect(reviewed(preview).verdict).toEqual({ outcome: 'clear', failOn: 'high', affectsAccess: false });
  const document = JSON.parse(text) as { steps: { newState?: { outputs?: Record<string, unknown> } }[] };
  const rule = document.steps.find(({ newState }) => newState?.outputs?.['cidr'] === '198.51.100.0/24');
  if (rule?.newState?.outputs) rule.newState.outputs['cidr'] = '0.0.0.0/0';
  expect(newIds(reviewed(readPreviewDocument(JSON.stringify(document))))).toContain('open-to-all');
});

test('a refresh that counts a change which no step shows is not decidable, and names the command that shows it', () => {
  const document = JSON.parse(recorded('refresh')) as { changeSummary: object };
  for (const changeSummary of [{ same: 4, update: 1 }, { same: 4, delete: 1 }, { update: 5 }, { same: 4 }]) {
    const preview = readPreviewDocument(JSON.stringify({ ...document, changeSummary }));
    expect(sentences(preview.gaps)).toEqual([
      expect.stringContaining('counts changes that its steps do not show'),
    ]);
    const report = reviewed(preview, { failOn: 'never' });
    expect(report.verdict.outcome).toBe('not-decidable');
    expect(textOf(report)).toContain('npx --no-install pulumi-edge-policy-cli drift');
  }
});

test('a refresh writes what it found over all steps of a resource, those of leftovers included', () => {
  const document = JSON.parse(recorded('refresh')) as { steps: { urn: string; op: string }[] };
  const steps = document.steps.map((step) => (step.urn.endsWith('::one') ? { ...step, op: 'update' } : step));
  const changeSummary = { same: 3, update: 1 };
  expect(sentences(readPreviewDocument(JSON.stringify({ ...document, steps, changeSummary })).gaps)).toEqual([
    expect.stringContaining('The steps of "one" do not show'),
  ]);
});
