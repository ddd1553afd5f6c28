// How long `explain --traffic` takes for many policies, in multiples of what it takes for one: the log is read once, and each of
// its addresses is looked up once for all of them. Processor time, as in review.mjs.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { atMost, median } from './figures.mjs';
import { command, costOf, step } from './review.mjs';
import { scatteredAddress, scatteredNetwork } from './rules.mjs';

const ROUNDS = 5;
const LINES = 50_000;
/** How many policies there are, and how many times the time of one they may take. */
const BOUND = { policies: 240, atMost: 3 };

const line = (_, index) =>
  `${scatteredAddress(index)} - - [10/Oct/2026:13:55:36 +0000] "GET / HTTP/1.1" 200 2 "-" "curl/8.11.0"`;

const previewOf = (policies) => ({
  steps: Array.from({ length: policies }, (_, index) => {
    const rule = { ipPolicyId: `ipp_${index}`, cidr: scatteredNetwork(index, index + 1), action: 'allow' };
    return step('IpPolicyRule', `rule-${index}`, { inputs: [rule, rule] });
  }),
});

/** @returns {Generator<import('./figures.mjs').Figure>} */
export function* trafficFigures() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'edge-policy-bench-'));
  try {
    writeFileSync(path.join(folder, 'access.log'), Array.from({ length: LINES }, line).join('\n'));
    const cost = (policies) => {
      writeFileSync(path.join(folder, 'preview.json'), JSON.stringify(previewOf(policies)));
      return costOf(folder, command, 'explain', '--traffic', 'access.log', '--preview', 'preview.json');
    };
    // A round before the first warms up.
    const rounds = Array.from({ length: ROUNDS + 1 }, () => cost(BOUND.policies) / cost(1)).slice(1);
    const name = `explain of a log of ${LINES} lines for ${BOUND.policies} policies, times that for one`;
    yield atMost(name, median(rounds), BOUND.atMost);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
