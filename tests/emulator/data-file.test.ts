import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { start, type AccountState, type Emulator } from '../../emulator/src/index';
import { folderOf } from '../support/folder';

let dataFile: string;

beforeEach(() => {
  dataFile = join(folderOf(), 'data.json');
});

const rule = (cidr: string) => ({ cidr, ip_policy_id: 'ipp_1', action: 'deny' as const });

/** Uses an emulator on the file and returns what it held at the end, without the address that changes. */
async function session(use: (emulator: Emulator) => void = () => undefined): Promise<AccountState> {
  const emulator = await start({ dataFile });
  use(emulator);
  const state = JSON.stringify(emulator.state()).replaceAll(emulator.url, '');
  await emulator.close();
  return JSON.parse(state) as AccountState;
}

function fill(emulator: Emulator): void {
  emulator.seed({
    ...{ policies: ['ipp_1'], tcpEdges: ['edgtcp_1'], routes: ['edghts_1/edghtsrt_1'] },
    rules: [rule('10.0.0.0/8'), { ...rule('11.0.0.0/8'), description: 'é', metadata: '{"a":1}' }],
    tcpModules: { edgtcp_1: { enabled: true, value: '{}' } },
    httpsModules: { 'edghts_1/edghtsrt_1': { enabled: true, allow: ['a'], deny: [] } },
  });
}

test('everything is there again after a restart, and after another one, of every account', async () => {
  const before = await session((emulator) => {
    fill(emulator);
    emulator.seed({ policies: ['ipp_other'] }, 'other');
  });
  expect(before.rules).toHaveLength(2);
  for (let restart = 0; restart < 2; restart += 1)
    expect(
      await session((emulator) => {
        expect(emulator.state('other').policies).toEqual(['ipp_other']);
      }),
    ).toEqual(before);
});

test.each(['nonsense', '{"default":{"routes":["edghts_1"]}}'])(
  'a file that is no snapshot stops the start, and stays as it was: %s',
  async (text) => {
    writeFileSync(dataFile, text);
    await expect(start({ dataFile })).rejects.toThrow(
      /is not a snapshot of an emulator|is not an identifier/,
    );
    expect(readFileSync(dataFile, 'utf8')).toBe(text);
  },
);

test('a link that somebody has planted for the draft is not written through', async () => {
  const other = `${dataFile}.other`;
  writeFileSync(other, 'kept');
  symlinkSync(other, `${dataFile}.new`);
  await session(fill);
  expect(readFileSync(other, 'utf8')).toBe('kept');
  expect((await session()).rules).toHaveLength(2);
});

test('a moment of creation comes back to the millisecond, whatever form answers give it', async () => {
  await session((emulator) => {
    emulator.seed({ rules: [{ ...rule('10.0.0.0/8'), created_at: '2030-01-01T00:00:00.123Z' }] });
  });
  expect(readFileSync(dataFile, 'utf8')).toContain('"2030-01-01T00:00:00.123Z"');
});
