// A name server on the loopback interface, which answers over UDP and TCP as a test says.
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { isIPv4 } from 'node:net';
import { deferCleanup } from './cleanup';

/** An answer: its records, in this order, and how it is sent. */
export interface DnsAnswer {
  readonly addresses?: readonly string[];
  /** Names to go on with, each an alias of the one before. */
  readonly aliases?: readonly string[];
  /** NOERROR unless given: 2 is SERVFAIL, 3 NXDOMAIN, 5 REFUSED. */
  readonly rcode?: number;
  readonly ttl?: number;
  /** Over UDP, only the mark that the answer was cut. */
  readonly isTruncated?: boolean;
}

/** Answers a question of a family; undefined for never. `nth` counts the questions for both families alike, from 0. */
export type Zone = (question: { name: string; family: 4 | 6; nth: number }) => DnsAnswer | undefined;

export interface DnsServer {
  /** `127.0.0.1:PORT`. */
  readonly address: string;
  /** The questions that came, such as `gw.example.net AAAA`. */
  readonly questions: readonly string[];
}

const TYPES = { 1: 4, 28: 6 } as const;

const encodedName = (name: string): Buffer =>
  Buffer.concat([
    ...name
      .split('.')
      .map((label) => Buffer.from(`\0${label}`.replace('\0', String.fromCharCode(label.length)), 'latin1')),
    Buffer.from([0]),
  ]);

function bytesOf(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const [head = '', tail] = address.split('::');
  const groups = (text: string | undefined): string[] => (text ? text.split(':') : []);
  const [first, last] = [groups(head), groups(tail)];
  const middle = Array.from({ length: 8 - first.length - last.length }, () => '0');
  return Buffer.from([...first, ...middle, ...last].map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function record(owner: string, [type, data]: readonly [number, Buffer], ttl: number): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt32BE(ttl, 4);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([encodedName(owner), fixed, data]);
}

/** Starts a server that answers by a zone. */
export async function startDns(zone: Zone): Promise<DnsServer> {
  const questions: string[] = [];
  const counts = new Map<string, number>();
  const answer = (query: Buffer, isUdp: boolean): Buffer | undefined => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.subarray(at + 1, at + 1 + length).toString('latin1'));
      at += length + 1;
    }
    const name = labels.join('.').toLowerCase();
    const type = query.readUInt16BE(at + 1) as 1 | 28;
    const family = TYPES[type];
    const key = `${name} ${family === 4 ? 'A' : 'AAAA'}`;
    const nth = counts.get(key) ?? 0;
    const given = zone({ name, family, nth });
    if (given?.isTruncated !== true || !isUdp) counts.set(key, nth + 1);
    questions.push(key);
    if (given === undefined) return undefined;
    const { addresses = [], aliases = [], rcode = 0, ttl = 60, isTruncated = false } = given;
    const chain = [labels.join('.'), ...aliases];
    const records =
      isTruncated && isUdp
        ? []
        : [
            ...aliases.map((alias, index) => record(chain[index] ?? '', [5, encodedName(alias)], ttl)),
            ...addresses.map((address) => record(chain.at(-1) ?? '', [type, bytesOf(address)], ttl)),
          ];
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | rcode | (isTruncated && isUdp ? 0x0200 : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    return Buffer.concat([header, query.subarray(12, at + 5), ...records]);
  };
  const tcp = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      const text = answer(bytes.subarray(2), false);
      if (text === undefined) return;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(text.length);
      socket.end(Buffer.concat([length, text]));
    });
  });
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  const { port } = tcp.address() as { port: number };
  const udp = createSocket('udp4');
  udp.on('message', (query, from) => {
    const text = answer(query, true);
    if (text) udp.send(text, from.port, from.address);
  });
  await new Promise<void>((resolve) => udp.bind(port, '127.0.0.1', resolve));
  deferCleanup(() => {
    tcp.close();
    udp.close();
  });
  return { address: `127.0.0.1:${port}`, questions };
}
