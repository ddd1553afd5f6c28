import { assertionFileOf, COMMON_ASSERTION_FILE } from '../../../cli/src/judge/review-files';
import { DECLARATION_FILE } from '../../../provider/src/feeds/feed-declaration';
import { LOCK_FILE } from '../../../provider/src/feeds/lock';
import { evaluate } from '../tools/tool-module';

test('the action reads the files that the commands read', async () => {
  const stack = 'acme/edge/prod';
  const { value: assertions } = await evaluate(
    '../action/assertion-files.mjs',
    `tool.defaultFiles('${stack}')`,
  );
  expect(assertions).toEqual([COMMON_ASSERTION_FILE, assertionFileOf(stack)]);
  const { value: feeds } = await evaluate('../action/feeds.mjs', 'tool.FILES');
  expect(feeds).toEqual([DECLARATION_FILE, LOCK_FILE]);
});
