/** A small edit of one source: `from` stands there exactly once. */
export interface SourceEdit {
  /** Below `provider/src/`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** A defect that reading once found, as the edits that bring it back. */
export interface Reversion {
  readonly defect: string;
  readonly edits: readonly SourceEdit[];
  /** Seeds of the ordinary run whose lives fail with the defect, and only with it. */
  readonly seeds: readonly number[];
  /** What they say is broken. */
  readonly invariants: readonly string[];
}

/** What became of the seeds of one reversion, or of all of them where nothing is reverted (`none`). */
export interface Lived {
  readonly defect: string;
  /** The invariant that was broken, or `unbroken`, by seed. */
  readonly verdicts: Readonly<Record<number, string>>;
}

const holdings = 'settle/holdings.ts';
const giveUp = 'settle/give-up.ts';

export const reversions: readonly Reversion[] = [
  {
    defect: '1: a second up deletes what the first has taken over, as only memory knew it',
    edits: [
      {
        file: holdings,
        from: "    this.put({ ...claim, since: hasChanges ? 'changed' : 'unchanged' });\n",
        to: '    void hasChanges;\n',
      },
      { file: holdings, from: "        else this.put({ ...claim, since: 'unchanged' });\n", to: '' },
    ],
    seeds: [49, 120, 152, 180],
    invariants: ['I3', 'I11'],
  },
  {
    defect: '3: the delete of a module races with the create that takes it over',
    edits: [
      {
        file: giveUp,
        from: '  return ledger.oneAtATime(claim.id, async () => {',
        to: '  return (async () => {',
      },
      { file: giveUp, from: "    return 'deleted';\n  });", to: "    return 'deleted';\n  })();" },
      {
        file: giveUp,
        from: 'const isLeaving = (): boolean => !ledger.holdings.isProtected(claim);',
        to: 'const isLeaving = (): boolean => true;',
      },
      {
        file: giveUp,
        from: '  const mayGo = await holdings.activity.waiting(() =>\n    holdings.leave(claim, { clock: context.client.clock, warn: context.warn }),\n  );',
        to: '  const mayGo = !holdings.isProtected(claim);',
      },
    ],
    seeds: [22, 90, 230],
    invariants: ['I3', 'I13'],
  },
  {
    defect: '4: a refresh that runs longer than the timeout of one operation fails on drift',
    edits: [
      {
        file: 'settle/shared-list.ts',
        from: '    // Reading the list may have taken longer than one operation has.\n    deadline.renew();\n',
        to: '',
      },
      {
        file: 'settle/shared-list.ts',
        from: '    this.wholeReads -= 1;\n    deadline.renew();\n',
        to: '    this.wholeReads -= 1;\n',
      },
    ],
    seeds: [23, 39, 55],
    invariants: ['I9'],
  },
  {
    defect: '5: a pass over the list begins anew with each of our own writes',
    edits: [
      {
        file: 'settle/shared-list.ts',
        from: 'client.onRuleWrite((id, written) => this.pass?.written.set(id, written));',
        to: 'client.onRuleWrite(() => (this.pass = undefined));',
      },
      {
        file: 'settle/shared-list.ts',
        from: '      const next = await pass.pages.next();\n',
        to: '      const next = await pass.pages.next();\n      if (pass !== this.pass) return;\n',
      },
    ],
    seeds: [79, 223, 583],
    invariants: ['I9'],
  },
  {
    defect: '6: the time since which a rule may be a lost one is worked out before the first answer',
    edits: [
      {
        file: 'rule-set/operations.ts',
        from: 'const since = new Date(serviceTimeMs(client, applied.startedAtMs)).toISOString();',
        to: 'const since = new Date(applied.startedAtMs + client.clock.epochMs() - client.clock.monotonicMs()).toISOString();',
      },
    ],
    seeds: [359, 559, 783],
    invariants: ['I3'],
  },
  {
    defect: '7: a pace that was learned from one or two requests starves all others',
    edits: [
      { file: 'api/pace.ts', from: 'const FEWEST_MEASURED = 10;', to: 'const FEWEST_MEASURED = 1;' },
      { file: 'api/pace.ts', from: ' / MEMORY_MS) ** 3;', to: ' / MEMORY_MS) * 0;' },
      // As it was: measured when a pause is over, with the pause.
      { file: 'api/pace.ts', from: 'now - this.acceptedAt > MEMORY_MS', to: 'this.measured.at === 0' },
      {
        file: 'api/limiter.ts',
        from: '    if (isCurrent) this.refusals = 0;\n',
        to: '    if (isCurrent && this.refusals > 0) {\n      this.refusals = 0;\n      this.pace.onRefused(now);\n    }\n',
      },
    ],
    seeds: [63, 207],
    invariants: ['I9'],
  },
  {
    defect: '8: a delete of a set whose outcome stays open is not remembered',
    edits: [
      {
        file: 'rule-set/apply.ts',
        from: '      if (isAmbiguous(error)) this.isUnsettled = true;\n      throw error;\n    }\n    this.live.delete(rule.id);',
        to: '      throw error;\n    }\n    this.live.delete(rule.id);',
      },
    ],
    seeds: [231, 263, 431],
    invariants: ['I10'],
  },
  {
    defect: '9: a set that is destroyed while unsettled leaves the lost rule behind',
    edits: [
      {
        file: 'rule-set/operations.ts',
        from: '      const settled = await withLostCreates(context, { id, olds, declared: [], managed });\n',
        to: '      const settled = managed;\n',
      },
    ],
    seeds: [15, 151, 607],
    invariants: ['I3'],
  },
  {
    defect: '9: an edited text keeps a lost rule of a set from being found',
    edits: [
      {
        file: 'rule-set/unsettled.ts',
        from: '  const likely = same.length > 0 ? same : alike;',
        to: '  const likely = same;',
      },
    ],
    seeds: [15, 151, 783],
    invariants: ['I3'],
  },
  {
    defect: '10: two resources hold one rule, and nobody says so',
    edits: [
      {
        file: 'rule-set/operations.ts',
        from: '  if (shared !== undefined) throw ruleDeclaredTwice(shared.id);',
        to: '  void shared;',
      },
      {
        file: 'rule-set/operations.ts',
        from: '  const taken = foreign.filter(({ id }) => ledger.holdings.otherHolder({ id, holder }) === undefined);',
        to: '  const taken = foreign;',
      },
      {
        file: 'settle/take-over.ts',
        from: '    if (hold !== undefined) throw ruleDeclaredTwice(rule.id);\n',
        to: '',
      },
      {
        file: 'resources/ip-policy-rule-set.ts',
        from: '    if (shared !== undefined) throw ruleDeclaredTwice(shared.id);\n',
        to: '    void shared;\n',
      },
      {
        file: 'resources/ip-policy-rule.ts',
        from: '    if (other === undefined) return outcome;\n',
        to: '    return outcome;\n',
      },
    ],
    seeds: [46, 73, 180],
    invariants: ['I11'],
  },
  {
    defect: 'I2: a twin that appears while the provider still looks is not named',
    edits: [{ file: 'settle/lost-create.ts', from: '    await warnOfTwin(creation, created);\n', to: '' }],
    seeds: [643, 1539, 1987],
    invariants: ['I2'],
  },
];
