// Prints the seed of the random tests, and for each file that fails the command that draws the same values again.
import path from 'node:path';

const seed = `EDGE_POLICY_SEED=${process.env['EDGE_POLICY_SEED'] ?? ''}`;

export default class SeedReporter {
  onRunStart() {
    process.stderr.write(`${seed}\n`);
  }

  /**
   * @param {{ path: string, context: { config: { rootDir: string, displayName?: { name: string } } } }} test
   * @param {{ numFailingTests: number }} result
   */
  onTestResult({ path: file, context: { config } }, { numFailingTests }) {
    if (numFailingTests === 0) return;
    const where = path.relative(config.rootDir, file);
    process.stderr.write(
      `Again: ${seed} npx jest --selectProjects ${config.displayName?.name ?? ''} ${where}\n`,
    );
  }
}
