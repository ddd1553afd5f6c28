import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { writeReport } from '../../../cli/src/command/write-file';

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(os.tmpdir(), 'write-report-'))));
afterEach(() => {
  rmSync(folder, { recursive: true });
});
const at = (name: string): string => path.join(folder, name);

test('a report is readable by its owner only, and replaces an older one', () => {
  writeFileSync(at('report.md'), 'old', { mode: 0o644 });
  writeReport(at('report.md'), 'new');
  expect(readFileSync(at('report.md'), 'utf8')).toBe('new');
  expect(statSync(at('report.md')).mode & 0o777).toBe(0o600);
});

test.each(['target', 'nothing'])('a link to %s is refused, and its target stays as it was', (target) => {
  writeFileSync(at('target'), 'of somebody else');
  symlinkSync(at(target), at('report.md'));
  expect(() => {
    writeReport(at('report.md'), 'new');
  }).toThrow('is a symbolic link, which is not followed');
  expect(readFileSync(at('target'), 'utf8')).toBe('of somebody else');
  expect(lstatSync(at('report.md')).isSymbolicLink()).toBe(true);
  expect(lstatSync(at('nothing'), { throwIfNoEntry: false })).toBeUndefined();
});

test('a device is written to and stays a device; a folder is refused', () => {
  writeReport('/dev/null', 'new');
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  mkdirSync(at('folder'));
  expect(() => {
    writeReport(at('folder'), 'new');
  }).toThrow('is a folder');
});
