import { controlPlane } from './control/control-plane';
import { Emulator, type EmulatorOptions } from './emulator';

export async function start(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = new Emulator(options);
  const { port = 0, host = '127.0.0.1', control = false } = options;
  try {
    await emulator.listen(port, host, control ? controlPlane : undefined);
  } catch (error) {
    await emulator.close();
    throw error;
  }
  return emulator;
}

export type { DirectAnswer, DirectRequest } from './direct';
export { Emulator, type EmulatorOptions } from './emulator';
export type {
  Fault,
  FaultKind,
  MutateFault,
  ReplacingFault,
  RequestTarget,
  SpoilingFault,
  StatusFault,
} from './faults/fault';
export type { FaultHandle } from './faults/fault-schedule';
export type { HoldHandle, HoldTarget } from './faults/barriers';
export type { JournalEntry, JournalMode } from './journal';
export type { RuleWire } from './routes/ip-policy-rule-wire';
export type { ModuleContents, ModuleName, Modules } from './routes/modules';
export type { AccountState, Remote, RuleEdit, RuleSeed, Seed } from './seed';
export type { TlsOptions } from './server';
export type { RuleAction } from './store/stored-rule';
export { switchTable, type SwitchName, type Switches } from './switches';
