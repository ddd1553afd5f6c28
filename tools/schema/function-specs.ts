import { functions } from '../../provider/src/hosts/native/invoke';
import { MODULE_TYPES, type ModuleType, PACKAGE_NAME } from '../../provider/src/resources/provider-reference';
import { prefixOf } from '../../provider/src/values/identifiers';
import { classFile, docsOf, exampleOf, kebabCase, saidOf, shownFields } from './docstrings';
import { typeSpecs } from './types';

/** The functions, with the texts of their TypeScript. */
export function functionSpecs(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(functions).map(([name, { required, optional }]) => [
      `${PACKAGE_NAME}:index:${name}`,
      {
        description: `${docsOf(fileOf(name), name).self}\n\n${exampleOf(kebabCase(name))}`,
        inputs: {
          type: 'object',
          properties: Object.fromEntries(
            [...required, ...optional].map((argument) => [argument, argumentSpec(argument, name)]),
          ),
          ...(required.length > 0 ? { required } : {}),
        },
        outputs: outputs(name),
      },
    ]),
  );
}

/** The module that a function reads. */
const moduleOf = (name: string): ModuleType | undefined => MODULE_TYPES.find((type) => name === `get${type}`);

function fileOf(name: string): string {
  const module = moduleOf(name);
  if (module !== undefined) return classFile(module);
  return FILES[name] ?? 'program/looking-up.ts';
}

/** The functions that read files of the repository. */
const FILES: Readonly<Record<string, string>> = {
  feedRules: 'program/rules-from.ts',
  rulesFrom: 'program/rules-from.ts',
};

const ARGUMENTS: Readonly<Record<string, string>> = {
  id: 'The id of the rule, `ipr_…`.',
  ipPolicyId: 'Only rules of this IP policy, `ipp_…`. Default: all policies of the account.',
  action: 'Only rules with this action, `allow` or `deny`. Default: both.',
  path: 'The folder with `edge-policy.feeds.json` and its lock, or one below it.',
  feeds: 'The name of a feed, or several with commas between them.',
  file: 'The file with the lists.',
  list: 'The name of a list, or several with commas between them. Default: all lists of the file.',
};

const argumentSpec = (name: string, ofFunction: string): object => ({
  type: 'string',
  description: said(name, ofFunction),
});

function said(name: string, ofFunction: string): string {
  const module = moduleOf(ofFunction);
  if (module !== undefined) return identifierSaid(module, name);
  const isOfFeeds = ofFunction === 'feedRules' && name === 'action';
  return isOfFeeds ? 'What the rules do with the networks: `allow` or `deny`.' : (ARGUMENTS[name] ?? '');
}

/** What identifies a module, with what it begins with. */
function identifierSaid(type: ModuleType, name: string): string {
  const identifies = shownFields(type).find(([field]) => field === name)?.[1].identifies;
  const prefix = identifies === undefined ? '' : `, \`${prefixOf(identifies)}…\``;
  return saidOf(type)(name).replace(/\.$/, `${prefix}.`);
}

function outputs(name: string): object {
  if (name === 'getIpPolicyRule') return typeSpecs()['edge-policy:index:IpPolicyRuleResult'] ?? {};
  if (name === 'listIpPolicyRules') return listOf('IpPolicyRuleResult', 'The rules, newest first.');
  if (name in FILES) return listOf('IpPolicyRuleSetListedRule', 'The rules, in the order of their networks.');
  const module = moduleOf(name);
  return module === undefined ? {} : stateOf(module);
}

const listOf = (type: string, description: string): object => ({
  type: 'object',
  properties: {
    rules: { type: 'array', items: { $ref: `#/types/edge-policy:index:${type}` }, description },
  },
  required: ['rules'],
});

/** A look-up returns what the resource would. */
function stateOf(type: ModuleType): object {
  const shown = shownFields(type);
  return {
    type: 'object',
    properties: Object.fromEntries(
      shown.map(([name, field]) => [name, { ...field.type.output, description: saidOf(type)(name) }]),
    ),
    required: shown.map(([name]) => name),
  };
}
