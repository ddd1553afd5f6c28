/** The parts of a pattern that may contain a bar without dividing it. */
const PARTS = /\\Q[\s\S]*?(?:\\E|$)|\\[\s\S]|\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]|[\s\S]/g;

/** Whether a pattern only matches at the start of a text: every alternative has to begin with `^` or `\A`. */
export function isAnchored(pattern: string): boolean {
  const flags = /^\(\?[a-z]+\)/.exec(pattern)?.[0] ?? '';
  // With the flag m the anchor matches at the start of any line.
  if (flags.includes('m')) return false;
  let depth = 0;
  let isStart = true;
  for (const [part] of pattern.slice(flags.length).matchAll(PARTS)) {
    if (isStart && part !== '^' && part !== '\\A') return false;
    isStart = depth === 0 && part === '|';
    if (part === '(') depth += 1;
    else if (part === ')') depth -= 1;
  }
  return !isStart;
}
