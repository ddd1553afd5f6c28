import { randomBytes } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Canary {
  readonly label: string;
  readonly encodings: ReadonlyMap<string, string>;
}

/**
 * Lines of the engine's and the SDK's own debug logs. They contain property values as they are, secrets included (seen with CLI
 * 3.259.0 and SDK 3.270.0), and no provider can prevent it. They appear with `-v=9` and in the event log.
 */
const engineDebugLine = /arshaling property for RPC\[|RegisterResource(Outputs)? RPC (prepared|finished): /;

/**
 * Looks for planted secrets in everything that a run leaves behind. A canary that shows up anywhere, in clear text or in one of
 * the encodings that hide nothing, fails the test.
 */
export class SecretsScan {
  private readonly canaries: Canary[] = [];
  private readonly seenFiles = new Map<string, string>();

  /** A new secret that occurs nowhere else, such as `canary-key-5f0c...`, in visible ASCII. */
  plant(label: string): string {
    const value = SecretsScan.makeUp(label);
    this.watch(label, value);
    return value;
  }

  /** A secret that must be known before the scan begins, such as the key that a service accepts. */
  static makeUp(label: string): string {
    return `canary-${label}-${randomBytes(12).toString('hex')}`;
  }

  /** Watches a secret that comes from elsewhere. */
  watch(label: string, value: string): void {
    this.canaries.push({ label, encodings: encodingsOf(value) });
  }

  /** Throws if a canary is in the text; the place (`stdout`, a file name) is part of the message. */
  assertClean(place: string, text: string): void {
    for (const { label, encodings } of this.canaries) {
      for (const [encoding, needle] of encodings) {
        for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length)) {
          const line = lineAt(text, at);
          if (engineDebugLine.test(line)) continue;
          throw new Error(`the secret "${label}" is in ${place} (${encoding}):\n${line.slice(0, 2_000)}`);
        }
      }
    }
  }

  /** Scans a file, or all files below a folder, unless unchanged since the last scan; links are not followed. */
  assertPathClean(location: string): void {
    const stats = lstatSync(location, { throwIfNoEntry: false });
    if (stats?.isDirectory() === true) {
      for (const name of readdirSync(location)) this.assertPathClean(path.join(location, name));
    }
    if (stats?.isFile() !== true) return;
    const version = `${stats.size}@${stats.mtimeMs}`;
    if (this.seenFiles.get(location) === version) return;
    this.assertClean(location, readFileSync(location, 'latin1'));
    this.seenFiles.set(location, version);
  }
}

const lineAt = (text: string, at: number): string => {
  const end = text.indexOf('\n', at);
  return text.slice(text.lastIndexOf('\n', at) + 1, end < 0 ? undefined : end);
};

const encodingsOf = (value: string): Map<string, string> => {
  const bytes = Buffer.from(value);
  const encodings = new Map([
    ['clear text', value],
    ['hexadecimal', bytes.toString('hex')],
  ]);
  for (const offset of [0, 1, 2]) {
    encodings.set(`base64 at offset ${offset}`, base64Core(bytes, offset));
  }
  return encodings;
};

/** The base64 digits of the bytes at this offset of a longer text, without the digits shared with neighbours. */
const base64Core = (bytes: Buffer, offset: number): string => {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  const firstOwnDigit = offset === 0 ? 0 : offset + 1;
  const lastOwnDigit = Math.floor(((offset + bytes.length) * 8) / 6);
  return encoded.slice(firstOwnDigit, lastOwnDigit);
};
