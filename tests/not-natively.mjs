// `npm run test:native` runs the suites lifecycle, engine and journeys once more with the plugin, but for these files: natively
// they would prove what they prove anyway.

/** @type {Readonly<Record<string, string>>} files below tests/, as a pattern, and why they are left out */
export const notNatively = {
  'lifecycle/api/': 'the client, which knows no host',
  'lifecycle/cli/': 'the command, which knows the host of each stack by itself',
  'lifecycle/dynamic/': 'the host for dynamic resources itself',
  'lifecycle/docs/': 'programs of the docs, which choose no host',
  'lifecycle/faults/': 'the core; matrix-native tries what crosses the adapter of the plugin',
  'lifecycle/native/': 'the plugin, whatever the others run on',
  '(lifecycle/tools|engine)/acceptance': 'a tool, which runs its own program with the default host',
  'lifecycle/ip-policy-rule/files-of-a-create': 'a figure of the default host',
  'lifecycle/(ip-policy-rule/account-rules|ip-policy-rule-set/requests)': 'how many requests the core sends',
  'lifecycle/every-resource/other-type': 'it names the plugin itself',
  'engine/examples':
    'programs, whose classes send both hosts the same; the files of the resources run natively',
  'engine/explain-past': 'the command, which reads the states of both hosts alike',
  'engine/functions': 'functions run in the program',
  'engine/harness': 'the harness, on a resource of the host for dynamic resources that is none of ours',
  'engine/(accounts|hosts|native|review-fate|review-live|review-native|review-up|review-windows|state-move|upgrade)':
    'they name the plugin themselves',
  'engine/settings':
    'it names the host for dynamic resources; lifecycle/native has the settings of the plugin',
  'engine/places': 'places that the SDK records in the program, whatever the host',
  'engine/previews':
    'how the CLI shows texts, which both hosts pass on; preview-lines counts its lines natively',
  'engine/schema': 'the schema, which knows no host',
  'engine/review\\.': 'reports on previews; review-native compares those of the plugin',
  'engine/rules-that-end':
    'the end of a rule, which the core knows; lifecycle/ip-policy-rule-set/until runs natively',
  'engine/stand-in-engine': 'whether the stand-in for the engine does what the engine does',
  'journeys/(recover|recover-walk-through|import-walk-through)\\.':
    'the command; crash.test recovers natively from each kind of end, engine/import adopts natively',
  'journeys/(demo|examples|feeds|first-hour|lists|package|package-managers|prepack|recipes|test-your-program)\\.':
    'packages, tools and programs of the docs, with the default host',
  'journeys/(merge-gate|review-then-apply)': 'scripts around stacks, which take the host as the stack has it',
  'journeys/plugin-archives': 'it names the plugin itself',
};
