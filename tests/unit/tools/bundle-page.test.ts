import { readFileSync } from 'node:fs';
import path from 'node:path';
import { folderOf } from '../../support/folder';
import { evaluate } from './tool-module';

test('the page, which the review of the action holds, has the same bytes in every build', async () => {
  const folders = [folderOf(), folderOf(), folderOf()];
  const list = JSON.stringify(folders);
  await evaluate('bundle-page.mjs', `Promise.all(${list}.map((folder) => tool.bundlePage(folder)))`);
  const pages = folders.map((folder) => readFileSync(path.join(folder, 'page.cjs'), 'utf8'));
  expect(new Set(pages).size).toBe(1);
});
