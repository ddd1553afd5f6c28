// What for: the network between processes and service: delays, faults, late effects.
// Must not know: programs and their edits: it carries requests.
import type { DirectAnswer, Emulator } from '../../../emulator/src/index';
import { parseBaseUrl } from '../../../provider/src/api/base-url';
import type { ClientSettings } from '../../../provider/src/api/client-settings';
import type { Attempt, Carrier, Reply } from '../../../provider/src/api/transport';
import { Dice } from '../../support/dice';
import type { VirtualClock } from '../../support/virtual-clock';
import { type FaultKind, FaultPlan, type Weather } from './faults';

/** One attempt of one request. */
export interface Sent {
  readonly number: number;
  /** The plugin process that sends it. */
  readonly process: number;
  readonly method: string;
  readonly target: string;
  readonly body?: object | undefined;
}

/** Observes what happens on the way. */
export interface Observer {
  onSend(sent: Sent, fault: FaultKind | undefined): void;
  onEffect(sent: Sent, answer: DirectAnswer): void;
  onReply(sent: Sent, reply: Reply): void;
  /** The effect of a request comes only now, long after its answer was given up. */
  onLate(sent: Sent): void;
}

/** How long a late effect may take: longer than the waits of a look-up, shorter than a run. */
const LATEST_EFFECT_MS = 40_000;

/** The network between the processes and the service: it takes time, and loses some messages. */
export class Network {
  private dice = new Dice(0);
  private latencyMs = 0;
  private plan = new FaultPlan([]);
  /** How many requests there have been. */
  sent = 0;

  constructor(
    private readonly time: VirtualClock,
    private readonly service: Pick<Emulator, 'answer'>,
    private readonly observer: Observer,
  ) {}

  /** The weather of the next call of the CLI. */
  set weather({ seed, latencyMs, faults }: Weather) {
    this.dice = new Dice(seed);
    this.latencyMs = latencyMs;
    this.plan = new FaultPlan(faults);
  }

  /** The connection of one process. */
  connect(settings: ClientSettings, process: number): Carrier & { kill(): void } {
    let isDead = false;
    return {
      baseUrl: parseBaseUrl(settings.baseUrl),
      send: (attempt) =>
        new Promise((resolve) => {
          // A dead process sends nothing, and answers to it are lost.
          if (isDead) return;
          this.carry({ attempt, settings, process }, (reply) => {
            if (!isDead) resolve(reply);
          });
        }),
      close: () => undefined,
      kill: () => {
        isDead = true;
      },
    };
  }

  private carry(request: Request, resolve: (reply: Reply) => void): void {
    const { method, target, body, signal } = request.attempt;
    const sent: Sent = { number: (this.sent += 1), process: request.process, method, target, body };
    const kind = this.plan.take(method, target);
    this.observer.onSend(sent, kind);
    let isOver = false;
    const answer = (reply: Reply): void => {
      if (isOver) return;
      isOver = true;
      this.observer.onReply(sent, reply);
      resolve(reply);
    };
    const giveUp = (): void => {
      answer(noResponse('timeout', true));
    };
    if (signal.aborted) giveUp();
    else signal.addEventListener('abort', giveUp, { once: true });
    this.play({ ...request, sent, kind, answer });
  }

  private play(inFlight: RequestInFlight): void {
    const { kind, answer, sent } = inFlight;
    const [there, back] = [this.way(), this.way()];
    const at = (delayMs: number, act: () => void): void => void this.time.after(delayMs, act);
    const answerAfter = (delayMs: number, reply: Reply): void => {
      at(delayMs, () => {
        answer(reply);
      });
    };
    const serve = (): Reply => toReply(this.effect(inFlight));
    const serveAfter = (delayMs: number, instead?: Reply): void => {
      at(delayMs, () => {
        const reply = serve();
        answerAfter(back, instead ?? reply);
      });
    };
    switch (kind) {
      case undefined:
      case 'trimmed':
        serveAfter(there);
        return;
      case 'slow':
        serveAfter(there + this.dice.between(5_000, 28_000));
        return;
      case 'refused':
        answerAfter(there, noResponse('not-reached', false));
        return;
      case 'silence':
        return;
      case 'silence though done':
        at(there, serve);
        return;
      case 'late':
        at(this.dice.between(500, LATEST_EFFECT_MS), () => {
          this.observer.onLate(sent);
          serve();
        });
        answerAfter(there, noResponse('broken', true));
        return;
      case 'doubled':
        at(there, () => {
          const first = serve();
          at(back, () => {
            const second = serve();
            answer(this.dice.isLucky(0.5) ? first : second);
          });
        });
        return;
      case 'reset though done':
      case '500 though done':
      case 'HTML though done':
      case 'nothing though done':
      case 'cut':
        serveAfter(there, garbled(sent.method === 'POST' ? 201 : 200)[kind]);
        return;
      default:
        answerAfter(there + back, refusals[kind]);
    }
  }

  private effect({ attempt, settings, sent, kind }: RequestInFlight): DirectAnswer {
    const { method, target } = attempt;
    const { apiKey, versionHeader, version } = settings;
    const body = kind === 'trimmed' ? trimmed(attempt.body) : attempt.body;
    const answer = this.service.answer({
      method,
      target,
      headers: {
        authorization: `Bearer ${apiKey}`,
        [versionHeader.toLowerCase()]: version,
        'content-type': 'application/json',
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    this.observer.onEffect(sent, answer);
    return answer;
  }

  private way(): number {
    return this.dice.between(1, this.latencyMs);
  }
}

const trimmed = (body: object | undefined): object =>
  Object.fromEntries(
    Object.entries(body ?? {}).map(([name, value]: [string, unknown]) => [
      name,
      ['description', 'metadata'].includes(name) ? String(value).slice(0, -1) : value,
    ]),
  );

interface Request {
  readonly attempt: Attempt;
  readonly settings: ClientSettings;
  readonly process: number;
}

interface RequestInFlight extends Request {
  readonly sent: Sent;
  readonly kind: FaultKind | undefined;
  readonly answer: (reply: Reply) => void;
}

const noResponse = (reason: 'broken' | 'not-reached' | 'timeout', wasSent: boolean): Reply => ({
  kind: 'no-response',
  reason,
  code: undefined,
  wasSent,
});

const headers = { retryAfter: undefined, date: undefined };

const htmlReply = (status: number): Reply & { kind: 'answer' } => ({
  kind: 'answer',
  status,
  body: { kind: 'other' },
  ...headers,
});

const errorReply = (status: number, retryAfter?: string): Reply => ({
  ...htmlReply(status),
  body: { kind: 'json', value: { error_code: 'ERR_TEST', status_code: status, msg: 'As planned.' } },
  retryAfter,
});

/** What comes in place of the answer of a service that has done what it was asked. */
const garbled = (status: number) => ({
  'reset though done': noResponse('broken', true),
  '500 though done': errorReply(500),
  'HTML though done': htmlReply(200),
  'nothing though done': { ...htmlReply(status), body: { kind: 'empty' } } as const,
  cut: htmlReply(status),
});

const refusals = {
  reset: noResponse('broken', true),
  500: errorReply(500),
  503: errorReply(503, '3'),
  '502 with HTML': htmlReply(502),
  '404 with HTML': htmlReply(404),
  429: errorReply(429, '2'),
  403: errorReply(403),
} as const;

function toReply({ status, headers: sent, text }: DirectAnswer): Reply {
  const header = (name: string): string | undefined => {
    const value = sent[name];
    return typeof value === 'string' ? value : undefined;
  };
  return {
    kind: 'answer',
    status,
    body: text === '' ? { kind: 'empty' } : parsed(text),
    retryAfter: header('Retry-After'),
    date: header('date'),
  };
}

const parsed = (text: string): (Reply & { kind: 'answer' })['body'] => {
  try {
    return { kind: 'json', value: JSON.parse(text) as unknown };
  } catch {
    return { kind: 'other' };
  }
};
