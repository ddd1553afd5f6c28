import { Command, InvalidArgumentError, Option } from 'commander';
import { isLoopback } from './control/control-plane';
import { start } from './index';
import type { JournalMode } from './journal';
import { DEFAULT_ACCOUNT } from './pipeline';
import { parseSwitches, type Switches } from './switches';

interface CommandOptions {
  readonly port: number;
  readonly host: string;
  readonly basePath: string;
  readonly data?: string;
  readonly versionHeader: string;
  readonly apiKey: readonly string[];
  readonly account: Readonly<Record<string, string>>;
  readonly control: boolean;
  readonly journal: JournalMode;
  readonly switch: Partial<Switches>;
}

export function emulatorCommand(): Command {
  return new Command('edge-policy-emulator')
    .description('Emulates the edge policy management service, in memory or with a data file.')
    .option('--port <number>', 'port to listen on, 0 for a free one', parsePort, 4010)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--base-path <path>', 'path of the service on its host', '')
    .option('--data <file>', 'begin with the snapshot in this file, and write it at the end')
    .option('--version-header <name>', 'name of the version header', 'Service-Version')
    .option('--api-key <key>', 'API key of the account (repeatable; default: test-key)', collect, [])
    .option('--account <name=key>', 'another account and its API key (repeatable)', collectAccount, {})
    .option('--control', 'serve the control plane under /__emulator/', false)
    .addOption(
      new Option('--journal <mode>', 'which parts of requests to keep')
        .choices(['full', 'counts'])
        .default('full'),
    )
    .option('--switch <name=position>', 'set a switch (repeatable)', collectSwitch, {})
    .action(run);
}

async function run(options: CommandOptions): Promise<void> {
  const { data, switch: switches, apiKey, account, ...others } = options;
  const accounts = accountsOf({ apiKey, account });
  const emulator = await start({
    ...others,
    ...(data !== undefined && { dataFile: data }),
    accounts,
    switches,
  });
  const end = (): void => {
    void emulator.close();
  };
  if (options.control && !isLoopback(options.host)) {
    console.error(
      `warning: the control plane needs no key, and everyone who can reach ${options.host} can read and change everything`,
    );
  }
  process.once('SIGINT', end).once('SIGTERM', end);
  console.log(`edge-policy-emulator listens on ${emulator.url}`);
}

/** Account names by API key, as the library takes them. */
function accountsOf({ apiKey, account }: Pick<CommandOptions, 'apiKey' | 'account'>): Record<string, string> {
  const hasOwn = apiKey.length > 0 || Object.keys(account).length > 0;
  const keys = hasOwn ? apiKey : ['test-key'];
  return { ...account, ...Object.fromEntries(keys.map((key) => [key, DEFAULT_ACCOUNT])) };
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('A port is a number from 0 to 65535.');
}

const collect = (key: string, keys: readonly string[]): readonly string[] => [...keys, key];

function collectAccount(
  text: string,
  accounts: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const [name = '', ...rest] = text.split('=');
  const key = rest.join('=');
  if (name === '' || key === '') throw new InvalidArgumentError('An account is given as NAME=KEY.');
  return { ...accounts, [key]: name };
}

function collectSwitch(text: string, positions: Partial<Switches>): Partial<Switches> {
  const [name = '', ...rest] = text.split('=');
  try {
    return { ...positions, ...parseSwitches({ [name]: rest.join('=') }) };
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}
