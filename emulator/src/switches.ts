export const LONGEST_LAG_MS = 10_000;

/**
 * Every question that the API document leaves open, with the positions that the emulator can take. The first position (or
 * `start` of a number) is the default. This table is the only list: types, the command line, the control plane and the README
 * derive from it.
 */
export const switchTable = {
  errorBody: choice('The body of an error response (section 7 shows none)', [
    'json',
    'json-without-code',
    'empty',
    'html',
    'text',
  ]),
  missingRule: choice('404 for a rule that does not exist, on GET, PATCH and DELETE', [
    'error-body',
    'error-body-without-code',
    'empty',
  ]),
  missingModuleOnGet: choice('GET of a module that does not exist', [
    '404',
    'null',
    'empty-object',
    'defaults',
  ]),
  missingModuleOnDelete: choice('DELETE of a module that does not exist', ['404', '204']),
  missingParentOnPut: choice('PUT of a module whose edge or route does not exist', ['404', '400', '422']),
  missingParentOnPost: choice('POST of a rule whose IP policy does not exist', ['400', '404', '422']),
  parents: choice('Which policies, edges and routes exist: any well-formed identifier, or seeded ones only', [
    'any',
    'seeded',
  ]),
  duplicateCidr: choice('The same network twice in one policy, with any actions', ['400', 'accepted', '409']),
  equalPost: choice('POST of a rule that exists with all its fields: as duplicateCidr says, or that rule', [
    'duplicate',
    'existing',
  ]),
  bareAddress: choice('An address without a prefix length', ['refused', 'canonical', 'as-sent']),
  hostBits: choice('Host bits set in a CIDR (refused with a suggestion)', [
    'refused',
    'canonical',
    'as-sent',
  ]),
  ipv6Text: choice('The spelling in which IPv6 CIDRs are stored', ['lower-case', 'canonical', 'as-sent']),
  unsetText: choice('An unset text of a rule, in responses', ['absent', 'empty', 'null']),
  partialPatch: choice('The texts of a rule that a PATCH does not name', ['kept', 'cleared']),
  emptyPatch: choice('PATCH with no field to change', ['400', 'ignored']),
  immutablePatch: choice('PATCH with action or ip_policy_id', ['400', 'ignored']),
  partialPut: choice('PUT without enabled, allow or deny: reset to the default, or refused', [
    'reset',
    '400',
  ]),
  unknownInput: choice('An unknown body field or query parameter', ['400', 'ignored']),
  unexpectedBody: choice('A body on GET or DELETE', ['400', 'ignored']),
  moduleLagMs: number('Time until GET shows that a module was written or deleted', LONGEST_LAG_MS),
  policyValue: choice('The value of a traffic policy, in responses', ['verbatim', 'reserialised']),
  listOrder: choice('The order of the rule list', ['newest-first', 'oldest-first']),
  pageSize: number('Rules per page of the list', 10_000, { start: 100, minimum: 1 }),
  emptyPage: choice('An empty page after the first one of the list', ['never', 'after-first']),
  listPages: choice(
    'Where a page of the list begins: after a rule, or at an offset, so that deletions meanwhile cut rows',
    ['after-rule', 'offset'],
  ),
  nextPageUri: choice('The form of next_page_uri', ['absolute', 'relative']),
  listLagMs: number('Time until a new rule shows up in the list', LONGEST_LAG_MS),
  deletedListedMs: number('Time until a deleted rule leaves the list', LONGEST_LAG_MS),
  rateLimit: number('Requests per account and rolling window, 0 for no limit', 1_000_000),
  rateLimitWindowMs: number('Length of the rolling window', 3_600_000, { start: 60_000, minimum: 1 }),
  retryAfter: choice('The Retry-After header of a 429', ['seconds', 'date', 'absent', 'nonsense']),
  simultaneousLimit: number(
    'Simultaneous requests per account, 0 for no limit; each then takes at least 1 ms',
    10_000,
  ),
  timestamps: choice('The form of created_at', ['whole-seconds', 'fraction', 'offset']),
  createdAtAheadMs: number('How far created_at is ahead of the Date header', 120_000, { minimum: -120_000 }),
  ruleIds: choice('The form of the identifiers of new rules', ['letters-and-digits', 'any']),
  lastRuleOfPolicy: choice('DELETE of the last rule of a policy (400: every policy counts as in use)', [
    'deletable',
    '400',
  ]),
  regexDialect: choice('The dialect of user agent patterns', ['re2', 'ecmascript']),
  extraFields: choice('Undocumented fields in responses', ['none', 'some']),
  latencyMs: number('Latency of each response', 60_000),
} as const;

interface ChoiceSwitch<Position extends string> {
  readonly kind: 'choice';
  readonly question: string;
  readonly positions: readonly Position[];
  readonly start: Position;
}

interface NumberSwitch {
  readonly kind: 'number';
  readonly question: string;
  readonly start: number;
  readonly minimum: number;
  readonly maximum: number;
}

type SwitchTable = typeof switchTable;

export type SwitchName = keyof SwitchTable;

export type Switches = {
  [Name in SwitchName]: SwitchTable[Name] extends ChoiceSwitch<infer Position> ? Position : number;
};

function choice<const Position extends string>(
  question: string,
  positions: readonly [Position, ...Position[]],
): ChoiceSwitch<Position> {
  return { kind: 'choice', question, positions, start: positions[0] };
}

function number(question: string, maximum: number, { start = 0, minimum = 0 } = {}): NumberSwitch {
  return { kind: 'number', question, start, minimum, maximum };
}

export const switchNames = Object.keys(switchTable) as SwitchName[];

export const startSwitches: Readonly<Switches> = Object.fromEntries(
  switchNames.map((name) => [name, switchTable[name].start]),
) as Switches;

/** Checks names and positions from a program, a command line or the control plane; throws an error that says what is wrong. */
export function parseSwitches(input: object): Partial<Switches> {
  const entries = Object.entries(input).map(([name, value]) => [name, parsePosition(name, value)]);
  return Object.fromEntries(entries) as Partial<Switches>;
}

function parsePosition(name: string, value: unknown): string | number {
  if (!Object.hasOwn(switchTable, name)) {
    throw new RangeError(`unknown switch ${name}; the switches are ${switchNames.join(', ')}`);
  }
  const definition = switchTable[name as SwitchName];
  if (definition.kind === 'choice') {
    const position = definition.positions.find((candidate) => candidate === String(value));
    if (position !== undefined) return position;
    throw new RangeError(`switch ${name}: ${String(value)} is not one of ${definition.positions.join(', ')}`);
  }
  const amount = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof amount === 'number' && Number.isSafeInteger(amount)) {
    if (amount >= definition.minimum && amount <= definition.maximum) return amount;
  }
  throw new RangeError(
    `switch ${name}: ${String(value)} is not a whole number from ${definition.minimum} to ${definition.maximum}`,
  );
}
