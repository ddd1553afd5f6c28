import {
  type Host,
  providerReference,
  tokenOf,
} from 'pulumi-edge-policy/internal/resources/provider-reference';
import { POLICY_CONSTANT } from './adopt-rule';
import { PROVIDER_KEY } from 'pulumi-edge-policy/internal/fields/field';
import { registry, withDerived } from 'pulumi-edge-policy/internal/resources/registry';
import type { Adoption } from './adoption';
import { type Declaration, printProgram, type Section } from './code/print-program';
import { Reference } from './code/value';

const PACKAGE_NAME = 'pulumi-edge-policy';

/** The context of the declarations. */
export interface ImportMarks {
  readonly isProtected: boolean;
  /** Whether the resources have an explicit provider, which the program then has to pass in. */
  readonly isForProvider: boolean;
}

/** The TypeScript module that declares the adopted resources. */
export function generateProgram(adoptions: readonly Adoption[], marks: ImportMarks): string {
  const sectionOf = ({ comment, parentId }: Adoption): string => comment ?? parentId;
  const parentIds = [...new Set(adoptions.map(sectionOf))];
  const constants = policyConstants(adoptions);
  const sections = parentIds.map((parentId): Section => {
    const own = adoptions.filter((adoption) => sectionOf(adoption) === parentId);
    const constantName = constants.get(parentId);
    return {
      comment: commentOf(parentId, own),
      ...(constantName === undefined ? {} : { constant: { name: constantName, value: parentId } }),
      declarations: own.map((adoption) => declarationOf(adoption, constantName, marks)),
    };
  });
  return printProgram(PACKAGE_NAME, sections, marks.isForProvider);
}

/** Where an import puts resources: their host, and the URNs of parent and provider. Without these, the stack and its default provider. */
export interface ImportTarget {
  readonly host: Host;
  readonly parent?: string;
  readonly provider?: string;
}

/** The import file of the engine. As it gives outputs, the engine trusts them and does not ask the provider. */
export function generateImportFile(
  adoptions: readonly Adoption[],
  { host, ...owners }: ImportTarget,
): object {
  return {
    // The engine looks both up by names in the file, which must differ from the names of resources.
    ...(Object.keys(owners).length > 0 && {
      nameTable: Object.fromEntries(Object.entries(owners).map(([role, urn]) => [`its ${role}`, urn])),
    }),
    resources: adoptions.map(({ type, name, id, inputs, outputs }) => {
      const reference = host === 'native' ? {} : { [PROVIDER_KEY]: providerReference(type) };
      const answered = host === 'native' ? withDerived(registry[type].shape(), outputs) : outputs;
      return {
        type: tokenOf(type, host),
        name,
        id,
        ...Object.fromEntries(Object.keys(owners).map((role) => [role, `its ${role}`])),
        inputs: { ...inputs, ...reference },
        outputs: { ...answered, ...reference },
      };
    }),
  };
}

/** The policies whose id several declarations share, each with the name of its constant. */
function policyConstants(adoptions: readonly Adoption[]): Map<string, string> {
  const constants = new Map<string, string>();
  const seen = new Set<string>();
  for (const { args, parentId } of adoptions) {
    if (!(args[POLICY_CONSTANT] instanceof Reference)) continue;
    if (seen.has(parentId) && !constants.has(parentId)) {
      constants.set(parentId, POLICY_CONSTANT + (constants.size === 0 ? '' : String(constants.size + 1)));
    }
    seen.add(parentId);
  }
  return constants;
}

function declarationOf(
  adoption: Adoption,
  constantName: string | undefined,
  { isProtected, isForProvider }: ImportMarks,
): Declaration {
  const { type, name, args, parentId } = adoption;
  const policy = constantName === undefined ? parentId : new Reference(constantName);
  const isOfPolicy = args[POLICY_CONSTANT] instanceof Reference;
  return {
    className: type,
    name,
    args: isOfPolicy ? { ...args, [POLICY_CONSTANT]: policy } : args,
    options: {
      ...(isProtected ? { protect: true } : {}),
      ...(isForProvider ? { provider: new Reference('provider') } : {}),
    },
  };
}

function commentOf(parentId: string, own: readonly Adoption[]): string {
  const ruleCount = own.reduce((count, { liveIds }) => count + liveIds.length, 0);
  const [first] = own;
  if (first?.comment !== undefined) return first.comment;
  return `IP policy ${parentId}: ${ruleCount} ${ruleCount === 1 ? 'rule' : 'rules'}`;
}
