// Lint rules of the workspace. The zones under "dependency directions" are the design: each says which
// rooms a room must not reach into, and why.
import eslint from '@eslint/js';
import importX from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

/**
 * @param {string} target the room that must not reach
 * @param {string} from the room that it must not reach into
 * @param {string} message why
 */
const forbid = (target, from, message) => ({ target: `./${target}`, from: `./${from}`, message });

const dependencyDirections = [
  forbid(
    'emulator',
    'provider',
    'The emulator shares nothing with the provider: one misreading would pass on both sides.',
  ),
  forbid('provider', 'emulator', 'The provider knows nothing of the emulator.'),
  ...['lifecycle', 'resources', 'cli', 'handler.ts', 'index.ts'].map((room) =>
    forbid(
      'provider/src/api',
      `provider/src/${room}`,
      'The API client knows nothing of Pulumi or of its callers.',
    ),
  ),
  ...['api', 'lifecycle', 'resources', 'rules', 'cli', 'handler.ts', 'index.ts'].map((room) =>
    forbid(
      'provider/src/values',
      `provider/src/${room}`,
      'Values are pure: parse, canonical form, equality.',
    ),
  ),
  ...['resources', 'cli', 'handler.ts', 'index.ts'].map((room) =>
    forbid('provider/src/lifecycle', `provider/src/${room}`, 'The lifecycle plumbing knows no resource.'),
  ),
  forbid('provider/src/resources', 'provider/src/handler.ts', 'handler -> resources, never back.'),
  forbid('provider/src/resources', 'provider/src/cli', 'Resources know nothing of the command line.'),
];

const httpLibrary = { name: 'axios', message: 'axios is used inside api/transport only.' };
const pulumi = { name: '@pulumi/pulumi', message: 'api and values know nothing of Pulumi.' };

export default tseslint.config(
  { ignores: ['**/dist/', '**/node_modules/', 'coverage/', 'reports/', 'tests/**/fixtures/', '**/*.cjs'] },
  eslint.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { 'import-x': importX },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
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
    files: ['provider/src/**/*.ts'],
    rules: { 'no-restricted-imports': ['error', { paths: [httpLibrary] }] },
  },
  {
    files: ['provider/src/{api,values}/**/*.ts'],
    rules: { 'no-restricted-imports': ['error', { paths: [httpLibrary, pulumi] }] },
  },
  {
    files: ['provider/src/api/transport.ts'],
    rules: { 'no-restricted-imports': ['error', { paths: [pulumi] }] },
  },
  // The compiler checks names in JavaScript too.
  { files: ['**/*.mjs', '**/bin/*.js'], rules: { 'no-undef': 'off' } },
);
