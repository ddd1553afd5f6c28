// A name server on the loopback interface, which answers over UDP and TCP as a test says.
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { parseAddress } from '../../provider/src/values/address';
import { deferCleanup } from './cleanup';
import { listen } from './listening';

/** An answer: its records, in this order, and how it is sent. */
export interface DnsAnswer {
  readonly addresses?: readonly string[];
  /** NOERROR unless given: 2 is SERVFAIL, 3 NXDOMAIN, 5 REFUSED. */
  readonly rcode?: number;
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

/** A record of the name that is asked about, which lasts a minute. */
function record(type: 1 | 28, address: string): Buffer {
  const parsed = parseAddress(address);
  if ('reason' in parsed) throw new Error(parsed.reason);
  const data = parsed.value.toString(16).padStart(parsed.family === 4 ? 8 : 32, '0');
  const fixed = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length / 2]);
  return Buffer.concat([fixed, Buffer.from(data, 'hex')]);
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
    const { addresses = [], rcode = 0, isTruncated = false } = given;
    const isCut = isTruncated && isUdp;
    const records = isCut ? [] : addresses.map((address) => record(type, address));
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | rcode | (isCut ? 0x0200 : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    return Buffer.concat([header, query.subarray(12, at + 5), ...records]);
  };
  const tcp = createServer((socket) => {
    socket.on('data', (bytes) => {
      const text = answer(bytes.subarray(2), false);
      if (text === undefined) return;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(text.length);
      socket.end(Buffer.concat([length, text]));
    });
  });
  const { port } = await listen(tcp);
  const udp = createSocket('udp4');
  udp.on('message', (query, from) => {
    const text = answer(query, true);
    if (text) udp.send(text, from.port, from.address);
  });
  await new Promise<void>((resolve) => udp.bind(port, '127.0.0.1', resolve));
  deferCleanup(() => {
    udp.close();
  });
  return { address: `127.0.0.1:${port}`, questions };
}
