// Reads one file of an untrusted zip archive: nothing is written to disk, and nothing longer than allowed is unpacked.
import { inflateRawSync } from 'node:zlib';

const END_OF_DIRECTORY = Buffer.from('PK\x05\x06');
const DIRECTORY_ENTRY = 'PK\x01\x02';
const FILE_HEADER = 'PK\x03\x04';
const [STORED, DEFLATED] = [0, 8];
const MOST_ENTRIES = 100;

/**
 * The content of the file with exactly this name.
 *
 * @param {Buffer} archive
 * @param {string} name
 * @param {number} limitBytes
 */
export function fileInZip(archive, name, limitBytes) {
  const end = archive.lastIndexOf(END_OF_DIRECTORY);
  if (end < 0) throw new Error('it is not a zip archive');
  let at = archive.readUInt32LE(end + 16);
  const entries = Math.min(archive.readUInt16LE(end + 10), MOST_ENTRIES);
  for (let entry = 0; entry < entries; entry += 1) {
    if (archive.toString('latin1', at, at + 4) !== DIRECTORY_ENTRY) break;
    const lengths = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset));
    if (archive.toString('utf8', at + 46, at + 46 + lengths[0]) === name)
      return contentAt(archive, at, limitBytes);
    at += lengths.reduce((sum, length) => sum + length, 46);
  }
  throw new Error(`it holds no ${name}`);
}

function contentAt(archive, at, limitBytes) {
  const [method, size] = [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 20)];
  const header = archive.readUInt32LE(at + 42);
  if (archive.toString('latin1', header, header + 4) !== FILE_HEADER) throw new Error('it is damaged');
  const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
  const content = archive.subarray(start, start + size);
  if (method === DEFLATED) return inflateRawSync(content, { maxOutputLength: limitBytes });
  if (method !== STORED) throw new Error('it is packed in an unknown way');
  if (content.length > limitBytes) throw new Error('it is too long');
  return content;
}
