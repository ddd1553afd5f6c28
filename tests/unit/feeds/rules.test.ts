import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { feedRules } from '../../../provider/src';
import { type FeedContent, writeFeedFiles } from '../../support/feeds/feed-files';
import { folderOf } from '../../support/folder';

const folderWith = (feeds: Record<string, readonly string[]>): string => {
  const folder = folderOf();
  const contents = Object.entries(feeds).map(([name, networks]) => [
    name,
    { source: { file: `${name}.txt`, format: 'text' }, networks, checked: '2020-01-01' } as const,
  ]);
  writeFeedFiles(folder, Object.fromEntries(contents) as Record<string, FeedContent>);
  return folder;
};

const feeds = {
  hooks: ['20.0.0.0/24', '20.0.2.0/24'],
  web: ['20.0.0.0/16', '20.0.0.0/24', '2a00:1450::/32'],
  api: ['20.0.0.0/24'],
};

test('feeds that overlap are united: a network that several hold appears once, and names them; an old lock is no reason to fail', () => {
  const folder = folderWith(feeds);
  // The files are found from a folder below them.
  const below = path.join(folder, 'packages', 'edge');
  mkdirSync(below, { recursive: true });
  const rules = feedRules(['web', 'hooks', 'api', 'web'], { action: 'deny', path: below });
  expect(rules).toEqual([
    { cidr: '20.0.0.0/16', action: 'deny', description: 'feed web' },
    { cidr: '20.0.0.0/24', action: 'deny', description: 'feeds api, hooks, web' },
    { cidr: '20.0.2.0/24', action: 'deny', description: 'feed hooks' },
    { cidr: '2a00:1450::/32', action: 'deny', description: 'feed web' },
  ]);
});

test('a description that has no room for all names says how many are left out', () => {
  const many = Object.fromEntries(
    Array.from({ length: 9 }, (_, index) => [`${'x'.repeat(60)}${index}`, ['20.0.0.0/24']]),
  );
  const [rule] = feedRules(Object.keys(many), { action: 'allow', path: folderWith(many) });
  expect(rule?.description).toMatch(/^feeds \(9 of them\)$/);
});

test('without the files the remedy is said', () => {
  const folder = folderWith(feeds);
  rmSync(path.join(folder, 'edge-policy.feeds.lock.json'));
  expect(() => feedRules('api', { action: 'allow', path: folder })).toThrow(
    /There is no edge-policy\.feeds\.lock\.json .* run "npx --no-install pulumi-edge-policy-cli feeds update" and commit the file/,
  );
  rmSync(path.join(folder, 'edge-policy.feeds.json'));
  expect(() => feedRules('api', { action: 'allow', path: folder })).toThrow(
    /or above it. Create it next to Pulumi\.yaml/,
  );
});

test('no feed is not a list of none: a set without rules would be an opening, or a lockout', () => {
  expect(() => feedRules([], { action: 'allow', path: folderWith(feeds) })).toThrow('No feed is named');
});
