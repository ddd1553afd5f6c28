// Lint rules of the workspace. The dependency directions are the design: which folder may know of which.
import eslint from '@eslint/js';
import importX, { createNodeResolver } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

/** Which folders of the provider a folder may reach into: what is left out is forbidden. */
export const reach = {
  values: [],
  fields: ['values'],
  rule: ['fields', 'values'],
  api: ['fields', 'rule', 'values'],
  errors: ['api', 'fields', 'values'],
  feeds: ['errors', 'values'],
  lists: ['errors', 'feeds', 'rule', 'values'],
  settings: ['api', 'errors', 'values'],
  presence: ['api', 'errors', 'rule', 'values'],
  run: ['api', 'errors', 'fields', 'presence', 'rule', 'values'],
  'rule-set': ['api', 'errors', 'fields', 'presence', 'rule', 'run', 'values'],
  resources: ['api', 'errors', 'fields', 'presence', 'rule', 'rule-set', 'run', 'values'],
  program: [
    ...['api', 'errors', 'feeds', 'fields', 'lists', 'resources'],
    ...['presence', 'rule', 'rule-set', 'run', 'settings', 'values'],
  ],
  hosts: [
    ...['api', 'errors', 'feeds', 'fields', 'lists', 'resources'],
    ...['presence', 'rule', 'rule-set', 'run', 'settings', 'values'],
  ],
};

/** The same of the commands; what is in no folder (`run-cli.ts`, `main.ts`) puts them together. */
export const cliReach = {
  adopt: [],
  command: [],
  pulumi: ['command'],
  judge: ['command'],
  traffic: ['command'],
  'setup-plugin': ['command', 'pulumi'],
  feeds: ['command'],
  init: ['command', 'pulumi'],
  list: ['command', 'judge', 'pulumi', 'traffic'],
  doctor: ['command', 'judge', 'pulumi'],
  recover: ['command', 'pulumi'],
  import: ['adopt', 'command', 'pulumi'],
  review: ['command', 'explain', 'feeds', 'judge', 'pulumi', 'traffic'],
  explain: ['command', 'judge', 'pulumi', 'traffic'],
  page: ['command', 'explain', 'judge', 'pulumi', 'traffic'],
  drift: ['command', 'explain', 'judge', 'pulumi', 'review'],
};

/** The same of the review; what is in no folder (`stages.ts`, `index.ts`) puts them together. */
export const reviewReach = {
  text: [],
  preview: ['text'],
  model: ['preview', 'text'],
  access: ['model', 'text'],
  'traffic-policy': ['access', 'model', 'preview', 'text'],
  'user-agents': ['access', 'model', 'text'],
  findings: ['access', 'model', 'preview', 'text', 'traffic-policy', 'user-agents'],
  effects: ['access', 'findings', 'model', 'preview', 'text', 'traffic-policy', 'user-agents'],
  guards: ['access', 'findings', 'model', 'preview', 'text', 'traffic-policy', 'user-agents'],
  explain: ['access', 'effects', 'findings', 'model', 'text', 'traffic-policy', 'user-agents'],
  traffic: ['access', 'explain', 'findings', 'text', 'user-agents'],
  report: [
    ...['access', 'findings', 'guards', 'model', 'preview'],
    ...['text', 'traffic', 'traffic-policy', 'user-agents'],
  ],
};

/** @type {(folders: Readonly<Record<string, readonly string[]>>, source: string) => object[]} */
const folderZones = (folders, source) =>
  Object.entries(folders).map(([folder, reachable]) => ({
    target: `./${source}/${folder}`,
    from: `./${source}`,
    except: [folder, ...reachable].map((name) => `./${name}`),
    message: `${folder} may reach into ${reachable.length === 0 ? 'no other folder' : `${reachable.join(', ')} only`}: see docs/design.md.`,
  }));

const dependencyDirections = [
  ...folderZones(reach, 'provider/src'),
  ...folderZones(reviewReach, 'review/src'),
  ...folderZones(cliReach, 'cli/src'),
  {
    target: './emulator',
    from: './provider',
    message: 'The emulator shares nothing with the provider: one misreading would pass on both sides.',
  },
  { target: './provider', from: './emulator', message: 'The provider knows nothing of the emulator.' },
  { target: './provider', from: './review', message: 'The provider knows nothing of the review.' },
  {
    target: ['./provider', './review', './policy-pack', './emulator'],
    from: './cli',
    message: 'Nothing knows of the commands.',
  },
  {
    target: ['./provider', './review', './cli', './emulator'],
    from: './policy-pack',
    message: 'Nothing knows of the policies: they are one more way to ask the review.',
  },
];

const httpLibrary = { name: 'axios', message: 'axios is used inside api/transport only.' };
const pulumi = {
  name: '@pulumi/pulumi',
  message: 'All folders but program and hosts know nothing of Pulumi.',
};
const pulumiIndex = { ...pulumi, message: 'Import ./sdk: the index loads the TypeScript compiler, too.' };
/** What the review takes of the provider. */
const beyondReview = {
  regex:
    '^pulumi-edge-policy(?!/internal/(errors/words$|feeds/|fields/field$|resources/(provider-reference|module-kind|modules|[a-z-]+-module)$|rule/|rule-set/|values/))|/provider/',
  message:
    'The review uses pulumi-edge-policy/internal/{feeds,values,rule,rule-set}, the name of the command line, and what tables say of fields and modules.',
};
const outside = {
  regex: '^(?:node:)?(?:fs|child_process|https?|net|tls|dns|os|worker_threads)(?:/|$)|^commander$',
  message: 'The review is pure: a change in, effects and findings out. What reads and prints is a command.',
};

/** The commands take the packages by their names, as they are installed. */
const byTheirPaths = {
  regex: '^(?:\\.\\./){2,}(?:provider|review|emulator)/|^pulumi-edge-policy-review/(?!lookup$)',
  message: 'The commands use pulumi-edge-policy/internal/, pulumi-edge-policy-review, and its lookup.',
};

/** The page knows what a browser has, and of the review what needs no automata. */
const beyondPage = {
  regex: '^node:|^pulumi-edge-policy(?!/internal/values/|-review/lookup$)|^(?:\\.\\./)+(?!src/page/)',
  message:
    'The page uses cli/src/page/, pulumi-edge-policy/internal/values/ and pulumi-edge-policy-review/lookup.',
};
const onlyText = [
  {
    selector: 'MemberExpression[property.name=/^(?:innerHTML|outerHTML|insertAdjacentHTML|srcdoc|write)$/]',
    message: 'Make elements with dom.ts: text of others must never become mark-up.',
  },
];

/** What the policies take of ours: they decide nothing themselves. */
const beyondPolicies = {
  regex: '^pulumi-edge-policy(?!-review/posture$)|^(?:\\.\\./)+(?:provider|review|emulator)/',
  message: 'The policies use pulumi-edge-policy-review/posture only.',
};

const directOutput = {
  selector: "CallExpression[callee.property.name='write'][callee.object.object.name='process']",
  message: 'Print through values/printable.ts, as the context of the commands does.',
};
const prettyJson = {
  selector: "CallExpression[callee.object.name='JSON'][callee.property.name='stringify'][arguments.length=3]",
  message: 'Use printableJson of values/printable.ts: it escapes what a terminal acts on.',
};

/** One dialect; the conventions in CONTRIBUTING.md say the same in words. */
const constant =
  ':matches(Program, ExportNamedDeclaration) > VariableDeclaration[kind="const"] > VariableDeclarator';
const dialect = [
  {
    selector: `${constant}:not([id.typeAnnotation]) > ArrowFunctionExpression[body.type="BlockStatement"]`,
    message: 'Write a function: arrows are for what is one expression.',
  },
  {
    selector: `${constant}[id.name=/[a-z]/]:matches([init.type="Literal"], [init.type="ArrayExpression"], [init.expression.type="ArrayExpression"])`,
    message: 'Write numbers, texts, patterns and lists of a module in UPPER_CASE.',
  },
  {
    selector: "CallExpression[callee.name='require']:not(:function CallExpression)",
    message: 'Import it: require, within a function, is for what most programs and commands never load.',
  },
  {
    selector: ':matches(PropertyDefinition, MethodDefinition)[key.type="PrivateIdentifier"]',
    message: 'Write private.',
  },
];

export default tseslint.config(
  {
    ignores: [
      '**/dist/',
      '**/node_modules/',
      'coverage/',
      'reports/',
      'tests/**/fixtures/',
      'provider/{docs,examples,emulator}/',
      '**/*.cjs',
    ],
  },
  eslint.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    // One program for all: with one for each package every file would be checked several times.
    languageOptions: {
      parserOptions: { project: './tsconfig.lint.json', tsconfigRootDir: import.meta.dirname },
    },
    plugins: { 'import-x': importX },
    // Without it an import of a TypeScript file resolves to nothing, and no zone would ever be violated.
    settings: {
      'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.js', '.json'] })],
      'import-x/extensions': ['.ts'],
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts'] },
    },
    rules: {
      // What is loaded late takes its type where it is loaded.
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-require-imports': 'off',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/dot-notation': 'off',
      'import-x/no-restricted-paths': ['error', { zones: dependencyDirections }],
    },
  },
  {
    files: ['provider/src/**/*.ts', 'review/src/**/*.ts', 'cli/src/**/*.ts', 'policy-pack/src/**/*.ts'],
    rules: {
      'no-restricted-imports': ['error', { paths: [httpLibrary] }],
      // Texts of the service may hold what a terminal acts on: every way to one leads through values/printable.ts.
      'no-console': 'error',
      'no-restricted-syntax': ['error', ...dialect, directOutput, prettyJson],
    },
  },
  {
    files: ['emulator/src/**/*.ts'],
    rules: {
      'no-restricted-syntax': ['error', ...dialect],
      // The routes of the control plane are a table of functions, with a result or without.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
    },
  },
  {
    files: [
      'provider/src/{api,errors,feeds,fields,lists,presence,resources,rule,rule-set,run,settings,values}/**/*.ts',
    ],
    rules: { 'no-restricted-imports': ['error', { paths: [httpLibrary, pulumi] }] },
  },
  {
    files: ['review/src/**/*.ts'],
    rules: {
      'no-restricted-imports': ['error', { paths: [httpLibrary, pulumi], patterns: [beyondReview, outside] }],
    },
  },
  {
    files: ['policy-pack/src/**/*.ts'],
    rules: {
      'no-restricted-imports': ['error', { paths: [httpLibrary, pulumi], patterns: [beyondPolicies] }],
    },
  },
  {
    files: ['cli/src/**/*.ts'],
    rules: {
      'no-restricted-imports': ['error', { paths: [httpLibrary, pulumi], patterns: [byTheirPaths] }],
    },
  },
  {
    files: ['provider/src/api/transport.ts'],
    rules: { 'no-restricted-imports': ['error', { paths: [pulumi] }] },
  },
  {
    // Its index takes a program a second; the parts of it that classes need take nothing.
    files: ['provider/src/program/**/*.ts'],
    rules: { 'no-restricted-imports': ['error', { paths: [httpLibrary, pulumiIndex] }] },
  },
  {
    // Runs in a browser, whose names the other sources must not see.
    files: ['cli/page/**/*.ts'],
    languageOptions: { parserOptions: { project: './cli/page/tsconfig.json' } },
    rules: {
      'no-console': 'error',
      'no-restricted-syntax': ['error', ...dialect, ...onlyText],
      'no-restricted-imports': ['error', { patterns: [beyondPage] }],
    },
  },
  // The compiler checks names in JavaScript too.
  { files: ['**/*.mjs', '**/bin/*.js'], rules: { 'no-undef': 'off' } },
);
