import { randomBytes } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Canary {
  readonly label: string;
  readonly encodings: ReadonlyMap<string, string>;
}

interface Allowance {
  readonly label: string;
  readonly place: RegExp;
}

/**
 * Looks for planted secrets in whatever a run leaves behind. A canary that shows up anywhere, in clear text or in one of
 * the encodings that hide nothing, fails the test, unless the test has said that this place may hold it.
 */
export class SecretsScan {
  private readonly canaries: Canary[] = [];
  private readonly allowances: Allowance[] = [];
  private readonly seenFiles = new Map<string, string>();

  /** A new secret that occurs nowhere else, such as `canary-key-5f0c...`, visible ASCII throughout. */
  plant(label: string): string {
    const value = `canary-${label}-${randomBytes(12).toString('hex')}`;
    this.watch(label, value);
    return value;
  }

  /** Watches a secret that comes from elsewhere. */
  watch(label: string, value: string): void {
    this.canaries.push({ label, encodings: encodingsOf(value) });
  }

  /** Says that a canary is expected in the places whose name matches; the test says why in a comment. */
  allow(label: string, place: RegExp): void {
    this.allowances.push({ label, place });
  }

  /** Throws if a canary is in the text; the place (`stdout`, a file name) goes into the message. */
  assertClean(place: string, text: string): void {
    for (const { label, encodings } of this.canaries) {
      if (this.allowances.some((allowance) => allowance.label === label && allowance.place.test(place)))
        continue;
      for (const [encoding, needle] of encodings) {
        const at = text.indexOf(needle);
        if (at >= 0) {
          const context = text.slice(Math.max(0, at - 120), at + needle.length + 40);
          throw new Error(`the secret "${label}" is in ${place} (${encoding}):\n${context}`);
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

/** What base64 makes of the bytes when they start at this offset of a longer text, without the digits shared with neighbours. */
const base64Core = (bytes: Buffer, offset: number): string => {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  const firstOwnDigit = offset === 0 ? 0 : offset + 1;
  const lastOwnDigit = Math.floor(((offset + bytes.length) * 8) / 6);
  return encoded.slice(firstOwnDigit, lastOwnDigit);
};
