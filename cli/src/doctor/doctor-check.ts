// What for: the command `doctor`: checks of tools, settings, service, state and lock files, one line each.
// Must not know: `recover`, and how to repair: it changes nothing and only names the fix.
/** The result of a check: `skipped` if another check makes it pointless. */
export type CheckStatus = 'ok' | 'warning' | 'red' | 'skipped';

/** One line of `doctor`: what was checked, and how it is. */
export interface DoctorCheck {
  readonly what: string;
  readonly status: CheckStatus;
  readonly detail: string;
  /** What the user should do about it; absent if nothing. */
  readonly fix?: string;
}

export const ok = (what: string, detail: string): DoctorCheck => ({ what, status: 'ok', detail });

export const red = (what: string, detail: string, fix: string): DoctorCheck => ({
  what,
  status: 'red',
  detail,
  fix,
});

export const warning = (what: string, detail: string, fix: string): DoctorCheck => ({
  what,
  status: 'warning',
  detail,
  fix,
});

export const skipped = (what: string, detail: string): DoctorCheck => ({ what, status: 'skipped', detail });
