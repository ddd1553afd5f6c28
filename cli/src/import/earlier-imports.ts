import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { quotedWords } from '../adopt/names';
import type { WrittenAdoption } from '../adopt/written';
import { PROVIDER_KEY } from 'pulumi-edge-policy/internal/fields/field';
import { typeOfToken } from 'pulumi-edge-policy/internal/resources/provider-reference';
import { liveIdsOf } from '../pulumi/managed';
import { filesNumbered, type OutputFiles } from '../command/output-files';

/** A module of an earlier import, with the resources that it still declares. */
export interface EarlierImport {
  readonly files: OutputFiles;
  readonly resources: readonly WrittenAdoption[];
}

const IMPORT_FILE = /^adopted(?:-(\d+))?\.import\.json$/;

/**
 * The modules that earlier imports have written into a folder. A resource counts while its name, or else its network or edge,
 * is quoted in the module: anything removed or moved since is left to the user.
 */
export function readEarlierImports(folder: string): EarlierImport[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .flatMap((file) => {
      const match = IMPORT_FILE.exec(file);
      return match === null ? [] : [Number(match[1] ?? 1)];
    })
    .sort((left, right) => left - right)
    .map((number) => filesNumbered(folder, number))
    .filter(({ program }) => existsSync(program))
    .map((files) => ({ files, resources: resourcesOf(files) }));
}

function resourcesOf({ program, importFile }: OutputFiles): WrittenAdoption[] {
  const words = quotedWords(readFileSync(program, 'utf8'));
  const written = readImportFile(importFile);
  const isNamed = ({ name }: ImportedResource): boolean => words.includes(name);
  // Each declaration quotes the place of its object once. If a place is quoted more often than names are found for it, a resource
  // was renamed.
  const spare = new Map<string, number>();
  for (const word of words) spare.set(word, (spare.get(word) ?? 0) + 1);
  for (const one of written.filter(isNamed)) spare.set(placeOf(one), (spare.get(placeOf(one)) ?? 0) - 1);
  return written.flatMap((resource) => {
    const type = typeOfToken(resource.type);
    const isRenamed = !isNamed(resource);
    if (type === undefined || (isRenamed && (spare.get(placeOf(resource)) ?? 0) < 1)) return [];
    if (isRenamed) spare.set(placeOf(resource), (spare.get(placeOf(resource)) ?? 0) - 1);
    const { name } = resource;
    // The property that names the handler for the engine's host says nothing about the rule, and the host may have changed since.
    const { [PROVIDER_KEY]: _reference, ...inputs } = resource.inputs;
    return [{ type, name, inputs, liveIds: liveIdsOf(resource), program, ...(isRenamed && { isRenamed }) }];
  });
}

/** What distinguishes the declarations of a module, whatever their names: a network, an edge or a route. */
function placeOf({ inputs }: ImportedResource): string {
  const { cidr, routeId, edgeId, rules } = inputs;
  const place = [cidr, routeId, edgeId].find((it): it is string => typeof it === 'string');
  if (place !== undefined) return place;
  return typeof rules === 'string' ? (/[0-9a-f.:]+\/\d+/i.exec(rules)?.[0] ?? '') : '';
}

interface ImportedResource {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** A file that cannot be understood is ignored: its objects are then adopted anew, under free names. */
function readImportFile(file: string): ImportedResource[] {
  try {
    const { resources } = JSON.parse(readFileSync(file, 'utf8')) as { readonly resources?: unknown };
    return Array.isArray(resources) ? resources.filter(isResource) : [];
  } catch {
    return [];
  }
}

function isResource(value: unknown): value is ImportedResource {
  if (typeof value !== 'object' || value === null) return false;
  const { type, name, id, inputs, outputs } = value as Record<string, unknown>;
  return (
    [type, name, id].every((text) => typeof text === 'string') &&
    [inputs, outputs].every((bag) => typeof bag === 'object' && bag !== null)
  );
}
