import { InvalidArgumentError, Option } from 'commander';
import { type Subject, SUBJECT_KINDS } from 'pulumi-edge-policy-review';
import { each } from '../command/arguments';

/** A log, and the policy, edge or route whose clients are in it; without one it is of all. */
export interface TrafficSource {
  readonly subject?: Subject;
  readonly file: string;
}

export const FIELDS = ['address', 'agent', 'time', 'count'] as const;

/** Where the objects of a log hold it: names of members, those of nested objects joined by dots. */
export type FieldNames = Partial<Record<(typeof FIELDS)[number], string>>;

/** The column of text lines that the name of the address is, counted from 1, if it is a number. */
export const columnOf = ({ address = '' }: FieldNames): number | undefined =>
  /^[1-9]\d?$/.test(address) ? Number(address) : undefined;

export interface TrafficOptions {
  readonly traffic?: readonly TrafficSource[];
  readonly trafficFields?: FieldNames;
}

export const trafficOption = (): Option =>
  new Option(
    '--traffic <[subject=]file>',
    'report the effect on the clients of this access log, plain or gzip (- reads standard input); for one subject only: ' +
      'policy:ipp_…=FILE, edge:edgtcp_…=FILE or route:edghts_…/edghtsrt_…=FILE (repeatable)',
  ).argParser(each(trafficSource));

export const trafficFieldsOption = (): Option =>
  new Option(
    '--traffic-fields <names>',
    'the names of the fields in JSON lines, such as address=client.ip,agent=ua,time=at,count=n (default: those of nginx, Caddy, Envoy and ' +
      'AWS); for text lines, address=2 is the second column',
  ).argParser(fieldNames);

const FORMS: Readonly<Record<Subject['kind'], RegExp>> = {
  policy: /^policy:([^/=]+)=(.+)$/s,
  'tcp-edge': /^edge:([^/=]+)=(.+)$/s,
  route: /^route:([^/=]+\/[^/=]+)=(.+)$/s,
};

function trafficSource(text: string): TrafficSource {
  for (const kind of SUBJECT_KINDS) {
    const [, subject, file] = FORMS[kind].exec(text) ?? [];
    if (subject !== undefined && file !== undefined) return { subject: { kind, subject }, file };
  }
  // A misspelt subject must not be taken for the name of a file.
  if (text !== '' && !/^(?:(?:policy|edge|route):|[\w-]{2,}:[^=]*=)/.test(text)) return { file: text };
  throw new InvalidArgumentError(
    'expected a file, or a subject and a file: policy:ipp_…=FILE, edge:edgtcp_…=FILE or route:edghts_…/edghtsrt_…=FILE',
  );
}

function fieldNames(text: string): FieldNames {
  const entries = text.split(',').map((entry) => /^([a-z]+)=(.+)$/.exec(entry)?.slice(1) ?? [entry]);
  if (!entries.every(([field = '', name]) => name !== undefined && FIELDS.some((each) => each === field)))
    throw new InvalidArgumentError(
      `expected names of ${FIELDS.join(', ')}, such as address=client.ip,agent=ua`,
    );
  return Object.fromEntries(entries) as FieldNames;
}
