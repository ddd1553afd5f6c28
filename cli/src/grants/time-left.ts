/** A time in its two largest units, rounded up to minutes: `3 h 12 min`. */
export function timeLeft(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  const parts = { d: Math.floor(minutes / 1440), h: Math.floor(minutes / 60) % 24, min: minutes % 60 };
  const counted = Object.entries(parts).filter(([, amount]) => amount > 0);
  return counted
    .map(([unit, amount]) => `${amount} ${unit}`)
    .slice(0, 2)
    .join(' ');
}

/** Reads `90m`, `4h`, `2d` or `1w` in milliseconds; undefined if it is none. */
export function durationMs(text: string): number | undefined {
  const [, amount, unit = ''] = /^([1-9]\d{0,3})([mhdw])$/.exec(text) ?? [];
  const minutes = { m: 1, h: 60, d: 1440, w: 10_080 }[unit];
  return amount === undefined || minutes === undefined ? undefined : Number(amount) * minutes * 60_000;
}
