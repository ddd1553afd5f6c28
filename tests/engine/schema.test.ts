import path from 'node:path';
import { stackOnService } from '../support/service-stack';
import { checkout } from '../support/workspace';

test("the schema passes the CLI's own check", async () => {
  const { stack } = await stackOnService({ program: { js: '' } });
  const file = path.join(checkout, 'provider', 'schemas', 'pulumi-schema.json');
  expect((await stack.call(['schema', 'check', file])).output.trim()).toBe('');
});
