// The schema of the package, from the field tables and the docstrings: the engine and the generators of other languages'
// libraries read it.
import release from '../../release.json';
import { PACKAGE_VERSION } from '../../provider/src/api/client-settings';
import { fieldsOf } from '../../provider/src/fields/field';
import {
  PACKAGE_NAME,
  nativeToken,
  RESOURCE_TYPES,
  typeToken,
} from '../../provider/src/resources/provider-reference';
import { type ModuleKind, parentName } from '../../provider/src/resources/module-kind';
import { allModuleKinds } from '../../provider/src/resources/modules';
import type { ResourceType } from '../../provider/src/resources/provider-reference';
import { registry } from '../../provider/src/resources/registry';
import { isSecretSetting, SETTINGS, type SettingName } from '../../provider/src/settings/settings';
import { argumentDocs, classFile, docsOf, exampleOf, kebabCase, saidOf, shownFields } from './docstrings';
import { functionSpecs } from './function-specs';
import { typeSpecs } from './types';

/** The whole schema, as `provider/schemas/pulumi-schema.json` holds it. */
export function packageSchema(): object {
  const settings = settingProperties();
  return {
    name: PACKAGE_NAME,
    displayName: 'Edge policy',
    version: PACKAGE_VERSION,
    // The library of Go is a module of its own, wherever it is generated.
    meta: { supportPack: true },
    description: `Manages who can reach the endpoints of an ingress service: IP policy rules, ${allModuleKinds().map(nounOf).join(', ')}.`,
    keywords: ['category/network', 'kind/native'],
    license: 'Apache-2.0',
    ...addresses(release),
    config: { variables: settings },
    provider: { description: docsOf('program/provider.ts', 'Provider').self, inputProperties: settings },
    types: typeSpecs(),
    resources: Object.fromEntries(RESOURCE_TYPES.map((type) => [nativeToken(type), resourceSpec(type)])),
    functions: functionSpecs(),
    language: {
      nodejs: { respectSchemaVersion: true, packageName: 'pulumi-edge-policy', readme: GENERATED_NODE },
      python: { respectSchemaVersion: true, pyproject: { enabled: true } },
      go: { respectSchemaVersion: true, generateResourceContainerTypes: true, ...importBase(release) },
      csharp: { respectSchemaVersion: true, packageReferences: { Pulumi: '3.*' } },
      java: { buildFiles: 'gradle', gradleNexusPublishPluginVersion: '2.0.0' },
    },
  };
}

/** For those who find the generated library under the name of the package that they want. */
const GENERATED_NODE =
  'Generated from the schema of the plugin. Programs in TypeScript and JavaScript take the npm package pulumi-edge-policy of the ' +
  'provider instead, which has the same name and another API: rules as a map, assertions, feedRules as a plain list, and a host ' +
  'that needs no plugin.';

/** The publisher of the package, its namespace in the registry and its addresses, which only a release knows. `pluginDownloadURL` lets the engine fetch the plugin. */
function addresses(known: Readonly<Record<string, string | null>>): object {
  const names = ['publisher', 'namespace', 'homepage', 'repository', 'logoUrl', 'pluginDownloadURL'];
  return Object.fromEntries(
    names.flatMap((name) => (typeof known[name] === 'string' ? [[name, known[name]]] : [])),
  );
}

/** Where programs in Go import the library from, once the repository has an address. */
const importBase = ({ repository }: Readonly<Record<string, string | null>>): object =>
  typeof repository === 'string'
    ? { importBasePath: `${repository.replace(/^https:\/\//, '')}/sdk/go/edgepolicy` }
    : {};

const nounOf = (kind: ModuleKind): string => `${kind.name} (${parentName(kind)})`;

function resourceSpec(type: ResourceType): object {
  const { fields, outputs, derived = {} } = registry[type].shape();
  const args = argumentDocs(type);
  const said = saidOf(type);
  const table = fieldsOf(fields);
  const shown = shownFields(type);
  const properties = {
    ...Object.fromEntries(
      shown.map(([name, field]) => [
        name,
        {
          ...field.type.output,
          description: said(name),
          ...(field.onChange === 'replace' ? { replaceOnChanges: true } : {}),
        },
      ]),
    ),
    ...Object.fromEntries(
      Object.keys(outputs).map((name) => [name, { type: 'string', description: said(name) }]),
    ),
    ...Object.fromEntries(
      Object.entries(derived).map(([name, output]) => [name, { ...output.type, description: said(name) }]),
    ),
  };
  const always = shown.filter(([, field]) => field.isRequired === true || field.defaultValue !== undefined);
  return {
    description: `${docsOf(classFile(type), type).self}\n\n${exampleOf(kebabCase(type))}`,
    properties,
    required: [...always.map(([name]) => name), ...Object.keys(outputs), ...Object.keys(derived)],
    inputProperties: Object.fromEntries(
      table.map(([name, field]) => [
        name,
        {
          ...field.type.input,
          description: args.members.get(name) ?? '',
          ...(isPlain(field.defaultValue) ? { default: field.defaultValue } : {}),
          ...(field.onChange === 'replace' ? { willReplaceOnChanges: true } : {}),
        },
      ]),
    ),
    requiredInputs: table.filter(([, { isRequired }]) => isRequired === true).map(([name]) => name),
    stateInputs: { type: 'object', properties },
    aliases: [{ type: typeToken(type) }],
  };
}

/** A schema cannot have lists as defaults. */
const isPlain = (value: unknown): boolean => ['boolean', 'string', 'number'].includes(typeof value);

/** The settings of a provider, each with its variable of the environment. */
function settingProperties(): Record<string, object> {
  const { members } = docsOf('program/provider.ts', 'ProviderArgs');
  const names = Object.keys(SETTINGS) as SettingName[];
  return Object.fromEntries(
    names.map((name) => [
      name,
      {
        type: isNumber(name) ? 'integer' : 'string',
        description: `${members.get(name) ?? ''} From the environment: \`${SETTINGS[name].variable}\`.`,
        ...(isSecretSetting(name) ? { secret: true } : {}),
      },
    ]),
  );
}

const isNumber = (name: SettingName): boolean => /^max|Seconds$|PerMinute$/.test(name);
