import { EXIT, type ExitCode } from '../command/context';
import {
  type Assumptions,
  type CorpusEntry,
  DEFAULT_ASSUMPTIONS,
  DEFAULT_FAIL_ON,
  type Drift,
  type AskedGate,
  countingIn,
  type GateInForce,
  gateInForce,
  guardsOf,
  type GuardSources,
  isDriftLine,
  OPEN_MODELS,
  type ReviewOutcome,
  readPreviewDocument,
  readStackState,
  type Report,
  type ReviewRequest,
  reviewPreview,
  tooComplexReport,
} from 'pulumi-edge-policy-review';
import { inWordsForUsers, render, type Rendering } from './review-files';

/** All that a judgement depends on, as plain data: it may go to another process. */
export interface Case {
  readonly preview: string;
  /** The JSON of the state before the change, if it was given. */
  readonly state?: string;
  /** If live objects are judged: what has drifted. */
  readonly drift?: Drift;
  readonly guards: GuardSources;
  readonly asked: AskedGate;
  /** If only the models of the guards count, as everything else was approved, or nothing is changed. */
  readonly ignoresGate: boolean;
  readonly assumptions: Partial<Assumptions>;
  readonly corpus: readonly CorpusEntry[];
  readonly request: Omit<ReviewRequest, 'context' | 'guards' | 'state' | keyof GateInForce>;
  readonly renderings: readonly Rendering[];
}

export interface Judgement {
  readonly exitCode: ExitCode;
  /** Whether the preview shows the whole change, so that it has been judged. */
  readonly isWhole: boolean;
  readonly texts: readonly string[];
}

export type Judge = (given: Case) => Judgement;

/** Judges a preview. @throws UserError if it is none, or has a state or assertions that cannot be read. */
export const judge: Judge = (given) =>
  inWordsForUsers(() => {
    const preview = readPreviewDocument(given.preview);
    const judged = { ...preview, ...(given.drift && { drift: given.drift }) };
    return judgementOf(
      reviewPreview(judged, () => requestOf(given, guardsOf(preview, given.guards))),
      given,
    );
  });

export const tooComplex: Judge = (given) => judgementOf(tooComplexReport(given), given);

function requestOf(
  { asked, ignoresGate, assumptions, corpus, request, state }: Case,
  guards: ReviewRequest['guards'],
): ReviewRequest {
  const { models, gate: inForce } = gateInForce(guards.gates, asked);
  const gate = ignoresGate
    ? { failOn: asked.failOn ?? DEFAULT_FAIL_ON, noNewAccess: asked.noNewAccess }
    : inForce;
  const chosen: Partial<Assumptions> = { ...assumptions, ...models };
  const context = { assumptions: { ...DEFAULT_ASSUMPTIONS, ...chosen }, corpus };
  return {
    ...request,
    ...(state !== undefined && { state: readStackState(state) }),
    ...gate,
    context,
    openModels: OPEN_MODELS.filter((key) => chosen[key] === undefined),
    guards,
  };
}

const judgementOf = (report: Report, { drift, renderings }: Case): Judgement => ({
  exitCode: drift ? exitCodeOfDrift(report) : EXIT_CODES[report.verdict.outcome],
  isWhole: report.plan.plan.isWhole,
  texts: renderings.map((rendering) => render(report, rendering)),
});

const EXIT_CODES: Readonly<Record<ReviewOutcome, ExitCode>> = {
  clear: EXIT.done,
  findings: EXIT.attention,
  'not-decidable': EXIT.notDecidable,
};

/** Drift needs attention; without it, nothing may be undecided. */
function exitCodeOfDrift({ findings, verdict }: Report): ExitCode {
  if (countingIn(findings).some(({ id }) => isDriftLine(id) || ALWAYS.has(id))) return EXIT.attention;
  return verdict.outcome === 'not-decidable' ? EXIT.notDecidable : EXIT.done;
}

/** Problems of the live objects, whether or not they have drifted. */
const ALWAYS: ReadonlySet<string> = new Set(['rule-ended', 'assertion-failed']);
