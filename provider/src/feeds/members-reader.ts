import { isObject, type JsonObject } from '../values/json';
import { echo, typeName } from '../values/failure';

/** Reads the members of an object one by one, and collects everything that is wrong with them. */
export class MembersReader {
  private readonly members: JsonObject;
  private readonly asked = new Set<string>();

  constructor(
    value: unknown,
    private readonly place: string,
    private readonly problems: string[],
  ) {
    if (!isObject(value)) this.fail(`must be an object, not ${typeName(value)}`);
    this.members = isObject(value) ? value : {};
  }

  /** Notes a problem. */
  fail(problem: string): void {
    this.problems.push(`${this.place}: ${problem}`);
  }

  text(key: string): string | undefined {
    return this.read(key, 'a string', (value) =>
      typeof value === 'string' && value.trim() !== '' ? value : undefined,
    );
  }

  /** A text, or a list of texts. */
  texts(key: string): readonly string[] | undefined {
    return this.read(key, 'a string or a list of strings', (value) => {
      const list: readonly unknown[] = Array.isArray(value) ? value : [value];
      const texts = list.filter((text) => typeof text === 'string' && text.trim() !== '');
      return texts.length === list.length && list.length > 0 ? (texts as readonly string[]) : undefined;
    });
  }

  /** A list of texts, which may be empty. */
  list(key: string): readonly string[] | undefined {
    return this.read(key, 'a list of strings', (value) =>
      Array.isArray(value) && value.every((text) => typeof text === 'string')
        ? (value as readonly string[])
        : undefined,
    );
  }

  flag(key: string): boolean | undefined {
    return this.read(key, 'true or false', (value) => (typeof value === 'boolean' ? value : undefined));
  }

  number(
    key: string,
    {
      least,
      most,
      isWhole = false,
    }: { readonly least: number; readonly most: number; readonly isWhole?: boolean },
  ): number | undefined {
    return this.read(key, `a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}`, (value) => {
      if (typeof value !== 'number' || !(value >= least && value <= most)) return undefined;
      return isWhole && !Number.isInteger(value) ? undefined : value;
    });
  }

  choice<Name extends string>(key: string, choices: readonly Name[]): Name | undefined {
    return this.read(key, `one of ${choices.join(', ')}`, (value) =>
      choices.find((choice) => choice === value),
    );
  }

  /** Some of a closed list of texts, in its order; all of them mean the same as none. */
  choices<Name extends string>(key: string, choices: readonly Name[]): readonly Name[] | undefined {
    const given = this.texts(key);
    if (given === undefined) return undefined;
    const unknown = given.find((text) => !choices.some((choice) => choice === text));
    if (unknown !== undefined) this.fail(`"${key}" accepts only ${choices.join(', ')}, not ${echo(unknown)}`);
    const chosen = choices.filter((choice) => given.includes(choice));
    return chosen.length === choices.length ? undefined : chosen;
  }

  object(key: string): MembersReader | undefined {
    const value = this.member(key);
    return value === undefined ? undefined : new MembersReader(value, `${this.place}.${key}`, this.problems);
  }

  /** Notes the members that nothing has read. */
  refuseOthers(): void {
    for (const key of Object.keys(this.members)) {
      if (!this.asked.has(key)) this.fail(`${echo(key)} is not known here (${[...this.asked].join(', ')})`);
    }
  }

  private member(key: string): unknown {
    this.asked.add(key);
    return Object.hasOwn(this.members, key) ? this.members[key] : undefined;
  }

  private read<Value>(
    key: string,
    expected: string,
    convert: (value: unknown) => Value | undefined,
  ): Value | undefined {
    const value = this.member(key);
    if (value === undefined) return undefined;
    const converted = convert(value);
    if (converted === undefined) this.fail(`"${key}" must be ${expected}`);
    return converted;
  }
}
