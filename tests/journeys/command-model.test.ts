import { live } from '../support/command-model/life';
import { RealCli } from '../support/command-model/real-cli';
import type { World } from '../support/command-model/world';
import { PulumiStack } from '../support/pulumi-stack';
import { SecretsScan } from '../support/secrets-scan';
import { Dice } from '../support/dice';
import { startService } from '../support/service-stack';

/** `EDGE_POLICY_COMMAND_LIVES=24` lives whole lives, a minute or more each; without it there are two short ones. */
const LIVES = process.env['EDGE_POLICY_COMMAND_LIVES'];
const FIRST_SEED = Number(process.env['EDGE_POLICY_SEED'] ?? 1);
const LENGTH = LIVES === undefined ? { events: 3, turns: 1 } : { events: 6, turns: 2 };

jest.setTimeout(900_000);

const startWorld = async (seed: number): Promise<World> => {
  const dice = new Dice(seed);
  const keys = { default: SecretsScan.makeUp('key'), second: SecretsScan.makeUp('key') };
  const duplicateCidr = dice.isLucky(0.5) ? 'accepted' : '409';
  const { emulator } = await startService({
    accounts: { [keys.default]: 'default', [keys.second]: 'default' },
    switches: { duplicateCidr },
  });
  const stack = await PulumiStack.create({
    program: { ts: '' },
    project: 'project',
    baseUrl: emulator.url,
    apiKey: keys.default,
    env: { SECOND_KEY: keys.second },
  });
  const cli = new RealCli(stack, emulator);
  return {
    ...{ dice, emulator, cli, line: cli, parts: [], nextNetwork: 0, secret: stack.secret },
    saveProgram: () => {
      cli.saveProgram();
    },
    waitForLists: () => undefined,
    recoverWaits: false,
    story: [`seed ${seed}, duplicates ${duplicateCidr}`],
  };
};

const seeds = Array.from({ length: Number(LIVES ?? 2) }, (_, index) => [FIRST_SEED + index]);

test.each(seeds)(
  'on the real CLI no command loses, doubles or leaves anything untold: life %i',
  async (seed) => {
    await live(await startWorld(seed), LENGTH);
  },
);
