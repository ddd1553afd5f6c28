// A process of a run; see run-member.ts. Does what each message says, and answers with one.
import { EngineConnection } from '../../provider/src/hosts/engine-watch';
import { EngineCall, Ownership } from '../../provider/src/run/ownership';
import { joinRun } from '../../provider/src/run/run-members';

async function join(address: string, service: string) {
  // It outlives its engine, as a process does that is stopped at that moment.
  const engine = new EngineConnection(address, () => undefined);
  const run = new Ownership(await joinRun(engine, () => service));
  return {
    own: (key: string) => run.declare([key], { changes: false }),
    beginDelete: (key: string) => run.beginDelete(key, new EngineCall()),
    isOwned: (key: string) => run.isOwnedByOther(key, new EngineCall()),
    take: (key: string) => run.claim([key], new EngineCall()),
  };
}

const answer = (work: Promise<unknown>): void => {
  const fail = (error: unknown): object => ({ error: (error as Error).message });
  void work.catch(fail).then((result) => process.send?.(result));
};

const [address = '', service = ''] = process.argv.slice(2);
const joined = join(address, service);
process.on('message', ([method, key]: [keyof Awaited<typeof joined>, string]) => {
  answer(joined.then((calls) => calls[method](key)));
});
answer(joined.then(() => 'joined'));
