// What a release needs beyond versions and changelogs; see docs/contributing/release.md.
//   node tools/release.mjs addresses    writes the addresses of release.json into the packages
//   node tools/release.mjs version V    gives everything that has a version this one, the lock file and the schema included
//   node tools/release.mjs pin          makes the packages ask for each other in exactly their own version, as a release must
//   node tools/release.mjs check TAG    fails unless versions and addresses are ready for that tag
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** @typedef {Record<string, unknown> & { name: string, version: string }} Manifest */

const checkout = path.join(import.meta.dirname, '..');
/** @param {string} file */
const readJson = (file) => JSON.parse(readFileSync(path.join(checkout, file), 'utf8'));

/** @type {string[]} */
const folders = readJson('package.json').workspaces;
/** Members of the schema that no npm package has. */
const OF_THE_SCHEMA = ['publisher', 'namespace', 'logoUrl', 'pluginDownloadURL'];
/** @type {Record<string, string | null>} */
const known = readJson('release.json');
const addresses = Object.fromEntries(Object.entries(known).filter(([name]) => !OF_THE_SCHEMA.includes(name)));

const writeAddresses = () => {
  const given = Object.entries(addresses).filter(([, address]) => address !== null);
  for (const folder of folders) {
    /** @type {Manifest} */
    const manifest = { ...readJson(`${folder}/package.json`), ...Object.fromEntries(given) };
    writeFileSync(path.join(checkout, folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  }
};

/** @returns {Map<string, Manifest>} */
const readManifests = () => new Map(folders.map((folder) => [folder, readJson(`${folder}/package.json`)]));

/** The manifest with our packages in exactly their version, as an installation must be of one release. @param {Manifest} manifest */
const pinned = (manifest) => {
  const versions = new Map([...readManifests().values()].map(({ name, version }) => [name, version]));
  const copy = structuredClone(manifest);
  for (const kind of ['dependencies', 'peerDependencies']) {
    const wanted = /** @type {Record<string, string>} */ (copy[kind] ?? {});
    for (const name of Object.keys(wanted)) wanted[name] = versions.get(name) ?? String(wanted[name]);
  }
  return copy;
};

/** The template of a policy pack has a manifest of its own, of the same version. */
const READY_PACK = 'policy-pack/pack';
const readyPack = () => {
  /** @type {Manifest} */
  const manifest = readJson(`${READY_PACK}/package.json`);
  return pinned({ ...manifest, version: readJson('policy-pack/package.json').version });
};

const pinEachOther = () => {
  /** @type {[string, Manifest][]} */
  const manifests = [...readManifests()].map(([folder, manifest]) => [folder, pinned(manifest)]);
  for (const [folder, manifest] of [...manifests, [READY_PACK, readyPack()]]) {
    const text = JSON.stringify(manifest, undefined, 2);
    writeFileSync(path.join(checkout, String(folder), 'package.json'), `${text}\n`);
  }
};

/** What users and services see of the version. */
const VERSION_IN_CODE = 'provider/src/api/client-settings.ts';

/** `npm version --workspaces` fails: after the first package it asks the registry for the new version of it. @param {string} version */
const setVersion = (version) => {
  for (const [folder, manifest] of readManifests()) {
    const text = JSON.stringify({ ...manifest, version }, undefined, 2);
    writeFileSync(path.join(checkout, folder, 'package.json'), `${text}\n`);
  }
  pinEachOther();
  const code = readFileSync(path.join(checkout, VERSION_IN_CODE), 'utf8');
  const changed = code.replace(/(?<=PACKAGE_VERSION = ')[^']+/, version);
  writeFileSync(path.join(checkout, VERSION_IN_CODE), changed);
  for (const args of [
    ['install', '--package-lock-only', '--ignore-scripts'],
    ['run', 'schema'],
  ])
    execFileSync('npm', args, { cwd: checkout, stdio: 'inherit' });
};

/** @param {string} tag */
const obstaclesTo = (tag) =>
  folders.flatMap((folder) => {
    /** @type {Manifest} */
    const manifest = readJson(`${folder}/package.json`);
    const others = Object.entries(addresses).filter(
      ([name, address]) => JSON.stringify(manifest[name] ?? null) !== JSON.stringify(address),
    );
    return [
      ...(tag === `v${manifest.version}`
        ? []
        : [`${folder}: version ${manifest.version} is not the tag ${tag}`]),
      ...(JSON.stringify(pinned(manifest)) === JSON.stringify(manifest)
        ? []
        : [`${folder}: asks for another version of our packages; run "node tools/release.mjs pin"`]),
      ...others.map(
        ([name]) =>
          `${folder}: has another ${name} than release.json; run "node tools/release.mjs addresses"`,
      ),
    ];
  });

const packObstacles = () =>
  JSON.stringify(readyPack()) === JSON.stringify(readJson(`${READY_PACK}/package.json`))
    ? []
    : [`${READY_PACK}: is of another version than its package; run "node tools/release.mjs pin"`];

/** What only the publisher knows, and nothing is published without. */
const placeholders = () =>
  Object.keys(known)
    .filter((name) => known[name] === null)
    .map((name) => `release.json: no ${name}; a release needs it`);

const schemaObstacles = () => {
  /** @type {Record<string, string | undefined>} */
  const schema = readJson('provider/schemas/pulumi-schema.json');
  return [...OF_THE_SCHEMA, 'homepage', 'repository']
    .filter((name) => (schema[name] ?? null) !== (known[name] ?? null))
    .map((name) => `The schema has another ${name} than release.json: run "npm run schema"`);
};

const [command, tag] = process.argv.slice(2);
if (command === 'addresses') {
  writeAddresses();
} else if (command === 'version' && /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(tag ?? '')) {
  setVersion(String(tag));
} else if (command === 'pin') {
  pinEachOther();
} else if (command === 'check' && tag !== undefined) {
  const obstacles = [...placeholders(), ...obstaclesTo(tag), ...packObstacles(), ...schemaObstacles()];
  for (const obstacle of obstacles) console.error(obstacle);
  process.exitCode = obstacles.length === 0 ? 0 : 1;
} else {
  console.error('usage: node tools/release.mjs addresses | version VERSION | pin | check TAG');
  process.exitCode = 2;
}
