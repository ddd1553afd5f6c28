import type { Life, Step } from './life';
import * as notation from './notation';
import type { Part, Rule } from '../support/random-program/program';

/** A life as it would be written by hand: the text of a regression. */
export function sourceOf({ steps, ...circumstances }: Life): string {
  const given = differing(circumstances, notation.life({}));
  return `life(\n  ${[literal(given), ...steps.map(stepSource)].join(',\n  ')},\n)`;
}

function stepSource(step: Step): string {
  if (step.do === 'program') return call('program', step.program.map(partSource).join(',\n    '));
  if ('weather' in step) {
    const { do: command, weather, ...more } = step;
    const usual = notation.run(command);
    const given = { ...differing(weather, usual.weather), ...differing(more, usual) };
    return call('run', literal(command), ...options(given));
  }
  if (step.do !== 'others' || step.deed.kind === 'add') return literal(step);
  return call('others', literal(step.deed.kind), literal(step.deed.place));
}

function partSource(part: Part): string {
  const { name } = part;
  switch (part.kind) {
    case 'rule': {
      const { network, action, text, ...rest } = part;
      const usual = notation.rule(name, rest.policy, { network, action, text });
      const said = ruleSource({ network, action, text });
      return call('rule', literal(name), literal(rest.policy), said, ...options(differing(rest, usual)));
    }
    case 'set': {
      const { rules, ...rest } = part;
      const usual = notation.set(name, rest.policy, rules);
      const said = `[${rules.map(ruleSource).join(', ')}]`;
      return call('set', literal(name), literal(rest.policy), said, ...options(differing(rest, usual)));
    }
    case 'edge': {
      const usual = notation.edge(name, part.edge, part.content);
      return call(
        'edge',
        literal([name, part.edge, part.content]).slice(1, -1),
        ...options(differing(part, usual)),
      );
    }
    case 'route': {
      const usual = notation.route(name, part.route, part.content);
      return call(
        'route',
        literal([name, part.route, part.content]).slice(1, -1),
        ...options(differing(part, usual)),
      );
    }
  }
}

function ruleSource({ network, action, text, ...more }: Rule): string {
  const said = call(action, literal(network), ...(text === 'none' ? [] : [literal(text)]));
  return Object.keys(more).length === 0 ? said : `{ ...${said}, ${literal(more).slice(2)}`;
}

const call = (name: string, ...given: readonly string[]): string => `${name}(${given.join(', ')})`;

const options = (given: object): string[] =>
  Object.keys(given).length === 0 ? [] : [isOverwriting(given) ? 'overwrites' : literal(given)];

const isOverwriting = (given: object): boolean =>
  JSON.stringify(given) === JSON.stringify(notation.overwrites);

/** The values that differ from the defaults. */
const differing = (given: object, usual: object): object =>
  Object.fromEntries(
    Object.entries(given).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(Reflect.get(usual, key)),
    ),
  );

const NAMES = new Map(
  (['policyA', 'policyB', 'edgeA', 'edgeB', 'edgeC', 'routeA', 'routeB'] as const).map((name) => [
    notation[name] as string,
    name,
  ]),
);

/** A value as TypeScript, with the names of identifiers. */
function literal(value: unknown): string {
  if (typeof value === 'string') return textSource(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(([key, member]) => `${keySource(key)}: ${literal(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

const keySource = (key: string): string => (/^\w+$/.test(key) ? key : textSource(key));

function textSource(text: string): string {
  const [id = '', ...rest] = text.split(' ');
  const name = NAMES.get(id);
  if (name !== undefined) return rest.length === 0 ? name : `\`\${${name}} ${rest.join(' ')}\``;
  return `'${text}'`;
}
