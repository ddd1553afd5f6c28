// What examples in other languages use of the package, as far as it shows in their text: classes, arguments, enums.

/** One use of something of the package, in the schema's own spelling. */
export interface Use {
  /** The class, function or enum. */
  readonly name: string;
  /** The arguments that it is given, or the members that are named. */
  readonly members: readonly string[];
}

/** The uses in a program of a language. */
export const usesIn: Readonly<Record<'python' | 'go' | 'typescript', (source: string) => Use[]>> = {
  python: (source) => {
    const code = withoutTexts(source, /"(?:[^"\\]|\\.)*"/g);
    return [...code.matchAll(/\bedge_policy\.(\w+)(?:\.(\w+)|(\())/g)].map((match) => {
      const [whole, name = '', member] = match;
      if (member !== undefined) return { name, members: [camelCase(member.toLowerCase())] };
      const given = ownText(code, match.index + whole.length);
      return {
        name: camelCase(withoutArgs(name)),
        members: namesBefore(given, /(\w+)=(?!=)/g).map(camelCase),
      };
    });
  },
  go: (source) => {
    const code = withoutTexts(source, /"(?:[^"\\]|\\.)*"|`[^`]*`/g);
    const enums = [...code.matchAll(/\bedgepolicy\.(Action)(Allow|Deny)\b/g)].map(
      ([, name = '', member = '']) => ({ name, members: [lowerFirst(member)] }),
    );
    const called = [...code.matchAll(/\bedgepolicy\.(\w+)\(/g)].map(([, name = '']) => ({
      name: goName(name.replace(/^New/, '')),
      members: [],
    }));
    const given = [...code.matchAll(/\bedgepolicy\.(\w+)Args\{/g)].map((match) => {
      const inside = ownText(code, match.index + match[0].length);
      return { name: goName(match[1] ?? ''), members: namesBefore(inside, /(\w+):/g).map(lowerFirst) };
    });
    return [...enums, ...called, ...given];
  },
  typescript: (source) => {
    const code = withoutTexts(source, /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`/g);
    return [...code.matchAll(/\b(?:new (\w+)\([^{]*|((?:get|list)[A-Z]\w*)\()\{/g)].map((match) => ({
      name: match[1] ?? match[2] ?? '',
      members: namesBefore(ownText(code, match.index + match[0].length), /(\w+):/g),
    }));
  },
};

const withoutTexts = (source: string, texts: RegExp): string => source.replace(texts, '""');

/** The text from behind an opening bracket to its closing one, without what stands in brackets of its own. */
function ownText(code: string, from: number): string {
  let [depth, text] = [1, ''];
  for (const character of code.slice(from)) {
    if (/[([{]/.test(character)) depth += 1;
    if (/[)\]}]/.test(character)) depth -= 1;
    if (depth === 0) break;
    if (depth === 1) text += character;
  }
  return text;
}

const namesBefore = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name = '']) => name);

/** Pulumi's library for Go calls a function Lookup where its resource has taken the name Get, and has each for outputs, too. */
const goName = (name: string): string =>
  name
    .replace(/Output$/, '')
    .replace(/^Lookup/, 'get')
    .replace(/^List/, 'list')
    .replace(/^Feed/, 'feed');
const withoutArgs = (name: string): string => name.replace(/Args$/, '');
const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);
const camelCase = (name: string): string =>
  name.replace(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
