// What for: all that a question can do: create and change what carries the mark of the run, and read.
import { randomBytes } from 'node:crypto';
import { RunRecord } from './run-record';
import { type Answer, type Fields, fieldsOf, type Service } from './service';

export interface Targets {
  readonly policyId: string;
  readonly edgeId: string;
  /** `edghts_…/edghtsrt_…` */
  readonly route: string;
}

const policyPath = (edgeId: string): string => `/edges/tcp/${edgeId}/traffic_policy`;
const pathsOf = ({ edgeId, route }: Targets) => ({
  policy: policyPath(edgeId),
  filter: `/edges/https/${route.replace('/', '/routes/')}/user_agent_filter`,
});
const madeUp = (prefix: string): string => `${prefix}_${randomBytes(14).toString('hex').slice(1)}`;

/** How the service says that there is no module; undefined if there is one. */
function emptyModule({ status, json }: Answer): string | undefined {
  if (status === 404) return '404';
  if (status !== 200 || json === undefined) return undefined;
  const { enabled = true, value = '', allow = [], deny = [] } = fieldsOf(json);
  if (JSON.stringify([enabled, value, allow, deny]) !== '[true,"",[],[]]') return undefined;
  return json === null ? 'null' : Object.keys(json).length === 0 ? 'empty-object' : 'defaults';
}

/** What GET answers for both modules. Throws if one exists, or if the policy has rules. */
export async function inspect(service: Service, targets: Targets): Promise<string[]> {
  const { policyId } = targets;
  const rules = (await service.rules()).filter(({ ip_policy: ref }) => fieldsOf(ref)['id'] === policyId);
  if (rules.length > 0) throw new Error(`${policyId} has rules (${rules.length}): give a policy without any`);
  const answers: string[] = [];
  for (const path of Object.values(pathsOf(targets))) {
    const answer = await service.ask('GET', path);
    const empty = emptyModule(answer);
    if (empty === undefined)
      throw new Error(
        `${path} is there, or cannot be read (${answer.status}): give an edge and a route without a module`,
      );
    answers.push(empty);
  }
  return answers;
}

export class Run {
  /** Well-formed, and of nothing that exists. */
  readonly absent = { policyId: madeUp('ipp'), edgeId: madeUp('edgtcp'), ruleId: madeUp('ipr') };
  readonly record: RunRecord;
  readonly paths: ReturnType<typeof pathsOf>;
  readonly network = '192.0.2.0/28';
  /** The answer to the create of the rule that most questions are about; it is the last one to go. */
  anchor: Answer = { status: 0, text: '', json: undefined };
  /** Of the rules that it has created, in their order. */
  readonly ids: string[] = [];

  constructor(
    readonly service: Service,
    readonly targets: Targets,
    readonly emptyModules: readonly string[],
    memory: { folder: string; account: string },
  ) {
    this.paths = pathsOf(targets);
    this.record = RunRecord.begin(memory.folder, {
      account: memory.account,
      policies: [targets.policyId, this.absent.policyId],
      modules: [...Object.values(this.paths), policyPath(this.absent.edgeId)],
    });
  }

  get mark(): string {
    return this.record.mark;
  }

  async begin(): Promise<void> {
    this.anchor = await this.create(this.network);
    if (this.ids.length === 0)
      throw new Error(`the first create was answered with ${this.anchor.status}: may this key write?`);
    if ((await this.reread())['metadata'] !== this.mark)
      throw new Error(
        'the service does not return metadata: the rules of a run could not be told from others',
      );
  }

  async create(cidr: string, fields: Fields = {}): Promise<Answer> {
    const own = { cidr, action: 'deny', ip_policy_id: this.targets.policyId, metadata: this.mark };
    const answer = await this.send('POST', '/ip_policy_rules', { ...own, ...fields });
    const { id } = fieldsOf(answer.json);
    if (typeof id === 'string') this.ids.push(id);
    return answer;
  }

  get anchorPath(): string {
    return `/ip_policy_rules/${this.ids[0] ?? ''}`;
  }

  patch(body: Fields): Promise<Answer> {
    return this.service.ask('PATCH', this.anchorPath, body);
  }

  async reread(): Promise<Fields> {
    return fieldsOf((await this.service.ask('GET', this.anchorPath)).json);
  }

  /** Denies an address that no connection comes from. */
  get policyText(): string {
    const deny = { expressions: ["conn.client_ip == '192.0.2.1'"], actions: [{ type: 'deny' }] };
    return JSON.stringify({ inbound: [{ name: this.mark, ...deny }] });
  }

  async putPolicy(edgeId = this.targets.edgeId): Promise<Answer> {
    await this.refuseModuleOfOthers(policyPath(edgeId));
    return this.send('PUT', policyPath(edgeId), { enabled: true, value: this.policyText });
  }

  /** A pattern that no client matches. */
  get pattern(): string {
    return `^${this.mark}$`;
  }

  async putFilter(fields: Fields): Promise<Answer> {
    await this.refuseModuleOfOthers(this.paths.filter);
    return this.send('PUT', this.paths.filter, fields);
  }

  async deleteModule(path: string): Promise<Answer> {
    await this.refuseModuleOfOthers(path);
    return this.service.ask('DELETE', path);
  }

  /** Others may have set one since the beginning. */
  private async refuseModuleOfOthers(path: string): Promise<void> {
    const answer = await this.service.ask('GET', path);
    if (emptyModule(answer) === undefined && answer.status < 400 && !answer.text.includes(this.mark))
      throw new Error(`${path}: others have set it meanwhile`);
  }

  private async send(method: string, path: string, body: Fields): Promise<Answer> {
    const answer = await this.service.ask(method, path, body, () => {
      this.record.open();
    });
    // After a 5xx it may be there all the same.
    if (answer.status < 500) this.record.close(fieldsOf(answer.json)['id']);
    return answer;
  }
}
