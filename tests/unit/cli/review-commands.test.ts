import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PACKAGE_VERSION } from '../../../provider/src/api/client-settings';
import { installedReviewCommands } from '../../../provider/src/cli/review-commands';

const NAME = 'pulumi-edge-policy-review';

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(os.tmpdir(), 'review-commands-'))));
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** Puts a package with that name and version into the project. */
function install(version: string): void {
  const installed = path.join(folder, 'node_modules', NAME);
  mkdirSync(installed, { recursive: true });
  writeFileSync(path.join(installed, 'package.json'), JSON.stringify({ name: NAME, version }));
  writeFileSync(path.join(installed, 'index.js'), "exports.reviewCommands = { review: 'the review' };");
}

const remedy = `run "npm install --save-dev ${NAME}@${PACKAGE_VERSION}".`;

test('without its package a review says which one to install', () => {
  expect(() => installedReviewCommands([folder])).toThrow(
    `This command needs the package ${NAME}, which is not installed: ${remedy}`,
  );
});

test('a package of another version is not loaded, and the right one is named', () => {
  install('9.9.9');
  expect(() => installedReviewCommands([folder])).toThrow(
    new RegExp(`^${NAME} 9.9.9 does not work with pulumi-edge-policy ${PACKAGE_VERSION}, .*: ${remedy}$`),
  );
});

test('the package of the same version is loaded from the first folder that leads to it', () => {
  install(PACKAGE_VERSION);
  const project = path.join(folder, 'sub', 'project');
  mkdirSync(project, { recursive: true });
  expect(installedReviewCommands([os.tmpdir(), project])).toEqual({ review: 'the review' });
});
