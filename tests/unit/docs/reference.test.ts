import path from 'node:path';
import { fieldsOf } from '../../../provider/src/fields/field';
import { type ResourceType, RESOURCE_TYPES } from '../../../provider/src/resources/provider-reference';
import { registry } from '../../../provider/src/resources/registry';
import { pages } from '../../support/pages';
import { filesBelow, textOf } from '../../support/workspace';

const pageOf = (type: ResourceType): string => {
  const file = type.replace(/(?<!^)[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).toLowerCase();
  return path.join('docs', 'resources', `${file}.md`);
};

/** The rows of the tables of a page, or of one section, without the blanks that only lay them out. */
const rowsOf = (page: string, section = ''): string[][] =>
  (section === ''
    ? textOf(page)
    : (textOf(page)
        .split(/^## /m)
        .find((text) => text.startsWith(section)) ?? '')
  )
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

const effects = { update: 'updates', replace: 'replaces', 'settings-only': '–' } as const;

test('every resource has a page, and no page is left over', () => {
  const inFolder = pages().filter((page) => page.startsWith(path.join('docs', 'resources')));
  expect(inFolder).toEqual(RESOURCE_TYPES.map(pageOf).sort());
});

test.each(RESOURCE_TYPES)('the page of %s lists its arguments as the field table has them', (type) => {
  const stated = rowsOf(pageOf(type))
    .filter(([, , effect = '']) => Object.values<string>(effects).includes(effect))
    .map((row) => row.slice(0, 3));
  const wanted = fieldsOf(registry[type].shape().fields).map(([name, field]) => {
    const optional = field.onChange === 'settings-only' ? '`false`' : 'none';
    const standard =
      field.defaultValue === undefined ? optional : `\`${JSON.stringify(field.defaultValue)}\``;
    return [`\`${name}\``, field.isRequired === true ? 'required' : standard, effects[field.onChange]];
  });
  expect([...stated].sort()).toEqual(wanted.sort());
});

test('the page on troubleshooting quotes messages as the provider writes them', () => {
  const [, , ...messages] = rowsOf('docs/troubleshooting.md', 'Messages').map(([message = '']) =>
    message.replaceAll('`', ''),
  );
  // The first is put together from a setting's name, the other is Node's own.
  const quoted = messages.filter((message) => !/^edge-policy:apiKey|^Cannot find module/.test(message));
  const parts = quoted.flatMap((message) => message.replace(' 401', '').split(' … '));
  const written = filesBelow('provider/src', /\.ts$/).map(textOf).join('\n');
  expect(parts.length).toBeGreaterThan(10);
  expect(parts.filter((part) => !written.includes(part))).toEqual([]);
});
