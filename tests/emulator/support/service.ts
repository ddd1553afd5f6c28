import { start, type Emulator, type EmulatorOptions, type RuleWire } from '../../../emulator/src/index';
import { deferCleanup } from '../../support/cleanup';
import { send, type HttpAnswer, type Outgoing } from './http';

/** The headers every request of a well-behaved client carries. */
const clientHeaders = { Authorization: 'Bearer test-key', 'Service-Version': '2' };

/** The rule that tests ask for; its policy is `ipp_test`. */
export const testRule = { cidr: '192.0.2.0/24', ip_policy_id: 'ipp_test', action: 'deny' };

/** An emulator of a test's own, closed at its end. */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await start(options);
  deferCleanup(() => emulator.close());
  return emulator;
}

/** One emulator for the tests of a file, empty again before each of them. */
export function useService(options: EmulatorOptions = {}) {
  let running: Emulator | undefined;
  beforeAll(async () => {
    running = await start(options);
  });
  beforeEach(() => {
    running?.reset();
  });
  afterAll(() => running?.close());
  const service = {
    get emulator(): Emulator {
      if (running === undefined) throw new Error('the emulator runs inside tests only');
      return running;
    },
    /** Sends a request as a well-behaved client would; a body that is neither text nor bytes is sent as JSON. */
    call: (method: string, path: string, body?: unknown, more: Partial<Outgoing> = {}) =>
      callEmulator(service.emulator.url, { method, path, body, more }),
    /** Asks for the test's rule, with other fields. */
    post: (fields: object = {}) => service.call('POST', '/ip_policy_rules', { ...testRule, ...fields }),
    ruleCount: () => service.emulator.state().rules.length,
    /** Creates the test's rule, with other fields, and returns it. */
    createRule: async (fields: object = {}): Promise<RuleWire> => {
      const answer = await service.post(fields);
      if (answer.status !== 201) throw new Error(`the rule was refused: ${answer.text}`);
      return answer.json() as RuleWire;
    },
  };
  return service;
}

export function callEmulator(
  url: string,
  request: { method: string; path: string; body?: unknown; more?: Partial<Outgoing> },
): Promise<HttpAnswer> {
  const { method, path, body, more = {} } = request;
  const isSentAsItIs = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
  const text = isSentAsItIs ? body : JSON.stringify(body);
  const type =
    text === undefined
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(text)) };
  const headers = { ...clientHeaders, ...type, ...more.headers };
  return send({ method, url: url + path, ...(text === undefined ? {} : { body: text }), ...more, headers });
}
