import { celFunc, CelScalar, listType, parse, plan, celEnv, isCelError } from '@bufbuild/cel';
import { isInNetwork, remembered } from './addresses';

/**
 * Decides about single connections, by another CEL than the review uses and by reading the document as it stands. It
 * knows the conditions that the review does not: the country of each connection is given.
 */
export interface Connection {
  readonly ip: string;
  readonly country: string | undefined;
  /** What the unknown action does to the connection; it goes on unless this says otherwise. */
  readonly forward?: 'refuses' | 'admits' | 'goes on';
  /** Which of the phases comes first is not known either. */
  readonly phases?: readonly string[];
}

interface Rule {
  readonly expressions?: readonly string[];
  readonly actions?: readonly { readonly type: string; readonly config?: Restriction }[];
}

interface Restriction {
  readonly enforce?: boolean;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
}

const { STRING, BOOL } = CelScalar;
const environment = celEnv({
  funcs: [
    celFunc('inCidrRange', [STRING, STRING], BOOL, (ip, network) => isInNetwork(ip, network)),
    celFunc('inCidrRanges', [STRING, listType(STRING)], BOOL, (ip, networks) =>
      [...networks].some((network) => typeof network === 'string' && isInNetwork(ip, network)),
    ),
  ],
});
const programOf = remembered((expression) => plan(environment, parse(expression)));
const phasesOf = remembered((document) => JSON.parse(document) as Record<string, readonly Rule[]>);

const answers = new Map<string, boolean>();

function holds(expression: string, connection: Connection): boolean {
  const key = `${connection.ip} ${connection.country ?? ''} ${expression}`;
  const answer = answers.get(key) ?? evaluate(expression, connection);
  answers.set(key, answer);
  return answer;
}

function evaluate(expression: string, { ip, country }: Connection): boolean {
  const result = programOf(expression)({
    conn: { client_ip: ip, geo: country === undefined ? {} : { country_code: country } },
  });
  return !isCelError(result) && result === true;
}

/** Whether the connection gets in: by the first action that refuses it, rule by rule. */
export function isAdmitted(document: string, isEnabled: boolean, connection: Connection): boolean {
  if (!isEnabled) return true;
  const phases = phasesOf(document);
  for (const phase of connection.phases ?? ['inbound', 'on_tcp_connect']) {
    for (const { expressions = [], actions = [] } of phases[phase] ?? []) {
      if (!expressions.every((expression) => holds(expression, connection))) continue;
      for (const { type, config } of actions) {
        if (type === 'deny') return false;
        if (type === 'forward' && connection.forward === 'refuses') return false;
        if (type === 'forward' && connection.forward === 'admits') return true;
        if (type === 'restrict-ips' && isRestricted(config ?? {}, connection.ip)) return false;
      }
    }
  }
  return true;
}

function isRestricted({ enforce = true, allow = [], deny = [] }: Restriction, ip: string): boolean {
  if (!enforce) return false;
  const isIn = (networks: readonly string[]) => networks.some((network) => isInNetwork(ip, network));
  return isIn(deny) || (allow.length > 0 && !isIn(allow));
}
