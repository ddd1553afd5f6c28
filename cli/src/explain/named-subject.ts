import { type Command, Option } from 'commander';
import { UserError } from 'pulumi-edge-policy/internal/errors/user-error';
import { checked } from '../command/arguments';
import { idProblem } from 'pulumi-edge-policy/internal/resources/module-kind';
import { moduleKind } from 'pulumi-edge-policy/internal/resources/modules';
import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import { checkIdentifier } from 'pulumi-edge-policy/internal/values/identifiers';
import {
  type Client,
  type Explainer,
  type LiveModulePlace,
  looksAtUserAgents,
  type Subject,
  SUBJECT_KINDS,
  titleOfKind,
  typesAt,
} from 'pulumi-edge-policy-review';

/** Options that name a policy, an edge or a route by its identifier. */
export const withSubjectOptions = (command: Command): Command =>
  SUBJECT_KINDS.reduce((made, kind) => made.addOption(optionOf(kind)), command);

const optionOf = (kind: Subject['kind']): Option =>
  new Option(`--${kind} <id>`, `only for this ${titleOfKind(kind)}`).argParser(
    checked((text) => problemOf({ kind, subject: text })),
  );

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

export const placesFor = ({ kind, subject }: Subject): LiveModulePlace[] =>
  kind === 'policy' ? [] : typesAt(kind).map((type) => ({ type, subject }));

interface Side {
  readonly explainer: Explainer;
  /** What the state declares, if the explainer has read the service. */
  readonly declared?: Explainer['subjects'] | undefined;
}

/** Everything that looks at what is known of a client, on either side; with logs, everything. */
export function subjectsOf(sides: readonly Side[], client: Client, hasLogs: boolean): Subject[] {
  const all = sides.flatMap(({ explainer, declared = [] }) => [...explainer.subjects, ...declared]);
  const bySubject = grouped(all, ({ kind, subject }) => JSON.stringify([kind, subject]));
  return [...bySubject.values()]
    .map(([{ kind, subject }]) => ({ kind, subject }))
    .filter(({ kind }) => looksAtUserAgents(kind) || hasLogs || client.network !== undefined);
}

/** The names of the resources that declare something for a subject; live rules have none. */
export const namesOf = ({ kind, subject }: Subject, sides: readonly Side[]): string[] => [
  ...new Set(
    sides
      .flatMap(({ explainer, declared = explainer.subjects }) => declared)
      .filter((each) => each.kind === kind && each.subject === subject)
      .flatMap(({ origins }) => origins.map(({ name }) => name)),
  ),
];

function problemOf({ kind, subject }: Subject): string | undefined {
  if (kind === 'policy') return checkIdentifier(subject, 'ipPolicy');
  const [type] = typesAt(kind);
  return type && idProblem(moduleKind(type), subject);
}
