const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const;

/** A time in its two largest units, rounded up to minutes: `3 h 12 min`. */
export function timeLeft(ms: number): string {
  let rest = Math.ceil(ms / 60_000) * 60_000;
  const parts: string[] = [];
  for (const [unit, length] of UNITS) {
    const whole = Math.floor(rest / length);
    rest -= whole * length;
    if (whole > 0) parts.push(`${whole} ${unit}`);
  }
  return parts.slice(0, 2).join(' ');
}

/** Reads `90m`, `4h`, `2d` or `1w` in milliseconds; undefined if it is none. */
export function durationMs(text: string): number | undefined {
  const [, amount, unit = ''] = /^([1-9]\d{0,3})([mhdw])$/.exec(text) ?? [];
  const minutes = { m: 1, h: 60, d: 1440, w: 10_080 }[unit];
  return amount === undefined || minutes === undefined ? undefined : Number(amount) * minutes * 60_000;
}
