import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** A chunk of text in a PNG (`tEXt`): its keyword, and 64 hexadecimal digits. */
const KEYWORD = 'Digest\0';
/** The signature of a PNG and its first chunk, behind which others may stand. */
const HEAD_BYTES = 33;

/**
 * The digest of a text without the times and identifiers of one run, and without the order of its lines: the engine shows resources
 * in any order.
 *
 * @param {string} text
 */
export const digestOf = (text) =>
  createHash('sha256')
    .update(
      text
        .replace(/\bipr_\w+|\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?/g, '…')
        .split('\n')
        .sort()
        .join('\n'),
    )
    .digest('hex');

/**
 * @param {Buffer} png
 * @param {string} digest
 */
export function withDigest(png, digest) {
  const body = Buffer.from(`tEXt${KEYWORD}${digest}`, 'latin1');
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length - 4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([png.subarray(0, HEAD_BYTES), length, body, sum, png.subarray(HEAD_BYTES)]);
}

/** @param {Buffer} png */
export const digestIn = (png) => new RegExp(`tEXt${KEYWORD}(\\w{64})`).exec(png.toString('latin1'))?.[1];
