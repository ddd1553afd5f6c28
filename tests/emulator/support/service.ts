import { start, type Emulator, type EmulatorOptions } from '../../../emulator/src/index';
import { send, type HttpAnswer, type Outgoing } from './http';

/** The headers every request of a well-behaved client carries. */
export const clientHeaders = { Authorization: 'Bearer test-key', 'Service-Version': '2' };

export interface TestService {
  emulator: Emulator;
  /** Sends a request as a well-behaved client would; a body that is not a text is sent as JSON. */
  call(method: string, path: string, body?: unknown, more?: Partial<Outgoing>): Promise<HttpAnswer>;
  /** Creates a rule in the policy `ipp_test` and returns it. */
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
  const service: Partial<TestService> & Pick<TestService, 'call' | 'createRule'> = {
    call: (method, path, body, more = {}) => {
      const { emulator } = service;
      if (emulator === undefined) throw new Error('the emulator runs inside tests only');
      return callEmulator(emulator.url, { method, path, body, more });
    },
    createRule: async (fields = {}) => {
      const body = { cidr: '192.0.2.0/24', ip_policy_id: 'ipp_test', action: 'deny', ...fields };
      const answer = await service.call('POST', '/ip_policy_rules', body);
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
