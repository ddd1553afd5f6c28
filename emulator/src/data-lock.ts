import { lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Keeps a second process off a data file, as two would overwrite each other's records. The lock contains its process id, so
 * that one left behind by a kill is recognised and taken over.
 */
export class DataLock {
  private readonly file: string;

  constructor(dataFile: string) {
    this.file = `${dataFile}.lock`;
    const holder = this.holder();
    if (holder !== undefined) {
      throw new Error(
        `data file ${dataFile} is in use by process ${holder}; if it is not, delete ${this.file}`,
      );
    }
    rmSync(this.file, { force: true });
    writeFileSync(this.file, String(process.pid), { flag: 'wx' });
  }

  release(): void {
    rmSync(this.file, { force: true });
  }

  private holder(): number | undefined {
    const pid = Number(readIfThere(this.file));
    // In a container every run has the same process id: a lock with our own id is a leftover.
    return pid > 0 && pid !== process.pid && isAlive(pid) ? pid : undefined;
  }
}

function readIfThere(file: string): string {
  try {
    // A pipe in its place would never end, and a link could lead elsewhere.
    return lstatSync(file).isFile() ? readFileSync(file, 'utf8') : '';
  } catch {
    return '';
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user is alive, too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
