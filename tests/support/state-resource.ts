const TYPE = 'pulumi-nodejs:dynamic/edge-policy:';

/** A resource of a state. */
export const resource = (type: string, name: string, inputs: object, line = 1) => ({
  urn: `urn:pulumi:dev::project::${TYPE}${type}::${name}`,
  type: `${TYPE}${type}`,
  id: `id-${name}`,
  inputs: { ...inputs },
  sourcePosition: `project:///index.ts#${line},1`,
});

/** A secret of a state, as it is exported. */
export const secretOf = (plaintext: string) => ({
  '4dabf18193072939515e22adb298388d': '1b47061264138c4ac30d75fd1eb44270',
  plaintext: JSON.stringify(plaintext),
});
