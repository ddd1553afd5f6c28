// The networks behind the numbers: who gets in by address, and what a change moves.
import { type AddressBounds, largestFirst, subtract } from 'pulumi-edge-policy-review/lookup';
import { h } from './dom';
import type { Subject } from './page';

/** The rest is counted. */
const SHOWN = 12;

/** What gets in on the last side, and what is gained and lost on the way there; nothing for a route that looks at user agents. */
export function networksOf({ bounds, shift }: Subject): HTMLElement | undefined {
  const last = bounds.at(-1);
  if (!last) return undefined;
  const moved =
    shift?.of === 'addresses' ? [...rowsOf('Gained', shift.gained), ...rowsOf('Lost', shift.lost)] : [];
  return h('dl', { class: 'facts' }, [...rowsOf('In', last), ...moved]);
}

/** Only what is proved is said without a doubt. */
const rowsOf = (name: string, { surely, possibly }: AddressBounds): HTMLElement[] => [
  ...rowOf(name, surely),
  ...rowOf(`${name}: not decided`, subtract(possibly, surely)),
];

function rowOf(name: string, set: AddressBounds['surely']): HTMLElement[] {
  const networks = largestFirst(set);
  if (networks.length === 0) return [];
  const more = networks.length > SHOWN ? ` and ${networks.length - SHOWN} smaller ones` : '';
  const shown = networks.slice(0, SHOWN).map(({ text }) => h('code', {}, text));
  return [h('dt', {}, name), h('dd', { class: 'parts' }, shown, more)];
}
