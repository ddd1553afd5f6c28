import type { Fault, RuleWire } from '../../../emulator/src/index';
import type { ClientSettings } from '../../../provider/src/api/client-settings';
import type { Operation, Verb } from './operations';
import type { Obstacle, WayName } from './ways';

/** Where a fault strikes, and what it may use. */
export interface Place {
  readonly operation: Operation;
  /** The address of the service. */
  readonly serviceUrl: string;
  /** The address of another origin, which must never hear of us. */
  readonly otherUrl: string;
  /** A rule of somebody else. */
  readonly otherRule: RuleWire | undefined;
  readonly nowMs: number;
}

/** What the emulator is told beside where to strike. */
export type FaultSpec = Fault extends infer Each
  ? Each extends Fault
    ? Omit<Each, 'method' | 'path' | 'nth' | 'times'>
    : never
  : never;

/** One fault of the matrix. */
export interface FaultRow {
  readonly name: string;
  /**
   * The class of the outcome: `N` surely not sent, `T` rate limit, `A` ambiguous, `D` definite; `harmless` must not be
   * noticed at all.
   */
  readonly outcome: 'N' | 'T' | 'A' | 'D' | 'harmless';
  /** The service does its work all the same. */
  readonly hasEffect?: boolean;
  /** It quotes what was sent. */
  readonly isEcho?: boolean;
  /** It says that another object is in the way. */
  readonly isConflict?: boolean;
  /** Even once it cannot be waited out. */
  readonly isHopeless?: boolean;
  /** It hits every request and not that of the operation alone. */
  readonly isEverywhere?: boolean;
  readonly reaches: (operation: Operation) => boolean;
  readonly fault?: (place: Place) => FaultSpec;
  /** A fault on the way to the service, made by settings that lead astray. */
  readonly settings?: (place: Place) => Partial<ClientSettings>;
  /** A fault on the way to the service: no connection comes about. */
  readonly obstacle?: Obstacle;
  /** On which ways it is tried: in clear alone unless given. */
  readonly ways?: readonly WayName[];
}

export const overAllWays: readonly WayName[] = ['http', 'https', 'proxy'];

export const overTls: readonly WayName[] = ['https', 'proxy'];

/** Transport does not know resources: it is tried on one of each kind. */
export const anyOfTwoKinds = ({ resource }: Operation): boolean =>
  resource === 'IpPolicyRule' || resource === 'TcpEdgeTrafficPolicyModule';

export const onRules = ({ resource }: Operation): boolean => resource === 'IpPolicyRule';

export const always = (): boolean => true;

export const hasAnswerBody = ({ verb }: Operation): boolean => verb !== 'delete';

/** Looking for a module before there is one is answered by a 404, whose body nobody spoils. */
export const hasAnswerObject = (operation: Operation): boolean =>
  hasAnswerBody(operation) && operation.verb !== 'look';

export const verbs =
  (...wanted: readonly Verb[]) =>
  ({ verb }: Operation): boolean =>
    wanted.includes(verb);
