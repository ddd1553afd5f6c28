import { live } from '../../support/command-model/life';
import type { World } from '../../support/command-model/world';
import { CommandLine } from '../../support/command-line';
import { IdleClock } from '../../support/idle-clock';
import { SecretsScan } from '../../support/secrets-scan';
import { Dice } from '../../support/dice';
import { startService } from '../../support/service-stack';
import { StandInCli } from '../../support/stand-in-cli';

/** `EDGE_POLICY_COMMAND_LIVES=1000 EDGE_POLICY_SEED=7000` searches further. */
const LIVES = Number(process.env['EDGE_POLICY_COMMAND_LIVES'] ?? 48);
const FIRST_SEED = Number(process.env['EDGE_POLICY_SEED'] ?? 1);
const CHUNKS = 6;

jest.setTimeout(300_000);

const startWorld = async (seed: number): Promise<World> => {
  const dice = new Dice(seed);
  const clock = new IdleClock();
  const keys = { default: SecretsScan.makeUp('key'), second: SecretsScan.makeUp('key') };
  const duplicateCidr = dice.isLucky(0.5) ? 'accepted' : '409';
  const listLagMs = dice.isLucky(0.3) ? 8_000 : 0;
  const { emulator } = await startService({
    clock: () => clock.epochMs(),
    accounts: { [keys.default]: 'default', [keys.second]: 'default' },
    switches: { duplicateCidr, listLagMs },
  });
  const cli = new StandInCli({ baseUrl: emulator.url, keys }, clock);
  const line = new CommandLine({ emulator, apiKey: keys.default });
  line.engine = { pulumi: cli.pulumi, clock };
  line.write('Pulumi.yaml', 'name: project\nruntime: nodejs\n');
  return {
    ...{ dice, emulator, cli, line, parts: [], nextNetwork: 0 },
    secret: SecretsScan.makeUp('secret'),
    saveProgram: () => {
      const own = cli.program.filter(({ module }) => module === undefined);
      line.write('index.ts', own.map(({ name }) => `new X('${name}');\n`).join(''));
    },
    waitForLists: () => {
      clock.pass(listLagMs);
    },
    recoverWaits: listLagMs > 0,
    story: [`seed ${seed}, duplicates ${duplicateCidr}, list lag ${listLagMs} ms`],
  };
};

const CHUNK = Math.ceil(LIVES / CHUNKS);

const seedsOf = (chunk: number): number[] =>
  Array.from({ length: CHUNK }, (_, index) => FIRST_SEED + chunk * CHUNK + index);

test.each(Array.from({ length: CHUNKS }, (_, chunk) => [seedsOf(chunk)]))(
  'no documented command loses, doubles or leaves anything untold: lives %j',
  async (seeds) => {
    for (const seed of seeds) await live(await startWorld(seed), { events: 7, turns: 5 });
  },
);
