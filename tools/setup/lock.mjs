import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from './terminal.mjs';

const POLL_MS = 500;

/**
 * Runs work while no other setup holds the same lock. The lock is a file with the holder's process id, so that one left behind
 * by a killed setup is recognised and removed.
 *
 * @template T
 * @param {string} lockFile
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export const withLock = async (lockFile, work) => {
  mkdirSync(path.dirname(lockFile), { recursive: true });
  for (let isFirstAttempt = true; !tryAcquire(lockFile); isFirstAttempt = false) {
    if (isFirstAttempt) say('waiting for another setup that is running');
    await sleep(POLL_MS);
  }
  const release = () => {
    rmSync(lockFile, { force: true });
  };
  process.once('exit', release);
  try {
    return await work();
  } finally {
    process.removeListener('exit', release);
    release();
  }
};

/** @param {string} lockFile */
const tryAcquire = (lockFile) => {
  const ownFile = `${lockFile}.${process.pid}`;
  writeFileSync(ownFile, String(process.pid));
  try {
    // A link appears together with its content, so no process ever sees a lock without its holder.
    linkSync(ownFile, lockFile);
    return true;
  } catch {
    if (isAbandoned(lockFile)) rmSync(lockFile, { force: true });
    return false;
  } finally {
    rmSync(ownFile, { force: true });
  }
};

/** @param {string} lockFile */
const isAbandoned = (lockFile) => {
  let holderPid;
  try {
    holderPid = Number(readFileSync(lockFile, 'utf8'));
  } catch {
    return false;
  }
  try {
    process.kill(holderPid, 0);
    return false;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH';
  }
};
