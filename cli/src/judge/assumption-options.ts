import type { Command, Option } from 'commander';
import { choice } from '../command/arguments';
import {
  type Assumptions,
  DEFAULT_ASSUMPTIONS,
  IP_MODELS,
  USER_AGENT_MODELS,
} from 'pulumi-edge-policy-review';

export const ipModelOption = (): Option =>
  choice('--ip-model <name>', 'who gets in under allow and deny rules (default: deny-wins)', IP_MODELS);

export const withAssumptionOptions = (command: Command): Command =>
  command
    .addOption(ipModelOption())
    .addOption(
      choice(
        '--user-agent-model <name>',
        'who gets in under allow and deny patterns (default: allow-wins)',
        USER_AGENT_MODELS,
      ),
    )
    .option(
      '--phases <names>',
      'phases of traffic policies that decide who gets in, separated by commas (besides "inbound,on_tcp_connect")',
      (text: string): readonly string[] => text.split(',').filter((word) => word !== ''),
    );

/** The assumptions of the caller, without the options that were not given. */
export const assumptionsOf = (options: Partial<Assumptions>): Partial<Assumptions> =>
  Object.fromEntries(
    Object.keys(DEFAULT_ASSUMPTIONS).flatMap((name) => {
      const given: unknown = Reflect.get(options, name);
      return given === undefined ? [] : [[name, given]];
    }),
  );
