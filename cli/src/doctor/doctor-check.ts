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

export const skipped = (what: string, detail: string): DoctorCheck => ({ what, status: 'skipped', detail });

const bad =
  (status: CheckStatus) =>
  (what: string, detail: string, fix: string): DoctorCheck => ({ what, status, detail, fix });

export const red = bad('red');

export const warning = bad('warning');

/** What to do if the CLI cannot read the configuration or the state; its message says why. */
export const LET_THE_CLI_READ =
  'set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE, check the login (pulumi whoami --verbose) and the name of the ' +
  'stack; if the state itself is damaged, restore it from a backup or from "pulumi stack export --version N"';
