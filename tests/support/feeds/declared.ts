import { declaration, type FeedDeclaration } from '../../../provider/src/feeds/feed-declaration';

/** A declaration, as in the file. */
export const declared = (value: object, name = 'feed'): FeedDeclaration => ({
  name,
  ...declaration(value, name),
});
