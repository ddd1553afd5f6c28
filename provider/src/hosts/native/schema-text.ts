/** The package's schema as the engine asks for it; `npm run schema` writes it. */
export const schemaText = (): string =>
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- stands beside dist/, and a bundler takes it in
  JSON.stringify(require('../../../schemas/pulumi-schema.json'));
