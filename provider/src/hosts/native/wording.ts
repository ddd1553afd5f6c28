import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { nativeToken, type ResourceType } from '../../resources/provider-reference';

/** The properties and options whose names the languages write differently, and that sentences mention. */
const NAMES = ['ipPolicyId', 'edgeId', 'routeId', 'overwriteExisting', 'deleteBeforeReplace'];

const NAME = new RegExp(`\\b(${NAMES.join('|')})\\b(: (true|false))?`, 'g');

/** Puts a sentence of the core, which speaks as TypeScript programs do, into the words of another language. */
export type Wording = (sentence: string) => string;

/** The wording for a program's language, by the name of its runtime. */
export function wordingFor(language: string): Wording {
  if (language === 'nodejs' || language === '') return (sentence) => sentence;
  const name = spellings[language] ?? ((property) => property);
  return (sentence) =>
    withoutNpm(sentence).replace(NAME, (_whole, property: string, assigned, value: string) => {
      if (assigned === undefined) return name(property);
      return language === 'python' ? `${name(property)}=${capital(value)}` : `${name(property)}: ${value}`;
    });
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const spellings: Readonly<Record<string, (property: string) => string>> = {
  python: (property) => property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  go: capital,
  dotnet: capital,
};

/** The `edge-policy` command comes with npm; the engine imports by itself, and with code in the program's language. */
const withoutNpm: Wording = (sentence) =>
  sentence
    .replace(
      /npx edge-policy import --policy \S+ --cidr \S+ --run(?: \(add --name [^)]*\))?/,
      engineImport('IpPolicyRule', 'ID'),
    )
    .replace(
      /npx edge-policy import --policy (ipp_\w+) --as set --run/,
      engineImport('IpPolicyRuleSet', '$1'),
    )
    .replace(
      /npx edge-policy import --tcp-edge (\S+) --run(?: \(add --name [^)]*\))?/,
      engineImport('TcpEdgeTrafficPolicyModule', '$1'),
    )
    .replace(
      /npx edge-policy import --route (\S+) --run(?: \(add --name [^)]*\))?/,
      engineImport('HttpsEdgeRouteUserAgentFilterModule', '$1'),
    )
    .replace(/Run "npx edge-policy list --policy (\S+)" before/, 'Look at the rules of policy $1 before');

const engineImport = (type: ResourceType, id: string): string =>
  `pulumi import ${nativeToken(type)} NAME ${id}`;

/** The language of a Pulumi program, by the name of its runtime; empty where it is unknown. */
export function programLanguage(from: string): string {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const file = ['Pulumi.yaml', 'Pulumi.yml', 'Pulumi.json']
      .map((name) => path.join(folder, name))
      .find(existsSync);
    if (file !== undefined) return runtimeIn(readFileSync(file, 'utf8'));
    if (folder === path.dirname(folder)) return '';
  }
}

/** `runtime: python`, or `runtime: { name: python }`, on one line or several: no reason for a parser of YAML. */
const runtimeIn = (project: string): string =>
  /["']?runtime["']?\s*:\s*\{?\s*(?:["']?name["']?\s*:\s*)?["']?(\w+)/.exec(project)?.[1] ?? '';
