import { start, type Emulator, type EmulatorOptions } from '../../../emulator/src/index';
import { deferCleanup } from '../../support/cleanup';
import { send, type HttpAnswer, type Outgoing } from './http';

/** The headers every request of a well-behaved client carries. */
export const clientHeaders = { Authorization: 'Bearer test-key', 'Service-Version': '2' };

/** The rule that tests ask for; its policy is `ipp_test`. */
export const testRule = { cidr: '192.0.2.0/24', ip_policy_id: 'ipp_test', action: 'deny' };

/** An emulator of a test's own, closed at its end. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await start(options);
  deferCleanup(() => emulator.close());
  return emulator;
}

export interface TestService {
  emulator: Emulator;
  /** Sends a request as a well-behaved client would; a body that is not a text is sent as JSON. */
  call(method: string, path: string, body?: unknown, more?: Partial<Outgoing>): Promise<HttpAnswer>;
  /** Asks for the test's rule, with other fields. */
  readonly post: (fields?: object) => Promise<HttpAnswer>;
  readonly ruleCount: () => number;
  /** Creates the test's rule, with other fields, and returns it. */
  createRule(fields?: object): Promise<WireRule>;
}

export interface WireRule {
  id: string;
  uri: string;
  created_at: string;
  cidr: string;
  action: string;
  description?: string | null;
  metadata?: string | null;
  ip_policy: { id: string; uri: string };
}

/** One emulator for the tests of a file, empty again before each of them. */
export function useService(options: EmulatorOptions = {}): TestService {
  const service: Omit<TestService, 'emulator'> & Partial<Pick<TestService, 'emulator'>> = {
    call: (method, path, body, more = {}) => {
      const { emulator } = service;
      if (emulator === undefined) throw new Error('the emulator runs inside tests only');
      return callEmulator(emulator.url, { method, path, body, more });
    },
    post: (fields = {}) => service.call('POST', '/ip_policy_rules', { ...testRule, ...fields }),
    ruleCount: () => service.emulator?.state().rules.length ?? 0,
    createRule: async (fields = {}) => {
      const answer = await service.post(fields);
      if (answer.status !== 201) throw new Error(`the rule was refused: ${answer.text}`);
      return answer.json() as WireRule;
    },
  };
  beforeAll(async () => {
    service.emulator = await start(options);
  });
  beforeEach(() => {
    service.emulator?.reset();
  });
  afterAll(() => service.emulator?.close());
  return service as TestService;
}

export function callEmulator(
  url: string,
  request: { method: string; path: string; body?: unknown; more?: Partial<Outgoing> },
): Promise<HttpAnswer> {
  const { method, path, body, more = {} } = request;
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const type =
    text === undefined
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(text)) };
  const headers = { ...clientHeaders, ...type, ...more.headers };
  return send({ method, url: url + path, ...(text === undefined ? {} : { body: text }), ...more, headers });
}
