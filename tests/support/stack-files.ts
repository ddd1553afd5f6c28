import { createCipheriv, pbkdf2, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

/** Writes what `pulumi stack init` and `pulumi config set` would write, at half a second per call. */

export type ConfigValue = string | number | boolean | { readonly secret: string };

export const passphrase = 'tests only';
const salt = Buffer.from('edge-tst');
const KEY_ITERATIONS = 1_000_000;
const KEY_BYTES = 32;

let derivedKey: Promise<Buffer> | undefined;

/** The engine's own format: AES-256-GCM under a key derived from passphrase and salt. */
const encrypt = async (plaintext: string): Promise<string> => {
  derivedKey ??= promisify(pbkdf2)(passphrase, salt, KEY_ITERATIONS, KEY_BYTES, 'sha256');
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', await derivedKey, nonce);
  const sealed = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `v1:${nonce.toString('base64')}:${sealed.toString('base64')}`;
};

/** Writes `Pulumi.<stack>.yaml` (JSON is YAML), secrets encrypted. */
export const writeStackConfig = async (
  projectDir: string,
  stackName: string,
  config: Readonly<Record<string, ConfigValue>>,
): Promise<void> => {
  const values: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(config)) {
    values[key] = typeof value === 'object' ? { secure: await encrypt(value.secret) } : value;
  }
  const encryptionsalt = `v1:${salt.toString('base64')}:${await encrypt('pulumi')}`;
  writeJson(path.join(projectDir, `Pulumi.${stackName}.yaml`), { encryptionsalt, config: values });
};

export interface StackIdentity {
  readonly project: string;
  readonly stack: string;
}

/** The file in which a file backend stores the state of a stack. */
export const stateFile = (backendDir: string, { project, stack }: StackIdentity): string =>
  path.join(backendDir, '.pulumi', 'stacks', project, `${stack}.json`);

/** Writes the state of a stack that has never been deployed. */
export const writeEmptyStack = (backendDir: string, identity: StackIdentity): void => {
  const { project, stack } = identity;
  writeJson(stateFile(backendDir, identity), {
    version: 3,
    checkpoint: { stack: `organization/${project}/${stack}` },
  });
  writeFileSync(path.join(backendDir, '.pulumi', 'meta.yaml'), 'version: 1\n');
};

export const writeJson = (file: string, value: unknown): void => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`);
};

/** A recorded state without what names folders of the machine that made it, and nothing of ours. */
export const withoutPlaces = (text: string): string =>
  JSON.stringify(
    JSON.parse(text, (key, value: unknown) =>
      key === 'stackTrace' || key === 'sourcePosition' ? undefined : value,
    ),
    undefined,
    1,
  );
