// What for: what is stored, by account, and the changes that lead there.
// Must not know: requests and answers.
import type { DataLog } from '../data-log';
import { AccountStore } from './account-store';
import type { Change } from './changes';

/** The stores of all accounts, and the log that keeps them if there is one. */
export class World {
  private accounts = new Map<string, AccountStore>();

  constructor(private readonly log?: DataLog) {
    try {
      for (const { account, change } of log?.replay() ?? []) this.account(account).apply(change);
      log?.compact(this.records());
    } catch (error) {
      log?.close();
      throw error;
    }
  }

  account(name: string): AccountStore {
    let account = this.accounts.get(name);
    if (account === undefined) {
      account = new AccountStore(name, (owner, change) => this.log?.append({ account: owner, change }));
      this.accounts.set(name, account);
    }
    return account;
  }

  clear(): void {
    this.accounts = new Map();
    this.log?.compact([]);
  }

  close(): void {
    this.log?.close();
  }

  private *records(): Generator<{ account: string; change: Change }> {
    for (const account of this.accounts.values()) {
      for (const change of account.changes()) yield { account: account.name, change };
    }
  }
}
