import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import net, { type AddressInfo, type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { UserError } from '../errors/user-error';
import { OtherProcesses } from './other-processes';
import { RunFiles, unreachable } from './run-files';

/** The engine of a run, as one of its processes sees it. */
export interface EngineLink {
  readonly port: number;
  /** Whether the engine that started this process still runs. Another engine may listen at its port by now. */
  isAlive(): Promise<boolean>;
}

const LOOPBACK = '127.0.0.1';
/** A member may be busy with a long set. */
const ANSWERS_WITHIN_MS = 30_000;
/** No member listens at the port. Any other failure does not show whether the member lives. */
const DEAD = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'];
const OLD_MS = 7 * 24 * 3_600_000;

/**
 * Joins the run of an engine. Without a folder for files, no process of the run can reach another one.
 *
 * @param service The address of the service that holds the objects of this process.
 */
export async function joinRun(engine: EngineLink, service: () => string): Promise<OtherProcesses> {
  let folder: string;
  try {
    folder = runFolder();
  } catch (problem) {
    return new OtherProcesses(undefined, problem as Error);
  }
  try {
    return new OtherProcesses(await joinIn(folder, engine, service));
  } catch (error) {
    throw unreachable(error);
  }
}

/**
 * Makes this process a member of its engine's run. The file of a member is named after the engine's port, the member's own
 * port, and a secret. A new member calls every member whose file it finds. The called member belongs to the same run if it
 * knows the secret of its file and its engine lives: no other engine can have the port then, and a call does not reach another
 * container. From then on, each of the two counts the other's file and every file that the other counts, even if the writer has
 * ended.
 */
async function joinIn(folder: string, engine: EngineLink, service: () => string): Promise<RunFiles> {
  const namesInRun = (): string[] =>
    fs.readdirSync(folder).filter((name) => name.startsWith(`${engine.port}-`));
  const answer = async (caller: Socket, digestOfCaller: string): Promise<void> => {
    const name = namesInRun().find((each) => digest(each) === digestOfCaller);
    if (name === undefined || !(await engine.isAlive())) {
      caller.destroy();
      return;
    }
    files.count(name);
    caller.end(proof(files.name, name));
  };
  const port = await listen((caller, said) => {
    // Without an answer the caller fails. A refusal would make it take this process for a member of another run.
    answer(caller, said).catch(() => undefined);
  });
  const files = new RunFiles(folder, `${engine.port}-${port}-${randomBytes(16).toString('hex')}`, service);
  removeOld(folder);
  const meet = async (name: string): Promise<void> => {
    const answered = await call(Number(name.split('-')[1]), digest(files.name));
    if (answered === proof(name, files.name)) files.count(name);
  };
  const others = namesInRun().filter((name) => name !== files.name);
  await Promise.all(others.map(meet));
  if (!(await engine.isAlive())) throw new Error('the engine of this run has ended');
  return files;
}

/** Does not reveal the secret: any process may listen at the port of a member that has ended. */
const digest = (name: string): string => createHash('sha256').update(name).digest('hex');

const proof = (member: string, caller: string): string => digest(`${member} ${digest(caller)}`);

async function listen(onCall: (caller: Socket, said: string) => void): Promise<number> {
  const server = net.createServer({ allowHalfOpen: true }, (caller) => {
    caller.on('error', () => undefined);
    caller.once('data', (bytes) => {
      onCall(caller, bytes.toString('latin1'));
    });
  });
  server.listen(0, LOOPBACK).unref();
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Empty if no member listens at the port. */
async function call(port: number, message: string): Promise<string> {
  const socket = net.connect({ host: LOOPBACK, port });
  socket.setTimeout(ANSWERS_WITHIN_MS, () =>
    socket.destroy(new Error(`a process of this run that listens at port ${port} does not answer`)),
  );
  socket.end(message);
  try {
    return await text(socket);
  } catch (error) {
    if (DEAD.includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}

/** Removes the files of runs that ended long ago. This process cannot know whether a run in another container lives. */
function removeOld(folder: string): void {
  for (const name of fs.readdirSync(folder)) {
    const file = path.join(folder, name);
    const { mtimeMs = Infinity } = fs.statSync(file, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > OLD_MS) fs.rmSync(file, { recursive: true, force: true });
  }
}

/**
 * The folder for the files of runs, in the home of the CLI. Another user who has made it, or can write to it, could tell a run
 * that an object is owned.
 *
 * @throws UserError if it cannot be used.
 */
function runFolder(): string {
  const { PULUMI_HOME = '' } = process.env;
  // From another working directory, a relative path leads elsewhere.
  const home = path.isAbsolute(PULUMI_HOME) ? PULUMI_HOME : path.join(os.homedir(), '.pulumi');
  // The folder is named after the uid, as the user of a container may have no name.
  const folder = path.join(home, `edge-policy-${process.getuid?.() ?? 'user'}`);
  try {
    fs.mkdirSync(folder, { mode: 0o700, recursive: true });
    const made = fs.lstatSync(folder);
    // Windows has no such modes, and the home is the user's own.
    const isOpen =
      process.getuid !== undefined && (made.uid !== process.getuid() || (made.mode & 0o077) !== 0);
    if (isOpen || !made.isDirectory()) throw new Error(`${folder} is not a folder of yours alone`);
    fs.accessSync(folder, fs.constants.W_OK);
  } catch (error) {
    throw new UserError(
      `Nothing was deleted or taken over: the processes of a run must first tell each other what they own, and there is no folder ` +
        `for this (${(error as Error).message}). Set PULUMI_HOME to a folder that you can write to, and run the command again.`,
    );
  }
  return folder;
}
