// A process of a run; see run-member.ts. Does what each line of its input says, and answers with a line.
import { createInterface } from 'node:readline';
import { EngineConnection } from '../../provider/src/hosts/engine-watch';
import { EngineCall, Ownership } from '../../provider/src/run/ownership';
import { joinRun } from '../../provider/src/run/run-members';

async function serve(address: string, service: string): Promise<void> {
  // It outlives its engine, as a process does that is stopped at that moment.
  const engine = new EngineConnection(address, () => undefined);
  const answer = (value: unknown): void => {
    process.stdout.write(`${JSON.stringify(value ?? null)}\n`);
  };
  let run: Ownership;
  try {
    run = new Ownership(await joinRun(engine, () => service));
  } catch (error) {
    answer({ error: (error as Error).message });
    return;
  }
  const calls = {
    own: (key: string) => {
      run.declare([key], { changes: false });
    },
    beginDelete: (key: string) => run.beginDelete(key, new EngineCall()),
    isOwned: (key: string) => run.isOwnedByOther(key, new EngineCall()),
    take: (key: string) => run.claim([key], new EngineCall()),
  };
  answer('joined');
  for await (const line of createInterface({ input: process.stdin })) {
    const [method, key] = JSON.parse(line) as [keyof typeof calls, string];
    try {
      answer(calls[method](key));
    } catch (error) {
      answer({ error: (error as Error).message });
    }
  }
}

// As the server of a host does.
setInterval(() => undefined, 60_000);

const [address = '', service = ''] = process.argv.slice(2);
void serve(address, service);
