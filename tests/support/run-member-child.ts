// A process of a run; see run-member.ts. Does what each line of its input says, and answers with a line.
import { createInterface } from 'node:readline';
import { EngineConnection } from '../../provider/src/hosts/engine-watch';
import type { OtherProcesses } from '../../provider/src/run/other-processes';
import { joinRun } from '../../provider/src/run/run-members';

async function serve(address: string, service: string): Promise<void> {
  // It outlives its engine, as a process does that is stopped at that moment.
  const engine = new EngineConnection(address, () => undefined);
  const answer = (value: unknown): void => {
    process.stdout.write(`${JSON.stringify(value ?? null)}\n`);
  };
  let others: OtherProcesses;
  try {
    others = await joinRun(engine, () => service);
  } catch (error) {
    answer({ error: (error as Error).message });
    return;
  }
  answer('joined');
  for await (const line of createInterface({ input: process.stdin })) {
    const [method, argument] = JSON.parse(line) as ['own' | 'beginDelete' | 'isOwned' | 'take', never];
    try {
      answer(others[method](argument));
    } catch (error) {
      answer({ error: (error as Error).message });
    }
  }
}

// As the server of a host does.
setInterval(() => undefined, 60_000);

const [address = '', service = ''] = process.argv.slice(2);
void serve(address, service);
