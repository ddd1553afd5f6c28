import { functions } from '../../provider/src/hosts/native/invoke';
import { ACTION_TYPE } from '../../provider/src/fields/kinds';
import { PACKAGE_NAME, type ResourceType } from '../../provider/src/resources/provider-reference';
import { docsOf } from './docstrings';
import { exampleOf } from './example';
import { saidOf, shownFields } from './class-docs';
import { typeSpecs } from './types';

/** The functions, with the texts of their TypeScript. */
export function functionSpecs(): Record<string, object> {
  return Object.fromEntries(
    Object.entries(functions).map(([name, { required, optional }]) => [
      `${PACKAGE_NAME}:index:${name}`,
      {
        description: `${docsOf(name === 'feedRules' ? 'program/feed-rules.ts' : 'program/functions.ts', name).self}\n\n${exampleOf(kebabCase(name))}`,
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

const kebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const ARGUMENTS: Readonly<Record<string, string>> = {
  id: 'The id of the rule, `ipr_…`.',
  ipPolicyId: 'Only rules of this IP policy, `ipp_…`. Default: all policies of the account.',
  action: 'Only rules with this action, `allow` or `deny`. Default: both.',
  edgeId: 'The id of the edge.',
  routeId: 'The id of the route, `edghtsrt_…`.',
  path: 'The folder with `edge-policy.feeds.json` and its lock, or one below it.',
  feeds: 'The name of a feed, or several with commas between them.',
};

const argumentSpec = (name: string, ofFunction: string): object => ({
  ...(name === 'action' ? ACTION_TYPE : { type: 'string' }),
  description:
    ofFunction === 'feedRules' && name === 'action'
      ? 'What the rules do with the networks: `allow` or `deny`.'
      : (ARGUMENTS[name] ?? ''),
});

function outputs(name: string): object {
  if (name === 'getIpPolicyRule') return typeSpecs()['edge-policy:index:IpPolicyRuleResult'] ?? {};
  if (name === 'listIpPolicyRules') {
    const rules = { type: 'array', items: { $ref: '#/types/edge-policy:index:IpPolicyRuleResult' } };
    return {
      type: 'object',
      properties: { rules: { ...rules, description: 'The rules, newest first.' } },
      required: ['rules'],
    };
  }
  if (name === 'feedRules') {
    const rules = { type: 'array', items: { $ref: '#/types/edge-policy:index:IpPolicyRuleSetListedRule' } };
    return {
      type: 'object',
      properties: { rules: { ...rules, description: 'The rules, in the order of their networks.' } },
      required: ['rules'],
    };
  }
  return stateOf(name.replace('get', '') as ResourceType);
}

/** A look-up returns what the resource would. */
function stateOf(type: ResourceType): object {
  const shown = shownFields(type);
  return {
    type: 'object',
    properties: Object.fromEntries(
      shown.map(([name, field]) => [name, { ...field.type.output, description: saidOf(type)(name) }]),
    ),
    required: shown.map(([name]) => name),
  };
}
