import { isUserError, messageForUser, UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import type { FeedDeclaration } from 'pulumi-edge-policy/internal/feeds/feed-declaration';
import type { CliContext } from '../command/context';
import { collect, type Collected } from './collect-networks';
import { Documents, fetchSettings } from './documents';

/** The time for all publishers together; after it, no further one is asked. A review has two minutes. */
const TIME_FOR_ALL_MS = 45_000;
const TIME_FOR_ONE_MS = 20_000;

/** The current list of each publisher, or why it is unknown. */
export async function askPublishers(
  feeds: readonly FeedDeclaration[],
  context: CliContext,
): Promise<Map<string, Pick<Collected, 'networks'> | { readonly problem: string }>> {
  const settings = fetchSettings(context);
  const timeoutMs = Math.min(settings.timeoutMs, TIME_FOR_ONE_MS);
  // The cache is not used: the person who wants a network confirmed may have written it.
  const documents = new Documents({ clock: context.clock, environment: {} }, { ...settings, timeoutMs });
  const startedAt = context.clock.monotonicMs();
  const answers = new Map<string, Pick<Collected, 'networks'> | { readonly problem: string }>();
  for (const feed of feeds) {
    try {
      if (feed.source.names !== undefined) continue;
      if (feed.source.file !== undefined)
        throw new UserError('its document is a file in the repository, so no publisher can be asked');
      if (context.clock.monotonicMs() - startedAt > TIME_FOR_ALL_MS)
        throw new UserError('other publishers took so long that its own was not asked');
      const { networks } = collect(feed, await documents.of(feed, ''));
      answers.set(feed.name, { networks });
    } catch (error) {
      if (!isUserError(error)) throw error;
      answers.set(feed.name, { problem: `its publisher cannot be asked: ${messageForUser(error)}` });
    }
  }
  return answers;
}
