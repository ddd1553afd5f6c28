/** What one examination found: `skipped` where another finding makes it pointless. */
export type FindingStatus = 'ok' | 'warning' | 'red' | 'skipped';

/** One line of the doctor. */
export interface Finding {
  readonly what: string;
  readonly status: FindingStatus;
  readonly detail: string;
  /** What to do, where something is to be done. */
  readonly fix?: string;
}

export const ok = (what: string, detail: string): Finding => ({ what, status: 'ok', detail });

export const red = (what: string, detail: string, fix: string): Finding => ({
  what,
  status: 'red',
  detail,
  fix,
});

export const warning = (what: string, detail: string, fix: string): Finding => ({
  what,
  status: 'warning',
  detail,
  fix,
});

export const skipped = (what: string, detail: string): Finding => ({ what, status: 'skipped', detail });
