// A picture of the address space: 256 networks at a time, each with the sign of its verdict, down to single addresses.
import { addressBits } from 'pulumi-edge-policy/internal/values/address';
import { type Cidr, networkAt } from 'pulumi-edge-policy/internal/values/cidr';
import { type AddressBounds, covers, type Decision, touches } from 'pulumi-edge-policy-review/lookup';
import { NAMES } from '../src/page/access-side';
import { button, fill, h } from './dom';
import type { Page, Subject } from './page';
import { SIGNS } from './verdict';

const STEP = 8;

/** A grid for each side, made when it is asked for; a network that holds several verdicts leads into its own. */
export function picture({ sides }: Page, { bounds, shift }: Subject): HTMLElement | undefined {
  if (!bounds.at(-1)) return undefined;
  const moved = shift?.of === 'addresses' ? shift : undefined;
  const ways = h('div.fields.quiet');
  const grids = h('div.fields');
  const wayTo = (network: Cidr): HTMLElement =>
    button(network.text, () => {
      show(network);
    });
  const begin = (around: readonly Cidr[]): void => {
    fill(ways, 'Picture of ', [networkAt(4, 0n, 0), networkAt(6, 0n, 0), ...around].map(wayTo));
  };
  const show = (network: Cidr): void => {
    begin(blocksAround(network));
    const cells = cellsOf(network);
    fill(
      grids,
      sides.map(({ when }, at) => {
        const change =
          at === 0 ? (['lost', '−', moved?.lost] as const) : (['gained', '+', moved?.gained] as const);
        const of = bounds[at];
        const side = sides.length > 1 ? NAMES[when] : '';
        const buttons = of ? cells.map((cell) => cellOf(cell, of, { change, show })) : [];
        const grid = h('div.grid', { role: 'group', 'aria-label': `${side} ${network.text}` }, buttons);
        return h('div', h('span.quiet', side), grid);
      }),
    );
    grids.querySelector<HTMLElement>('button:enabled')?.focus();
  };
  begin([]);
  return h('div.picture', ways, grids);
}

function blockAt({ family, first }: Cidr, length: number): Cidr {
  const host = BigInt(addressBits(family) - length);
  return networkAt(family, (BigInt(first) >> host) << host, length);
}

/** The networks that lead to this one, and itself. */
const blocksAround = (network: Cidr): Cidr[] =>
  Array.from({ length: network.prefixLength / STEP }, (_, at) => blockAt(network, (at + 1) * STEP));

function cellsOf({ family, first, prefixLength }: Cidr): Cidr[] {
  const length = prefixLength + STEP;
  const host = BigInt(addressBits(family) - length);
  return Array.from({ length: 2 ** STEP }, (_, at) =>
    networkAt(family, BigInt(first) + (BigInt(at) << host), length),
  );
}

interface CellTools {
  readonly change: readonly [word: string, sign: string, moved: AddressBounds | undefined];
  readonly show: (network: Cidr) => void;
}

function cellOf(
  cell: Cidr,
  bounds: AddressBounds,
  { change: [word, sign, moved], show }: CellTools,
): HTMLElement {
  const decision = decisionOf(cell, bounds);
  const isMoved = moved !== undefined && touches(moved.possibly, cell);
  const isSure = isMoved && touches(moved.surely, cell);
  const words = [`${cell.text}: ${SIGNS[decision][1].toLowerCase()}`];
  if (isMoved) words.push(isSure ? word : `perhaps ${word}`);
  const isWhole = (decision === 'let-in' || decision === 'kept-out') && !isMoved;
  const label = words.join(', ');
  return h(
    'button',
    {
      ...{
        type: 'button',
        class: `cell ${decision} ${isMoved ? word : ''}`,
        title: label,
        'aria-label': label,
      },
      disabled: isWhole || cell.prefixLength === addressBits(cell.family),
      click: () => {
        show(cell);
      },
    },
    isMoved ? (isSure ? sign : '?') : SIGNS[decision][0],
  );
}

/** Only what is proved is in or out. */
function decisionOf(cell: Cidr, { surely, possibly }: AddressBounds): Decision {
  if (covers(surely, cell)) return 'let-in';
  if (!touches(possibly, cell)) return 'kept-out';
  return touches(surely, cell) && !covers(possibly, cell) ? 'partly' : 'undecided';
}
