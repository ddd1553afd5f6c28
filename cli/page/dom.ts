// Makes elements. Text becomes text nodes only, so that nothing that others wrote can be mark-up.
import { isForeign, type Sentence, visible } from 'pulumi-edge-policy-review/lookup';

export type Child = Node | string | undefined | readonly Child[];
type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>;

/** An element by its tag and classes (`div.fields.quiet`), perhaps attributes and listeners (functions, by the name of their event), and children. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  selector: Tag | `${Tag}.${string}`,
  first?: Attributes | Child,
  ...others: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const [tag, ...classes] = selector.split('.');
  const element = document.createElement(tag as Tag);
  if (classes.length > 0) element.className = classes.join(' ');
  const [attributes, children] = areAttributes(first) ? [first, others] : [{}, [first, ...others]];
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value !== undefined && value !== false)
      element.setAttribute(name, value === true ? '' : String(value));
  }
  append(element, children);
  return element;
}

const areAttributes = (value: Attributes | Child): value is Attributes =>
  typeof value === 'object' && !(value instanceof Node) && !Array.isArray(value);

function append(element: Node, children: readonly Child[]): void {
  for (const child of children) {
    if (child === undefined) continue;
    if (typeof child === 'string') element.appendChild(document.createTextNode(child));
    else if (child instanceof Node) element.appendChild(child);
    else append(element, child);
  }
}

export function fill(element: Element, ...children: readonly Child[]): void {
  element.replaceChildren();
  append(element, children);
}

/** Text that others wrote: on one line, capped, with invisible characters spelt out, and isolated from the text around it. */
export const foreignText = (text: string): HTMLElement => h('bdi', visible(text));

export const sentence = (words: Sentence): Child[] =>
  words.map((run) => (isForeign(run) ? h('bdi.quoted', visible(run.foreign)) : run));

let controls = 0;

export function labelled(label: string, control: HTMLElement, classes = 'field'): HTMLElement {
  control.id = `control-${(controls += 1)}`;
  return h('div', { class: classes }, h('label', { for: control.id }, label), control);
}

export const listOf = (selector: 'ul' | `ul.${string}`, items: readonly Child[]): HTMLElement =>
  h(
    selector,
    items.map((item) => h('li', item)),
  );

export const textInput = (type: 'search' | 'text', placeholder: string): HTMLInputElement =>
  h('input', { type, placeholder, autocomplete: 'off', spellcheck: 'false' });

export type Fact = readonly [name: string, text: string];

export const factsOf = (facts: readonly Fact[]): HTMLElement[] =>
  facts.flatMap(([name, text]) => [h('dt', foreignText(name)), h('dd', foreignText(text))]);

export const button = (text: string, click: () => void): HTMLElement =>
  h('button', { type: 'button', click }, text);

/** A table, wide ones in a group that scrolls, also by keys. */
export function tableOf(name: string, titles: readonly string[], body: HTMLElement): HTMLElement {
  const heads = titles.map((title) => h('th', { scope: 'col' }, title));
  const caption = h('caption.unseen', name);
  const table = h('table', caption, h('thead', h('tr', heads)), body);
  return h('div.scroll', { role: 'group', 'aria-label': name, tabindex: 0 }, table);
}

export const doubt = (reason: Sentence): HTMLElement => h('p.doubt', 'Not decided: ', sentence(reason));
