import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { startRawServer, type RawServer } from '../raw-server';

/** The publisher's answer: a document, or a function that answers by itself. */
export type Answer = string | ((request: IncomingMessage, response: ServerResponse) => void);

/** A publisher whose documents a test sets, at paths of its choice. */
export class PublisherServer {
  private readonly answers = new Map<string, Answer>();
  /** The headers of each request so far. */
  readonly headers: IncomingMessage['headers'][] = [];
  private server: RawServer | undefined;

  static async start(options: Parameters<typeof startRawServer>[1] = {}): Promise<PublisherServer> {
    const publisher = new PublisherServer();
    publisher.server = await startRawServer(publisher.answer, options);
    return publisher;
  }

  /** Sets a document from now on, and returns its address. */
  publish(path: string, answer: Answer): string {
    this.answers.set(path, answer);
    return `${this.server?.url ?? ''}${path}`;
  }

  get requests(): number {
    return this.server?.requests.length ?? 0;
  }

  private readonly answer: RequestListener = (request, response) => {
    this.headers.push(request.headers);
    const answer = this.answers.get(request.url ?? '');
    if (typeof answer === 'function') answer(request, response);
    else if (answer === undefined) response.writeHead(404).end('not here');
    else response.writeHead(200, { 'Content-Length': Buffer.byteLength(answer) }).end(answer);
  };
}
