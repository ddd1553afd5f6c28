import { type FeedDeclaration, readDeclaration } from '../../../provider/src/feeds/feed-declaration';

/** A declaration, as in the file. */
export const declared = (value: object, name = 'feed'): FeedDeclaration => {
  const problems: string[] = [];
  const declaration = readDeclaration(name, value, problems);
  expect(problems).toEqual([]);
  return declaration;
};
