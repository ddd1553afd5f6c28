// A picture of the address space: 256 networks at a time, each with a sign, down to single addresses.
import { addressBits, type Family } from 'pulumi-edge-policy/internal/values/address';
import { type Cidr, networkAt } from 'pulumi-edge-policy/internal/values/cidr';
import {
  type AddressBounds,
  covers,
  firstNetworkIn,
  isEmptyCidrSet,
  largestFirst,
  subtract,
  touches,
} from 'pulumi-edge-policy-review/lookup';
import { fill, h } from './dom';

/** What a picture shows: one grid for each side. */
export interface PictureOf {
  readonly label: string;
  readonly sides: readonly { readonly name: string; readonly bounds: AddressBounds }[];
  /** Between both sides: what the last one has gained, and what the first one has lost. */
  readonly gained?: AddressBounds;
  readonly lost?: AddressBounds;
}

/** How many bits a step into a network adds. */
const STEP = 8;
const ACROSS = 16;
const MANY = 6;

type Mark = 'in' | 'out' | 'partly' | 'open';
const WORDS: Readonly<Record<Mark, string>> = {
  in: 'in',
  out: 'out',
  partly: 'partly in',
  open: 'not decided',
};

/** The picture, with the way back out of a network, and links to the largest networks. */
export function picture(of: PictureOf): HTMLElement {
  const status = h('p', { class: 'status', 'aria-live': 'polite' });
  const body = h('div', {});
  const show = (network: Cidr, focused = 0): void => {
    fill(
      body,
      wayTo(network, show),
      h('div', { class: 'grids' }, gridsOf(of, network, { show, say, focused })),
    );
  };
  const say = (text: string): void => {
    status.textContent = text;
  };
  const choose = (family: Family): HTMLElement =>
    h(
      'button',
      {
        type: 'button',
        click: () => {
          show(startOf(of, family));
        },
      },
      `IPv${family}`,
    );
  show(startOf(of, 4), -1);
  return h(
    'div',
    { class: 'picture' },
    h('div', { class: 'tools' }, choose(4), choose(6), ...jumps(of, show)),
    body,
    status,
    legend(of),
  );
}

/** The whole IPv4 space; of IPv6 the network that has everything that is in. */
function startOf({ sides, gained, lost }: PictureOf, family: Family): Cidr {
  const whole = networkAt(family, 0n, 0);
  if (family === 4) return whole;
  const sets = [...sides.map(({ bounds }) => bounds.possibly), gained?.possibly, lost?.possibly];
  const first = sets.flatMap((set) => (set ? (firstNetworkIn({ 4: [], 6: set[6] }) ?? []) : []))[0];
  if (!first) return whole;
  const deepest = addressBits(family) - STEP;
  for (
    let length = Math.min(deepest, first.prefixLength - (first.prefixLength % STEP));
    length > 0;
    length -= STEP
  ) {
    const around = enclosing(first, length);
    const isAll = sets.every((set) => {
      const [begin, end] = [set?.[6][0], set?.[6].at(-1)];
      return (
        begin === undefined ||
        end === undefined ||
        (begin >= BigInt(around.first) && end - 1n <= BigInt(around.last))
      );
    });
    if (isAll) return around;
  }
  return whole;
}

function enclosing({ family, first }: Cidr, length: number): Cidr {
  const host = BigInt(addressBits(family) - length);
  return networkAt(family, (BigInt(first) >> host) << host, length);
}

/** Links to the largest networks that are in, or that change. */
function jumps({ sides, gained, lost }: PictureOf, show: (network: Cidr) => void): HTMLElement[] {
  const changed = [gained, lost].flatMap((way) =>
    way && !isEmptyCidrSet(way.possibly) ? [way.possibly] : [],
  );
  const sets = changed.length > 0 ? changed : sides.slice(-1).map(({ bounds }) => bounds.possibly);
  const networks = sets
    .flatMap((set) => largestFirst(set).slice(0, MANY))
    .filter(({ prefixLength }) => prefixLength > 0);
  return networks.slice(0, MANY).map((network) =>
    h(
      'button',
      {
        type: 'button',
        class: 'jump',
        click: () => {
          show(blockOf(network));
        },
      },
      network.text,
    ),
  );
}

/** The block whose grid shows a network. */
const blockOf = (network: Cidr): Cidr =>
  enclosing(network, Math.max(0, Math.ceil(network.prefixLength / STEP) * STEP - STEP));

/** The networks around this one, the widest first. */
function wayTo(network: Cidr, show: (network: Cidr) => void): HTMLElement {
  const lengths = Array.from({ length: network.prefixLength / STEP + 1 }, (_, index) => index * STEP);
  const shown = lengths.filter((_, index) => index === 0 || index > lengths.length - 4);
  return h(
    'div',
    { class: 'way', role: 'group', 'aria-label': 'Around this network' },
    shown.map((length) => {
      const around = enclosing(network, length);
      return length === network.prefixLength
        ? h('span', { 'aria-current': 'true' }, around.text)
        : h(
            'button',
            {
              type: 'button',
              click: () => {
                show(around);
              },
            },
            around.text,
          );
    }),
  );
}

interface Tools {
  readonly show: (network: Cidr, focused?: number) => void;
  readonly say: (text: string) => void;
  /** The cell to focus; none if negative. */
  readonly focused: number;
}

function gridsOf(of: PictureOf, network: Cidr, tools: Tools): HTMLElement[] {
  return of.sides.map(({ name, bounds }, at) => {
    const isLast = at === of.sides.length - 1;
    const cells = cellsOf(network).map((cell) =>
      cellOf(cell, { bounds, moved: isLast ? of.gained : of.lost, isLast }),
    );
    const grid = h(
      'div',
      {
        class: 'grid',
        role: 'group',
        'aria-label': `${of.label}${name === '' ? '' : `, ${name}`}: ${network.text}`,
      },
      cells.map(({ button }) => button),
    );
    const canZoom = network.prefixLength + STEP < addressBits(network.family);
    cells.forEach(({ button, cell, words }, index) => {
      button.tabIndex = index === 0 ? 0 : -1;
      button.addEventListener('focus', () => {
        tools.say(words);
      });
      button.addEventListener('mouseenter', () => {
        tools.say(words);
      });
      if (canZoom)
        button.addEventListener('click', () => {
          tools.show(cell, 0);
        });
    });
    grid.addEventListener('keydown', (event) => {
      moveBy(
        event,
        cells.map(({ button }) => button),
        () => {
          if (network.prefixLength > 0) tools.show(enclosing(network, network.prefixLength - STEP));
        },
      );
    });
    if (tools.focused >= 0 && isLast)
      queueMicrotask(() => {
        cells[tools.focused]?.button.focus({ preventScroll: true });
      });
    return h('figure', {}, name === '' ? undefined : h('figcaption', {}, name), grid);
  });
}

const MOVES: Readonly<Record<string, number>> = {
  ArrowRight: 1,
  ArrowLeft: -1,
  ArrowDown: ACROSS,
  ArrowUp: -ACROSS,
};

/** Arrows move, Escape goes out. */
function moveBy(event: KeyboardEvent, buttons: readonly HTMLElement[], out: () => void): void {
  if (event.key === 'Escape') {
    out();
    return;
  }
  const by = MOVES[event.key];
  const at = buttons.findIndex((button) => button === document.activeElement);
  const next = by === undefined ? undefined : buttons[at + by];
  if (!next) return;
  event.preventDefault();
  buttons.forEach((button) => (button.tabIndex = -1));
  next.tabIndex = 0;
  next.focus();
}

function cellsOf({ family, first, prefixLength }: Cidr): Cidr[] {
  const length = prefixLength + STEP;
  const host = BigInt(addressBits(family) - length);
  return Array.from({ length: 2 ** STEP }, (_, index) =>
    networkAt(family, BigInt(first) + (BigInt(index) << host), length),
  );
}

interface CellOf {
  readonly bounds: AddressBounds;
  readonly moved: AddressBounds | undefined;
  readonly isLast: boolean;
}

function cellOf(cell: Cidr, { bounds, moved, isLast }: CellOf) {
  const mark = markOf(cell, bounds);
  const isMoved = moved !== undefined && touches(moved.possibly, cell);
  const isSure = isMoved && touches(moved.surely, cell);
  const change = isMoved ? (isLast ? 'gained' : 'lost') : '';
  const sign = isMoved ? (isSure ? (isLast ? '+' : '−') : '?') : mark === 'open' ? '?' : '';
  const words = `${cell.text}: ${WORDS[mark]}${isMoved ? `, ${isSure ? '' : 'perhaps '}${change}` : ''}`;
  return {
    cell,
    words,
    button: h('button', { type: 'button', class: `cell ${mark} ${change}`, 'aria-label': words }, sign),
  };
}

/** Only what is proved is in or out. */
function markOf(cell: Cidr, { surely, possibly }: AddressBounds): Mark {
  if (covers(surely, cell)) return 'in';
  if (!touches(possibly, cell)) return 'out';
  return touches(surely, cell) && !covers(possibly, cell) ? 'partly' : 'open';
}

function legend({ gained, lost, sides }: PictureOf): HTMLElement {
  const isChange = gained !== undefined || lost !== undefined;
  const entry = (classes: string, sign: string, word: string): HTMLElement =>
    h('li', {}, h('span', { class: `cell ${classes}`, 'aria-hidden': 'true' }, sign), word);
  const isOpen = sides.some(
    ({ bounds: { surely, possibly } }) => !isEmptyCidrSet(subtract(possibly, surely)),
  );
  return h(
    'ul',
    { class: 'legend' },
    ...[entry('in', '', 'in'), entry('partly', '', 'partly in'), entry('out', '', 'out')],
    isOpen ? entry('open', '?', 'not decided') : undefined,
    isChange ? entry('in gained', '+', 'gained') : undefined,
    isChange ? entry('in lost', '−', 'lost') : undefined,
  );
}
