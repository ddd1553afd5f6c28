// `npm run test:native` runs the rings lifecycle, engine and journeys once more with the plugin, but for these files: natively
// they would prove what they prove anyway.

/** @type {Readonly<Record<string, string>>} files below tests/, as a pattern, and why they are left out */
export const notNatively = {
  'lifecycle/api/': 'the client, which knows no host',
  'lifecycle/cli/': 'the command, which knows the host of each stack by itself',
  'lifecycle/dynamic/': 'the host for dynamic resources itself',
  'lifecycle/docs/': 'programs of the docs, which choose no host',
  'lifecycle/faults/(matrix-|reliability-)':
    'matrix.test runs all faults natively; one of these is its short form',
  'lifecycle/native/': 'the plugin, whatever the others run on',
  'lifecycle/ip-policy-rule-set/requests': 'how many requests the core sends',
  'engine/functions': 'functions run in the program',
  'engine/harness': 'the harness, on a resource of the host for dynamic resources that is none of ours',
  'engine/(accounts|hosts|languages|native|policy-pack)': 'they name the plugin themselves',
  'engine/stand-in-engine': 'whether the stand-in for the engine does what the engine does',
  'journeys/(demo|package|package-managers|policy-pack|prepack|test-your-program)\\.':
    'packages and tools, with the default host',
  'journeys/review-then-apply': 'scripts around stacks, which take the host as the stack has it',
  'journeys/plugin-archive': 'names the plugin itself',
};
