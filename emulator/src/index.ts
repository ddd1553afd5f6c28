export type { DirectAnswer, DirectRequest } from './direct';
export { Emulator } from './emulator';
export type {
  Fault,
  FaultKind,
  MutateFault,
  PagingFault,
  ReplacingFault,
  RequestTarget,
  SpoilingFault,
  StatusFault,
} from './faults/fault';
export type { FaultHandle } from './faults/fault-schedule';
export type { HoldHandle, HoldTarget } from './faults/barriers';
export type { JournalEntry, JournalMode } from './journal';
export type { EmulatorOptions } from './emulator-options';
export type { RuleWire } from './routes/ip-policy-rule-wire';
export type { ModuleContents, ModuleName, Modules } from './routes/modules';
export type { AccountState, Remote, RuleEdit, RuleSeed, Seed } from './seed';
export type { TlsOptions } from './server';
export type { RuleAction } from './store/changes';
export { start } from './start';
export { switchTable, type SwitchName, type Switches } from './switches';
