import { assertionFileOf, COMMON_ASSERTION_FILE } from '../../../cli/src/judge/review-files';
import { DECLARATION_FILE } from '../../../provider/src/feeds/feed-declaration';
import { LOCK_FILE } from '../../../provider/src/feeds/lock';
import { evaluate } from '../tools/tool-module';

test('the action reads the files that the commands read', async () => {
  const stack = 'acme/edge/prod';
  const { value } = await evaluate(
    '../action/guards.mjs',
    `[tool.defaultFiles('${stack}'), tool.FEED_FILES]`,
  );
  expect(value).toEqual([
    [COMMON_ASSERTION_FILE, assertionFileOf(stack)],
    [DECLARATION_FILE, LOCK_FILE],
  ]);
});
