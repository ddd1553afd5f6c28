// What for: plain requests to the service under test, one after the other and at a measured pace. Its answers are the subject, so
// nothing is decoded or repaired.
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import axios, { type AxiosInstance } from 'axios';
import { parseBaseUrl, parseProxy } from '../../provider/src/api/base-url';
import { isBelow } from '../../provider/src/api/transport';
import type { ClientSettings } from '../../provider/src/api/client-settings';
import { tlsSafety, TunnelAgent } from '../../provider/src/api/tunnel-agent';

export type Fields = Readonly<Record<string, unknown>>;

export interface Answer {
  readonly status: number;
  readonly text: string;
  /** Undefined if the body is no JSON. */
  readonly json: unknown;
}

interface Page {
  readonly ip_policy_rules: readonly Fields[];
  readonly next_page_uri: string | null;
}

/** The JSON as an object; an empty one if it is none. */
export const fieldsOf = (json: unknown): Fields =>
  typeof json === 'object' && json !== null ? (json as Fields) : {};

const MOST_RATE_REFUSALS = 5;

export class Service {
  rateRefusals = 0;
  private nextAt = 0;
  private readonly client: AxiosInstance;

  /** Once the signal is aborted nothing more is sent; a request under way is not cut off, as its answer says what it has created. */
  constructor(
    private readonly settings: ClientSettings,
    private readonly signal = new AbortController().signal,
  ) {
    const { baseUrl, proxy, requestTimeoutMs, apiKey, versionHeader, version } = settings;
    this.client = axios.create({
      ...{ baseURL: baseUrl, timeout: requestTimeoutMs, maxRedirects: 0, proxy: false },
      ...{ responseType: 'text', transformResponse: [], validateStatus: () => true },
      headers: { Authorization: `Bearer ${apiKey}`, [versionHeader]: version },
      httpsAgent:
        proxy === undefined
          ? new https.Agent(tlsSafety)
          : new TunnelAgent(parseProxy(proxy), requestTimeoutMs, tlsSafety),
    });
  }

  async ask(method: string, url: string, body?: object, beforeSending?: () => void): Promise<Answer> {
    await this.pause(this.nextAt - performance.now());
    this.nextAt = performance.now() + 60_000 / (this.settings.requestsPerMinute ?? 60);
    beforeSending?.();
    const type = body === undefined ? {} : { headers: { 'Content-Type': 'application/json' } };
    const { status, data, headers } = await this.client
      .request<string>({ method, url, data: JSON.stringify(body), ...type })
      .catch((error: unknown) => {
        // The error of the library holds the key.
        throw new Error(`${method} ${url}: no answer (${String(fieldsOf(error)['code'])})`);
      });
    if (status !== 429) return { status, text: data, json: parsed(data) };
    this.rateRefusals += 1;
    if (this.rateRefusals > MOST_RATE_REFUSALS)
      throw new Error('429 at this pace: lower --requests-per-minute');
    await this.pause((Number(headers['retry-after']) || 60) * 1000);
    return this.ask(method, url, body, beforeSending);
  }

  /** The whole list of the account. */
  async pages(): Promise<Page[]> {
    const pages: Page[] = [];
    const targets = ['/ip_policy_rules'];
    for (const target of targets) {
      const { status, json } = await this.ask('GET', target);
      const { ip_policy_rules: rules, next_page_uri: next = null } = fieldsOf(json);
      if (status !== 200 || !Array.isArray(rules) || (next !== null && typeof next !== 'string'))
        throw new Error(`GET /ip_policy_rules answered ${status} without a list of rules`);
      pages.push({ ip_policy_rules: rules as Fields[], next_page_uri: next });
      if (next !== null) targets.push(this.targetOf(next));
      if (new Set(targets).size < targets.length) throw new Error('the pages of the list lead in a circle');
    }
    return pages;
  }

  async rules(): Promise<Fields[]> {
    return (await this.pages()).flatMap((page) => page.ip_policy_rules);
  }

  async pause(milliseconds: number): Promise<void> {
    this.signal.throwIfAborted();
    if (milliseconds > 0) await sleep(milliseconds, undefined, { signal: this.signal });
  }

  /** The key goes nowhere else. */
  private targetOf(uri: string): string {
    const base = parseBaseUrl(this.settings.baseUrl);
    const url = URL.canParse(uri, base.href) ? new URL(uri, base.href) : undefined;
    if (url !== undefined && isBelow(base, url)) return url.href.slice(base.href.length);
    throw new Error('next_page_uri leads outside the base URL');
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
