import type { CliContext } from '../command/context';

/** The options of every command of feeds. */
export interface FeedsOptions {
  readonly cwd?: string;
  readonly json?: true;
}

/** The options of `feeds add`. */
export interface AddOptions extends FeedsOptions {
  readonly publisher?: string;
  readonly url?: readonly string[];
  readonly file?: string;
  readonly format?: string;
  readonly select?: readonly (readonly [string, string])[];
}

/** The options of `feeds update`. */
export interface UpdateOptions extends FeedsOptions {
  readonly accept?: string;
}

/** The arguments of a command of feeds. */
export interface Call<Options extends FeedsOptions = FeedsOptions> {
  readonly names: readonly string[];
  readonly options: Options;
  /** Where the search for the files begins. */
  readonly folder: string;
  readonly context: CliContext;
}
