// `npm run test:postgres`: the tests with the state in PostgreSQL. Uses the server of EDGE_POLICY_POSTGRES_URL, or starts one for
// the run: on a free port, in a temporary folder, as a user without privileges.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { checkout } from './setup/paths.mjs';

const VARIABLE = 'EDGE_POLICY_POSTGRES_URL';
const DEBIAN_FOLDER = '/usr/lib/postgresql';

/** The folder with the server's programs, which Debian does not put on PATH. */
const serverPrograms = () => {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  try {
    const newestFirst = readdirSync(DEBIAN_FOLDER).sort((left, right) => Number(right) - Number(left));
    folders.unshift(...newestFirst.map((version) => path.join(DEBIAN_FOLDER, version, 'bin')));
  } catch {
    // Without a package of Debian's, PATH decides.
  }
  const found = folders.find((folder) => {
    try {
      return readdirSync(folder).includes('initdb');
    } catch {
      return false;
    }
  });
  if (found !== undefined) return found;
  throw new Error(
    `no PostgreSQL server was found: install the package postgresql, or set ${VARIABLE} to a server's URL`,
  );
};

/** The user that runs the server, as it refuses to run as root. */
const serverUser = () => {
  if (process.getuid?.() !== 0) return {};
  const id = (/** @type {string} */ flag) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
};

/** @returns {Promise<number>} a port on which nothing listens */
const freePort = () =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

/** Starts a server that ends, with its data, when this process ends. */
const startServer = async () => {
  const programs = serverPrograms();
  const user = serverUser();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'edge-policy-postgres-'));
  chmodSync(folder, 0o700);
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = path.join(folder, 'data');
  const run = (/** @type {string} */ program, /** @type {string[]} */ args) =>
    execFileSync(path.join(programs, program), args, {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      ...user,
    });
  const port = await freePort();
  run('initdb', ['--pgdata', data, '--username', 'pulumi', '--auth', 'trust', '--no-sync']);
  const options = `-h 127.0.0.1 -p ${port} -k ${folder} -c fsync=off`;
  run('pg_ctl', [
    'start',
    '--wait',
    '--pgdata',
    data,
    '--log',
    path.join(folder, 'log'),
    '--options',
    options,
  ]);
  process.once('exit', () => {
    run('pg_ctl', ['stop', '--mode', 'immediate', '--pgdata', data]);
    rmSync(folder, { recursive: true, force: true });
  });
  return `postgres://pulumi@127.0.0.1:${port}/postgres?sslmode=disable`;
};

process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

const url = process.env[VARIABLE] ?? (await startServer());
const jest = path.join(checkout, 'node_modules', 'jest', 'bin', 'jest.js');
const { status } = spawnSync(
  process.execPath,
  [jest, '--selectProjects=postgres', ...process.argv.slice(2)],
  {
    cwd: checkout,
    stdio: 'inherit',
    env: { ...process.env, [VARIABLE]: url },
  },
);
process.exitCode = status ?? 1;
