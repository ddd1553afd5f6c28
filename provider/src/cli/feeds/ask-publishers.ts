import { isUserError, messageForUser, UserError } from '../../errors/user-error';
import type { FeedDeclaration } from '../../feeds/feed-declaration';
import { type Collected, collect } from '../../feeds/collect-networks';
import type { CliContext } from '../context';
import { DocumentCache } from './document-cache';
import { documentsOf, fetchSettings } from './update';

/** As long as publishers may take together before the rest is not asked any more: a review has two minutes. */
const TIME_FOR_ALL_MS = 45_000;
const TIME_FOR_ONE_MS = 20_000;

/** What each publisher lists now, or why nobody knows. */
export async function askPublishers(
  feeds: readonly FeedDeclaration[],
  context: CliContext,
): Promise<Map<string, Pick<Collected, 'networks'> | { readonly problem: string }>> {
  const settings = fetchSettings(context);
  const timeoutMs = Math.min(settings.timeoutMs, TIME_FOR_ONE_MS);
  // What is kept on the machine, somebody who wants a network confirmed may have written.
  const cache = new DocumentCache({ clock: context.clock, environment: {} }, { ...settings, timeoutMs });
  const startedAt = context.clock.monotonicMs();
  const answers = new Map<string, Pick<Collected, 'networks'> | { readonly problem: string }>();
  for (const feed of feeds) {
    try {
      if (feed.source.file !== undefined)
        throw new UserError('its document is a file of the repository, and no publisher can be asked');
      if (context.clock.monotonicMs() - startedAt > TIME_FOR_ALL_MS)
        throw new UserError('other publishers took so long that its own was not asked');
      const { networks } = collect(feed, await documentsOf(feed, '', cache));
      answers.set(feed.name, { networks });
    } catch (error) {
      if (!isUserError(error)) throw error;
      answers.set(feed.name, { problem: `its publisher cannot be asked: ${messageForUser(error)}` });
    }
  }
  return answers;
}
