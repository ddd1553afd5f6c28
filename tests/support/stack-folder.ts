import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { writeJson } from './stack-files';
import type { Program } from './stack-options';

/** The throw-away folders of one stack. */
export class StackFolder {
  readonly root = mkdtempSync(path.join(os.tmpdir(), 'edge-policy-stack-'));
  /** The Pulumi project: program, Pulumi.yaml, stack configuration. */
  readonly project = this.subfolder('project');
  /** The state, if it is kept in files. */
  readonly backend = this.subfolder('backend');
  /** The CLI's home folder, including its logs. */
  readonly home = this.subfolder('home');
  /** Temporary files of the CLI and its plugins. */
  readonly temporary = this.subfolder('tmp');
  readonly eventLogs = this.subfolder('events');
  /** Whether the program is in JavaScript, and needs no compiler. */
  isJavaScript = false;

  /** Writes the program into the project folder and links the packages that it may require, if any. */
  writeProject(
    project: { readonly name: string; readonly plugins?: object },
    program: Program,
    nodeModules: string | undefined,
  ): void {
    this.writeProgram(program);
    const link = path.join(this.project, 'node_modules');
    if (nodeModules !== undefined && !existsSync(link)) symlinkSync(nodeModules, link);
    const projectFile = path.join(this.project, 'Pulumi.yaml');
    if (existsSync(projectFile)) {
      // JSON is YAML.
      if (project.plugins !== undefined)
        appendFileSync(projectFile, `\nplugins: ${JSON.stringify(project.plugins)}\n`);
    } else {
      // A program in JavaScript starts faster when the host does not look for a compiler.
      const options = { typescript: !this.isJavaScript };
      writeJson(projectFile, { ...project, runtime: { name: 'nodejs', options } });
    }
  }

  writeProgram(program: Program): void {
    this.isJavaScript = 'js' in program;
    if ('folder' in program) {
      cpSync(program.folder, this.project, { recursive: true });
      const manifest = path.join(this.project, 'package.json');
      if (!existsSync(manifest)) writeJson(manifest, { name: 'program', private: true, main: 'index.ts' });
      return;
    }
    const [main, text] = 'ts' in program ? ['index.ts', program.ts] : ['index.js', program.js];
    writeFileSync(path.join(this.project, main), text);
    const manifest = path.join(this.project, 'package.json');
    const known: object = existsSync(manifest)
      ? (JSON.parse(readFileSync(manifest, 'utf8')) as object)
      : { name: 'program', private: true };
    writeJson(manifest, { ...known, main });
  }

  /** The folders and files to which a run writes. The program is not among them, as tests put secrets into it. */
  writtenPlaces(): string[] {
    const stackConfigs = readdirSync(this.project)
      .filter((name) => /^Pulumi\..+\.yaml$/.test(name))
      .map((name) => path.join(this.project, name));
    return [this.backend, this.home, this.temporary, this.eventLogs, ...stackConfigs];
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  private subfolder(name: string): string {
    const folder = path.join(this.root, name);
    mkdirSync(folder);
    return folder;
  }
}
