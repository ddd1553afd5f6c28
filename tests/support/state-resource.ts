import type { Service } from './service-stack';

const TYPE = 'pulumi-nodejs:dynamic/edge-policy:';

/** A resource of a state. */
export const resource = (type: string, name: string, inputs: object, line = 1) => ({
  urn: `urn:pulumi:dev::project::${TYPE}${type}::${name}`,
  type: `${TYPE}${type}`,
  id: `id-${name}`,
  inputs: { ...inputs },
  sourcePosition: `project:///index.ts#${line},1`,
});

/** A resource of a state that manages the object with this id. */
export const managing = (name: string, id: string, type = 'IpPolicyRule') => ({
  ...resource(type, name, {}),
  id,
});

/** The stack itself, whose age bounds that of what it holds. */
export const stackResource = {
  urn: 'urn:pulumi:dev::project::pulumi:pulumi:Stack::project-dev',
  type: 'pulumi:pulumi:Stack',
  created: '2020-01-01T00:00:00Z',
};

/** A Provider of a program, for the account of a service; the package says by which host it serves. */
export const providerOf = (
  name: string,
  { emulator, apiKey }: Pick<Service, 'emulator' | 'apiKey'>,
  packageName: 'edge-policy' | 'pulumi-nodejs' = 'edge-policy',
) => {
  const type = `pulumi:providers:${packageName}`;
  const prefix = packageName === 'edge-policy' ? '' : 'edge-policy:';
  return {
    ...{ urn: `urn:pulumi:dev::project::${type}::${name}`, type, id: 'id' },
    inputs: { [`${prefix}apiKey`]: secretOf(apiKey), [`${prefix}baseUrl`]: emulator.url },
  };
};

/** What the engine marks secrets with. */
export const SECRET_MARK = { '4dabf18193072939515e22adb298388d': '1b47061264138c4ac30d75fd1eb44270' };

/** A secret of a state, as it is exported in clear. */
export const secretOf = (plaintext: string) => ({ ...SECRET_MARK, plaintext: JSON.stringify(plaintext) });

/** A secret of a state that stays encrypted. */
export const ENCRYPTED = { ...SECRET_MARK, ciphertext: 'x' };
