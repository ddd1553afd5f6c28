import { type Command, Option } from 'commander';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { idProblem } from 'pulumi-edge-policy/internal/resources/module-kind';
import { moduleKind } from 'pulumi-edge-policy/internal/resources/modules';
import { checkIdentifier } from 'pulumi-edge-policy/internal/values/identifiers';
import {
  type Client,
  type Explainer,
  type LiveModulePlace,
  looksAtUserAgents,
  type Subject,
  SUBJECT_KINDS,
  subjectsNamed,
  titleOfKind,
  typesAt,
} from 'pulumi-edge-policy-review';

/** Options that name a policy, an edge or a route: by its identifier, or by a resource that declares something for it. */
export const withSubjectOptions = (command: Command): Command =>
  SUBJECT_KINDS.reduce((made, kind) => made.addOption(optionOf(kind)), command);

const optionOf = (kind: Subject['kind']): Option =>
  new Option(`--${kind} <id>`, `only for this ${titleOfKind(kind)}; the name of a resource will do`);

/** What the caller named, if anything. @throws UserError if it is more than one. */
export function namedSubject(options: object): Subject | undefined {
  const [named, second] = SUBJECT_KINDS.flatMap((kind): Subject[] => {
    const subject: unknown = Reflect.get(options, optionOf(kind).attributeName());
    return typeof subject === 'string' ? [{ kind, subject }] : [];
  });
  if (second) throw new UserError(`Give one of ${ALL_OPTIONS}, or none of them to ask about all.`);
  return named;
}

const ALL_OPTIONS = SUBJECT_KINDS.map((kind) => `--${kind}`)
  .join(', ')
  .replace(/, ([^,]*)$/, ' and $1');

/** The modules that the service is asked for: it knows no names of resources. @throws UserError if it is no identifier. */
export function placesFor(named: Subject): LiveModulePlace[] {
  const problem = problemOf(named);
  if (problem !== undefined) throw new UserError(`The service knows identifiers only: ${problem}.`);
  const { kind, subject } = named;
  return kind === 'policy' ? [] : typesAt(kind).map((type) => ({ type, subject }));
}

interface Side {
  readonly explainer: Explainer;
  /** What the state declares, if the explainer knows the service. */
  readonly declared?: readonly Subject[] | undefined;
}

/** @throws UserError if the text is neither an identifier nor the name of a resource, or names several objects. */
export function subjectMeant(named: Subject, sides: readonly Side[]): Subject {
  const found = all(
    sides.flatMap(({ explainer }) => subjectsNamed(explainer.subjects, named.subject)),
  ).filter(({ kind }) => kind === named.kind);
  const [only, second] = found;
  if (second)
    throw new UserError(
      `${JSON.stringify(named.subject)} declares something for ${found.length} objects: name one of ${found
        .map(({ subject }) => subject)
        .join(', ')}.`,
    );
  const problem = only ? undefined : problemOf(named);
  if (problem !== undefined)
    throw new UserError(`No resource of that name declares anything here, and ${problem}.`);
  return only ?? named;
}

/** Everything that looks at what is known of a client, on either side; with logs, everything. */
export const subjectsOf = (sides: readonly Side[], client: Client, hasLogs: boolean): Subject[] =>
  all(sides.flatMap(({ explainer, declared = [] }) => [...explainer.subjects, ...declared])).filter(
    ({ kind }) => looksAtUserAgents(kind) || hasLogs || client.network !== undefined,
  );

const all = (subjects: readonly Subject[]): Subject[] => [
  ...new Map(
    subjects.map(({ kind, subject }) => [JSON.stringify([kind, subject]), { kind, subject }]),
  ).values(),
];

function problemOf({ kind, subject }: Subject): string | undefined {
  if (kind === 'policy') return checkIdentifier(subject, 'ipPolicy');
  const [type] = typesAt(kind);
  return type && idProblem(moduleKind(type), subject);
}
