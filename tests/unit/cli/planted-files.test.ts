import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { processContext } from '../../../cli/src/command/context';
import { examineSettings } from '../../../cli/src/doctor/examine-settings';
import { writeNew, writeReport } from '../../../cli/src/command/write-file';
import { printable, printableJson } from '../../../provider/src/values/printable';
import { readPlainFile } from '../../../cli/src/judge/review-files';
import { visible } from '../../../review/src/text/escape';
import { folderOf } from '../../support/folder';

const plant = (file: string, how: 'link' | 'pipe', target: string): void => {
  if (how === 'link') symlinkSync(target, file);
  else execFileSync('mkfifo', [file]);
};

describe.each(['link', 'pipe'] as const)('a %s that somebody has planted', (how) => {
  test('in place of a file that is to be new: it is refused, and nothing is written through it', () => {
    const folder = folderOf({ 'other.txt': 'kept' });
    const file = path.join(folder, 'adopted.ts');
    plant(file, how, path.join(folder, 'other.txt'));
    expect(() => {
      writeNew(file, 'code');
    }).toThrow('cannot be written: it exists already');
    expect(readFileSync(path.join(folder, 'other.txt'), 'utf8')).toBe('kept');
  });

  test('in place of an assertion file or a plan: it is refused at once', () => {
    const folder = folderOf({});
    const file = path.join(folder, 'assertions.json');
    plant(file, how, '/dev/zero');
    expect(() => readPlainFile(file)).toThrow('is not a plain file');
  });
});

describe('a report', () => {
  test('is readable by its owner only, and replaces an older one', () => {
    const report = path.join(folderOf({ 'report.md': 'old' }), 'report.md');
    writeReport(report, 'new');
    expect(readFileSync(report, 'utf8')).toBe('new');
    expect(statSync(report).mode & 0o777).toBe(0o600);
  });

  test.each(['target', 'nothing'])('a link to %s is refused, and its target stays as it was', (target) => {
    const folder = folderOf({ target: 'of somebody else' });
    const at = (name: string): string => path.join(folder, name);
    plant(at('report.md'), 'link', at(target));
    expect(() => {
      writeReport(at('report.md'), 'new');
    }).toThrow('is a symbolic link, which is not followed');
    expect(readFileSync(at('target'), 'utf8')).toBe('of somebody else');
    expect(lstatSync(at('report.md')).isSymbolicLink()).toBe(true);
    expect(lstatSync(at('nothing'), { throwIfNoEntry: false })).toBeUndefined();
  });

  test('a device is written to and stays a device; a folder, and a place below a file, are refused', () => {
    writeReport('/dev/null', 'new');
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
    expect(() => {
      writeReport(folderOf(), 'new');
    }).toThrow('is a folder');
    expect(() => {
      writeReport('/dev/null/report.md', 'new');
    }).toThrow('a part of its path is a file');
  });
});

test.each([
  'http://user:canary@proxy.example:8080',
  'socks5://user:canary@proxy.example',
  'user:canary@proxy.example:8080',
  'http://proxy.example/canary',
  'http://user:canary@proxy example',
  '//user:canary@proxy.example',
])('doctor never prints what may be the password of a proxy: %s', (proxy) => {
  const settings = { EDGE_POLICY_BASE_URL: 'https://a.example', EDGE_POLICY_API_KEY: 'k' };
  const context = { ...processContext(), environment: { ...settings, EDGE_POLICY_PROXY: proxy } };
  expect(JSON.stringify(examineSettings(context, { config: new Map() }, true))).not.toContain('canary');
});

test('no text in the output is a command of a workflow’s runner: `##[…]` counts anywhere in a line', () => {
  const text = 'a name ##[set-output name=x]y';
  for (const shown of [printable(text), printableJson({ text }), visible(text)]) {
    expect(shown).not.toContain('##[');
  }
  expect(JSON.parse(printableJson({ text }))).toEqual({ text });
});

test('characters that nobody sees by default are spelt out, whatever class they are in', () => {
  for (const character of '\u034f\u115f\u17b4\u180b\u3164\ufe0f\u{e0100}\u{1d173}') {
    expect(visible(`a${character}b`)).not.toContain(character);
    expect(printable(`a${character}b`)).not.toContain(character);
  }
});
