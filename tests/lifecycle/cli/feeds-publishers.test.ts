import { systemClock } from '../../../provider/src/api/clock';
import { askPublishers } from '../../../cli/src/feeds/update';
import type { CliContext } from '../../../cli/src/command/context';
import { CommandLine } from '../../support/command-line';
import { declared } from '../../support/feeds/declared';
import { PublisherServer } from '../../support/feeds/publisher-server';

const contextWith = (
  clock: CliContext['clock'],
  environment: CliContext['environment'] = {},
): CliContext => ({
  environment,
  workingDirectory: '/',
  clock,
  print: () => undefined,
  note: () => undefined,
});
const at = (url: string, name = 'feed') => declared({ url, format: 'text' }, name);
const answerTo = async (publisher: PublisherServer, environment: CliContext['environment'] = {}) => {
  const body = '8.8.8.0/24\n9.9.9.0/24\n';
  const url = publisher.publish('/list', (_, response) => {
    response.writeHead(200, { ETag: '"1"', 'Content-Length': body.length }).end(body);
  });
  const answers = await askPublishers([at(url)], contextWith(systemClock, environment));
  const answer = answers.get('feed') ?? { problem: 'nobody asked' };
  return 'problem' in answer ? answer.problem : answer.networks.map(({ text }) => text);
};

test('a publisher is asked anew, whatever the machine has kept of it', async () => {
  const publisher = await PublisherServer.start();
  const line = new CommandLine();
  const cache = { XDG_CACHE_HOME: line.folder };
  expect(await answerTo(publisher, cache)).toEqual(['8.8.8.0/24', '9.9.9.0/24']);
  expect(await answerTo(publisher, cache)).toEqual(['8.8.8.0/24', '9.9.9.0/24']);
  expect(publisher.headers.map((headers) => headers['if-none-match'])).toEqual([undefined, undefined]);
  expect(publisher.requests).toBe(2);
});

test('a document in a file has no publisher', async () => {
  const feed = declared({ file: 'lists/own.txt', format: 'text' });
  expect([...(await askPublishers([feed], contextWith(systemClock))).values()]).toEqual([
    { problem: expect.stringContaining('its document is a file in the repository') as string },
  ]);
});

test('once publishers have taken too long together, the others are not asked', async () => {
  const publisher = await PublisherServer.start();
  let ms = 0;
  const url = publisher.publish('/slow', (_, response) => {
    ms += 46_000;
    response.writeHead(200, { 'Content-Length': 11 }).end('8.8.8.0/24\n');
  });
  const feeds = [at(url, 'slow'), at(publisher.publish('/list', '8.8.8.0/24\n'), 'late')];
  const answers = await askPublishers(feeds, contextWith({ ...systemClock, monotonicMs: () => ms }));
  expect(answers.get('slow')).toMatchObject({ networks: [{ text: '8.8.8.0/24' }] });
  expect(answers.get('late')).toEqual({ problem: expect.stringContaining('was not asked') as string });
  expect(publisher.requests).toBe(1);
});
