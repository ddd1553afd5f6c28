// `node bench/all-changed.mjs [COUNT…]`: how much longer a preview with --diff takes if every rule of a set changes.
import { median } from './median.mjs';
import { createProject } from './pulumi-project.mjs';
import { makeRules } from './rules.mjs';
import { startQuickService } from './start-service.mjs';
import { program } from './variants/rule-set.mjs';

const RUNS = 3;

/** @param {() => Promise<{ wallMs: number }>} run */
const medianMs = async (run) => {
  const times = [];
  for (let turn = 0; turn < RUNS; turn += 1) times.push((await run()).wallMs);
  return median(times);
};

const counts = process.argv.slice(2).map(Number);
const service = await startQuickService();
for (const count of counts.length > 0 ? counts : [10_000]) {
  const project = await createProject({ program, service });
  const rules = makeRules(count);
  project.declare(rules);
  await project.up();
  const preview = () => project.preview('--diff');
  const unchanged = await medianMs(preview);
  project.declare(makeRules(count, { generation: 'updated' }));
  const texts = await medianMs(preview);
  project.declare(rules.map((rule) => ({ ...rule, action: rule.action === 'deny' ? 'allow' : 'deny' })));
  const actions = await medianMs(preview);
  project.remove();
  const times = (/** @type {number} */ ms) => `${(ms / unchanged).toFixed(1)} times`;
  console.log(
    `${count} rules: ${(unchanged / 1000).toFixed(1)} s without a change, ${times(texts)} with every description changed, ` +
      `${times(actions)} with every action changed`,
  );
}
service.close();
