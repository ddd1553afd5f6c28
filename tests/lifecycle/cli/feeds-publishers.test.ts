import { systemClock } from '../../../provider/src/api/clock';
import { askPublishers } from '../../../cli/src/feeds/ask-publishers';
import type { CliContext } from '../../../cli/src/command/context';
import { CommandLine } from '../../support/command-line';
import { declared, documentsOf } from '../../support/feeds/documents';
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
test('a publisher is asked anew, whatever the machine has kept of it', async () => {
  const publisher = await PublisherServer.start();
  const [document = ''] = documentsOf['spamhaus-drop'](['8.8.8.0/24']);
  const url = publisher.publish('/list', document);
  const feed = declared({ url, publisher: 'spamhaus-drop' });
  const context = contextWith(systemClock, { XDG_CACHE_HOME: new CommandLine().folder });
  for (const requests of [1, 2]) {
    const answers = await askPublishers([feed], context);
    expect(answers.get('feed')).toMatchObject({ networks: [{ text: '8.8.8.0/24' }] });
    expect(publisher.requests).toBe(requests);
  }
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
