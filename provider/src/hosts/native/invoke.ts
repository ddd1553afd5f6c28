import { status } from '@grpc/grpc-js';
import { CheckFailure, InvokeResponse, type InvokeRequest } from '@pulumi/pulumi/proto/provider_pb';
import type { ApiClient } from '../../api/client';
import type { Properties } from '../../fields/field';
import { UserError } from '../../errors/user-error';
import { type FeedRule, rulesOfFeeds } from '../../feeds/feed-files';
import { rulesOfLists } from '../../lists/rules-of-lists';
import { lookUpRule, lookUpModule, lookUpRules } from '../../resources/look-ups';
import { identityOf } from '../../resources/module-kind';
import { moduleKind } from '../../resources/modules';
import { MODULE_TYPES, type ModuleType, PACKAGE_NAME } from '../../resources/provider-reference';
import { echo } from '../../values/failure';
import { printableByEngine } from '../../values/printable';
import { containsUnknown } from '../../values/unknowns';
import { plainProperties, secretNames, toStruct } from './property-bags';
import type { Plugin } from './plugin';
import { Refused } from './status';

interface NativeFunction {
  readonly required: readonly string[];
  readonly optional: readonly string[];
  readonly look: (
    client: () => ApiClient,
    args: Record<string, string>,
    warn: (line: string) => void,
  ) => Promise<object>;
}

const given = (args: Record<string, string>, name: string): string => args[name] ?? '';

/** By their names; each argument is a text. */
export const functions = {
  getIpPolicyRule: {
    required: ['id'],
    optional: [],
    look: (client, args) => lookUpRule(client(), { id: given(args, 'id') }),
  },
  listIpPolicyRules: {
    required: [],
    optional: ['ipPolicyId', 'action'],
    look: async (client, args) => ({ rules: await lookUpRules(client(), args) }),
  },
  ...Object.fromEntries(MODULE_TYPES.map((type) => [`get${type}`, functionOf(type)])),
  // Needs neither the service nor its settings: it reads files.
  feedRules: {
    required: ['path', 'feeds', 'action'],
    optional: [],
    look: (_client, args) => Promise.resolve({ rules: feedRules(args) }),
  },
  // So does this one.
  rulesFrom: {
    required: ['file'],
    optional: ['list'],
    look: (_client, args, warn) =>
      Promise.resolve({ rules: rulesOfLists(given(args, 'file'), names(args['list'] ?? ''), warn) }),
  },
} satisfies Readonly<Record<string, NativeFunction>>;

function functionOf(type: ModuleType): NativeFunction {
  return {
    get required() {
      return identityOf(moduleKind(type));
    },
    optional: [],
    look: (client, args) => lookUpModule(moduleKind(type), client(), args),
  };
}

function feedRules(args: Record<string, string>): FeedRule[] {
  const action = given(args, 'action') === 'deny' ? 'deny' : 'allow';
  return rulesOfFeeds(names(given(args, 'feeds')), action, given(args, 'path'));
}

const names = (text: string): string[] => (text === '' ? [] : text.split(',').map((name) => name.trim()));

export async function invoke(
  request: InvokeRequest,
  { client, run }: Pick<Plugin, 'client' | 'run'>,
): Promise<InvokeResponse> {
  const { marked } = run;
  const name = request.getTok().replace(`${PACKAGE_NAME}:index:`, '');
  const called: NativeFunction | undefined = Object.hasOwn(functions, name)
    ? functions[name as keyof typeof functions]
    : undefined;
  if (called === undefined) throw new Refused(status.NOT_FOUND, `There is no function ${request.getTok()}.`);
  const args = plainProperties(request.getArgs(), marked.note);
  const failures = problems(called, args);
  if (failures.length > 0)
    return new InvokeResponse().setFailuresList(
      failures.map(([name, reason]) =>
        // Languages print the name behind the reason, and no value.
        new CheckFailure().setProperty(name).setReason(printableByEngine(marked.conceal(reason))),
      ),
    );
  const result = await called.look(client, args as Record<string, string>, run.warn);
  // If an argument is secret, the result may reveal it.
  const isSecret = secretNames(request.getArgs()).size > 0;
  return new InvokeResponse().setReturn(toStruct(result, new Set(isSecret ? Object.keys(result) : [])));
}

type Problem = readonly [name: string, reason: string];

function problems({ required, optional }: NativeFunction, args: Properties): Problem[] {
  if (containsUnknown(args)) throw new UserError(UNKNOWN_ARGUMENTS);
  const names = [...required, ...optional];
  return [
    ...required.filter((name) => args[name] === undefined).map((name): Problem => [name, 'is required']),
    ...Object.entries(args).flatMap(([name, value]) => problem(names, name, value)),
  ];
}

function problem(names: readonly string[], name: string, value: unknown): Problem[] {
  if (!names.includes(name))
    return [[name, `is not an argument of this function, which takes ${names.join(', ')}`]];
  if (typeof value !== 'string') return [[name, 'must be a string']];
  const isAction = name !== 'action' || value === 'allow' || value === 'deny';
  return isAction ? [] : [[name, `must be allow or deny, not ${echo(value)}`]];
}

const UNKNOWN_ARGUMENTS =
  'An argument of the function is not known yet during this preview: pass it as an output, and the engine waits for it.';
