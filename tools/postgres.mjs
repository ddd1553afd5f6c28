// `npm run test:postgres`: the tests with the state in PostgreSQL. Uses the server of EDGE_POLICY_POSTGRES_URL; without it, Debian's
// pg_virtualenv starts one for the run and removes it.
import { spawnSync } from 'node:child_process';
import { checkout } from './setup/paths.mjs';

const VARIABLE = 'EDGE_POLICY_POSTGRES_URL';
const { PGUSER: user, PGPASSWORD: password, PGHOST: host, PGPORT: port } = process.env;
const isInside = process.argv[2] === '--inside';
const url = isInside
  ? `postgres://${user}:${password}@${host}:${port}/postgres?sslmode=disable`
  : process.env[VARIABLE];

const jest = [
  'node_modules/jest/bin/jest.js',
  '--selectProjects=postgres',
  ...process.argv.slice(isInside ? 3 : 2),
];
const inside = [import.meta.filename, '--inside', ...process.argv.slice(2)];
const { status, error } =
  url === undefined
    ? spawnSync('pg_virtualenv', ['-o', 'fsync=off', process.execPath, ...inside], { stdio: 'inherit' })
    : spawnSync(process.execPath, jest, {
        cwd: checkout,
        stdio: 'inherit',
        env: { ...process.env, [VARIABLE]: url },
      });
if (error !== undefined)
  console.error(
    `No PostgreSQL server was found: set ${VARIABLE} to a server's URL (Debian: or apt-get install postgresql).`,
  );
process.exitCode = status ?? 1;
