// What for: traffic policies of TCP edges: expressions as conditions on the client's address.
// Must not know: `findings`, `report` and `user-agents`.
import { type AddressAccess, type Doubt, hiddenDoubt } from '../access/subject-access';
import { isExact } from '../access/bounds';
import { type ModuleDeclaration, pairsOf } from '../model/declarations';
import { hidden, type Known } from '../model/known';
import { keptOrigins } from '../model/resource-change';
import type { StackChange } from '../model/snapshot';
import { atOwnPlaces } from '../model/read-modules';
import { isEmptyPolicyDocument } from 'pulumi-edge-policy/internal/values/policy-document';
import { foreign, list, say, trusted } from '../text/sentence';
import { Conditions } from './condition';
import { compareSides, type Side } from './compare-programs';
import { ALWAYS, allOf, whenIs } from './formula';
import {
  DOCUMENT,
  documentIn,
  POLICY_TYPE,
  ruleInWords,
  trafficPoliciesOf,
  trafficRulesOf,
} from './traffic-rules';
import type { DocumentAssumptions, Program, ProgramStep } from './traffic-program';
import { contentOf, EMPTY_PROGRAM, programOf } from './traffic-program';
import { variablesOf } from './run-program';

export function edgeAccess(stack: StackChange, assumptions: DocumentAssumptions): AddressAccess[] {
  // Checked first, as of thousands of changes most are of rules.
  const [old, wanted] = [trafficPoliciesOf(stack.before), trafficPoliciesOf(stack.after)];
  if (old.all.length + wanted.all.length === 0) return [];
  const kept = keptOrigins(stack.changes);
  return pairsOf(old, wanted).map(({ subject, before, after }) => {
    const reader = new EdgeReader(assumptions, (module) => kept.has(module.origin));
    const left = reader.sideOf('before', before, old.unplaced);
    const right = reader.sideOf('after', after, wanted.unplaced);
    const { isComplete, ...bounds } = compareSides(left, right);
    const isDecided = isExact(bounds.gained) && isExact(bounds.lost);
    const doubts = isDecided ? [] : [...reader.doubts(), ...(isComplete ? [] : [TOO_MANY_CASES])];
    return { of: 'addresses', kind: 'tcp-edge', subject, ...bounds, doubts };
  });
}

/** Modules whose edge is hidden, each as if on an edge of its own. */
export const unplacedEdges = (stack: StackChange, assumptions: DocumentAssumptions): AddressAccess[] =>
  edgeAccess(atOwnPlaces(stack, POLICY_TYPE), assumptions);

const TOO_MANY_CASES: Doubt = {
  reason: trusted('its rules have too many conditions besides the address to try every combination'),
};

type SideName = 'before' | 'after';

/** Reads the documents of one edge; an unreadable one becomes a step with an unknown effect. */
class EdgeReader {
  private readonly conditions = new Conditions();
  private readonly found = new Map<string, Doubt>();

  constructor(
    private readonly assumptions: DocumentAssumptions,
    private readonly isKept: (module: ModuleDeclaration) => boolean,
  ) {}

  doubts(): Doubt[] {
    return [...this.found.values()];
  }

  sideOf(
    name: SideName,
    declared: readonly ModuleDeclaration[],
    homeless: readonly ModuleDeclaration[],
  ): Side {
    const candidates = oneOfEach(declared.map((module) => this.programOf(module, name)));
    const elsewhere = homeless.map((module) => this.programOf(module, name));
    const all = [...(candidates.length === 0 ? [EMPTY_PROGRAM] : candidates), ...elsewhere];
    // Equal candidates share one choice, whichever side they are on.
    const choice = all.length === 1 ? 'the only one' : `in force: ${all.map(contentOf).join('\n')}`;
    return { programs: all, choice };
  }

  private programOf(module: ModuleDeclaration, side: SideName): Program {
    const { isEnabled, doubt, origin } = module;
    if (doubt) this.doubt(hiddenDoubt(origin, DOCUMENT, hidden(doubt)));
    if (isEnabled.isKnown && !isEnabled.value) return EMPTY_PROGRAM;
    const document = this.documentOf(module, side);
    if (isEnabled.isKnown) return document;
    const name = this.hiddenName(module, side, 'enabled');
    this.doubtHidden(module, 'enabled', isEnabled);
    const steps = document.steps.map((step) => ({
      ...step,
      when: allOf([whenIs(name, 'true'), step.when]),
    }));
    return { steps, content: [name, ...document.content] };
  }

  private documentOf(module: ModuleDeclaration, side: SideName): Program {
    const value = documentIn(module);
    if (!value.isKnown) {
      this.doubtHidden(module, DOCUMENT, value);
      return unknownProgram(this.hiddenName(module, side, DOCUMENT));
    }
    const rules = trafficRulesOf(module);
    if (!rules) {
      if (isEmptyPolicyDocument(value.value)) return EMPTY_PROGRAM;
      const reason = say`the traffic policy of ${foreign(module.origin.name)} cannot be read`;
      this.doubt({ origin: module.origin, property: DOCUMENT, reason, isHidden: true });
      return unknownProgram(`document ${value.value}`);
    }
    this.conditions.beginDocument();
    const program = programOf(rules, this.conditions, this.assumptions);
    this.doubtConditions(module, program);
    return program;
  }

  private hiddenName(module: ModuleDeclaration, side: SideName, property: string): string {
    return `${property} of ${module.origin.urn} ${this.isKept(module) ? '' : side}`;
  }

  private doubtHidden({ origin }: ModuleDeclaration, property: string, value: Known<unknown>): void {
    if (!value.isKnown) this.doubt(hiddenDoubt(origin, property, value));
  }

  private doubtConditions({ origin }: ModuleDeclaration, { steps }: Program): void {
    const open = steps.filter((step) => variablesOf([step]).size > 0);
    if (open.length === 0) return;
    const rules = new Set(
      open.flatMap((step) => (step.kind === 'unknown' ? step.rule : step.source?.rule) ?? []),
    );
    const whose = rules.size === 0 ? [] : say`${list([...rules].map(ruleInWords))} of `;
    const verb = trusted(rules.size > 1 ? 'have' : 'has');
    const reason = say`${whose}${foreign(origin.name)} ${verb} conditions or actions whose outcome is not known here`;
    this.doubt({ origin, property: DOCUMENT, reason });
  }

  private doubt(doubt: Doubt): void {
    this.found.set(JSON.stringify([doubt.origin?.urn, doubt.property]), doubt);
  }
}

function unknownProgram(name: string): Program {
  const step: ProgramStep = { kind: 'unknown', when: ALWAYS, name };
  return { steps: [step], content: [name] };
}

/** Distinct programs, in an order that does not depend on how they were declared. */
function oneOfEach(programs: readonly Program[]): readonly Program[] {
  if (programs.length < 2) return programs;
  const byContent = new Map(programs.map((program) => [contentOf(program), program]));
  return [...byContent.keys()].sort().flatMap((content) => byContent.get(content) ?? []);
}
