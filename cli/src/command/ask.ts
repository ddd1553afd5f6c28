import { createInterface } from 'node:readline';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';

/** Asks a person, and returns the line that they type. */
export type Ask = (question: string) => Promise<string>;

/** Asks on the terminal of this process, which reads whole lines, so that Ctrl-C ends the process as anywhere else. */
export const askOnTerminal: Ask = (question) => {
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false });
  return new Promise((resolve, reject) => {
    lines.once('close', () => {
      reject(
        new UserError('A question has no answer, so nothing was done. Options answer them, too: see --help.'),
      );
    });
    lines.question(question, (line) => {
      resolve(line);
      lines.close();
    });
  });
};
