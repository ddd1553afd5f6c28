import type { DirectAnswer, DirectRequest } from '../../../emulator/src/index';
import type { Account } from '../account';

const BY_ID = /^\/ip_policy_rules\/(\w+)$/;

/** A service that answers requests by id from a replica: for a while it does not know a new rule. */
export class YoungRules {
  constructor(
    private readonly account: Account,
    private readonly unknownForMs: number,
    private readonly nowMs: () => number,
  ) {}

  answer(request: DirectRequest): DirectAnswer {
    return this.isUnknown(request) ? this.notFound() : this.account.answer(request);
  }

  private isUnknown({ target }: DirectRequest): boolean {
    const [, id] = BY_ID.exec(target) ?? [];
    if (id === undefined || this.unknownForMs === 0) return false;
    const rule = this.account.state.rules.find((each) => each.id === id);
    return rule !== undefined && this.nowMs() < Date.parse(rule.created_at) + this.unknownForMs;
  }

  private notFound(): DirectAnswer {
    return {
      status: 404,
      headers: { date: new Date(this.nowMs()).toUTCString(), 'content-type': 'application/json' },
      text: JSON.stringify({ error_code: 'ERR_NOT_FOUND', status_code: 404, msg: 'There is no such rule.' }),
    };
  }
}
