import type { ClientCounter } from './client-counter';
import { jsonReader } from './json-lines';
import type { Line, ReadLine, RequestLine } from './request-line';
import {
  commonLogReader,
  extendedLogReader,
  isLoadBalancerLine,
  readLoadBalancerLine,
  readPlainLine,
} from './text-lines';
import { columnOf, type FieldNames } from './traffic-options';

/** Longer lines are not read: no server writes them, and they must not fill the memory. */
const LONGEST_LINE = 256 * 1024;

const [OPENING_BRACE, HASH] = ['{', '#'].map((text) => text.charCodeAt(0));

/** Reads the lines of a file, in whatever formats they are, and counts their clients. */
export class LineCounter {
  /** Lines that stand for requests. */
  lines = 0;
  unreadable = 0;
  ambiguous = 0;
  firstUnreadable: number | undefined;

  private number = 0;
  private rest = '';
  private isTooLong = false;
  private readonly readJson: ReadLine;
  private readonly readCommonLog: ReadLine;
  private readExtendedLog: ReadLine | undefined;
  private readonly request: RequestLine = {
    ...{ address: '', agent: undefined, timeMs: -1, requests: 1, isAmbiguous: false },
    decode: (agent) => agent,
  };

  constructor(
    private readonly clients: ClientCounter,
    fields: FieldNames = {},
  ) {
    this.readJson = jsonReader(fields);
    this.readCommonLog = commonLogReader(columnOf(fields));
  }

  /** Reads the next part of the file. */
  add(chunk: Buffer): void {
    const text = this.rest + chunk.toString('latin1');
    let begin = 0;
    let [feed, carriage] = [text.indexOf('\n'), text.indexOf('\r')];
    for (;;) {
      const isCarriage = carriage >= 0 && (feed < 0 || carriage < feed);
      const end = isCarriage ? carriage : feed;
      // What follows a carriage return decides whether it ends the line alone.
      if (end < 0 || (isCarriage && end === text.length - 1)) break;
      this.line(text, begin, end);
      begin = end + (isCarriage && feed === end + 1 ? 2 : 1);
      if (feed >= 0 && feed < begin) feed = text.indexOf('\n', begin);
      if (isCarriage) carriage = text.indexOf('\r', begin);
    }
    this.rest = text.slice(begin);
    if (this.rest.length <= LONGEST_LINE) return;
    this.rest = '';
    this.isTooLong = true;
  }

  /** Reads what is left, if the last line has no end. */
  end(): void {
    const rest = this.rest.endsWith('\r') ? this.rest.slice(0, -1) : this.rest;
    if (rest !== '' || this.isTooLong) this.line(rest, 0, rest.length);
  }

  private line(text: string, begin: number, end: number): void {
    this.number += 1;
    if (this.isTooLong) {
      this.isTooLong = false;
      this.count(false);
    } else if (end > begin) this.content({ text, begin, end });
  }

  private content(line: Line): void {
    const first = line.text.charCodeAt(line.begin);
    // Comments, and the head of an extended log file.
    if (first === HASH) {
      const comment = line.text.slice(line.begin, line.end);
      if (comment.startsWith('#Fields:')) this.readExtendedLog = extendedLogReader(comment);
      return;
    }
    this.request.isAmbiguous = false;
    this.count(this.readerOf(line, first)(line, this.request) && this.clients.add(this.request));
  }

  private readerOf(line: Line, first: number): ReadLine {
    if (first === OPENING_BRACE) return this.readJson;
    if (this.readExtendedLog) return this.readExtendedLog;
    if (isLoadBalancerLine(line)) return readLoadBalancerLine;
    const bracket = line.text.indexOf('[', line.begin);
    return bracket >= 0 && bracket < line.end ? this.readCommonLog : readPlainLine;
  }

  private count(isReadable: boolean): void {
    this.lines += 1;
    if (isReadable) return;
    this.unreadable += 1;
    if (this.request.isAmbiguous) this.ambiguous += 1;
    this.firstUnreadable ??= this.number;
  }
}
