import { createHash } from 'node:crypto';
import { posix } from 'node:path';
import type { ReportedFinding } from '../guards/waivers';
import { CATALOG, FINDING_IDS } from '../findings/catalog';
import type { Severity } from '../findings/severity';
import { sarifText, visible } from '../text/escape';
import type { Report } from './report';
import { count, say, trusted } from '../text/sentence';
import { printableJson } from 'pulumi-edge-policy/internal/values/printable';

/** The folder of the Pulumi project in the repository, as SARIF paths are relative to the repository's root. */
export interface SarifOptions {
  readonly sourceRoot: string;
}

const LEVELS: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  info: 'note',
};

/** The severity of a security rule in code scanning, from 0 to 10. */
const SECURITY_SEVERITIES: Readonly<Record<Severity, string>> = {
  critical: '9.5',
  high: '8.0',
  medium: '5.0',
  low: '2.0',
  info: '0.5',
};

/** As many results as code scanning shows, the worst of them; texts are cut, so that they stay below its 10 MB. */
export const MOST_RESULTS = 1_000;

/** The findings as SARIF 2.1.0, each at the line of the program that declares the resource. */
export function renderSarif(report: Report, options: SarifOptions): string {
  const results = report.findings.slice(0, MOST_RESULTS).map((found) => resultToSarif(found, options));
  const left = report.findings.length - results.length;
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'pulumi-edge-policy-review', rules: FINDING_IDS.map(ruleToSarif) } },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { SRCROOT: { description: { text: 'The root of the repository.' } } },
        ...(left > 0 && { invocations: [leftOutInvocation(left)] }),
        results,
      },
    ],
  };
  return printableJson(log);
}

const leftOutInvocation = (left: number) => ({
  executionSuccessful: true,
  toolExecutionNotifications: [
    {
      level: 'warning',
      message: {
        text: sarifText(say`${count(left, 'finding')} left out for length; the json format has all of them.`),
      },
    },
  ],
});

function ruleToSarif(id: (typeof FINDING_IDS)[number]) {
  const { title, severity, advice } = CATALOG[id];
  return {
    id,
    shortDescription: { text: sarifText(trusted(title)) },
    help: { text: sarifText(trusted(advice)) },
    defaultConfiguration: { level: LEVELS[severity] },
    properties: { tags: ['security', 'access-policy'], 'security-severity': SECURITY_SEVERITIES[severity] },
  };
}

function resultToSarif(found: ReportedFinding, options: SarifOptions) {
  return {
    ruleId: found.id,
    ruleIndex: FINDING_IDS.indexOf(found.id),
    level: LEVELS[found.severity],
    message: { text: sarifText(found.reason) },
    locations: [locationToSarif(found, options)],
    partialFingerprints: { 'finding/v1': fingerprintOf(found) },
    baselineState: found.isNew ? 'new' : 'unchanged',
    ...(found.waiver && {
      suppressions: [{ kind: 'external', justification: visible(found.waiver.reason) }],
    }),
  };
}

const PROJECT_FILE = 'Pulumi.yaml';

/** A finding without a line of its own is placed at the project file, as code scanning shows no result without a place. */
function locationToSarif({ where }: ReportedFinding, { sourceRoot }: SarifOptions) {
  const { origin, subject } = where;
  const sourceUri = origin?.source && uriOf(sourceRoot, origin.source.file);
  const region = sourceUri === undefined ? undefined : origin?.source;
  const name = origin?.urn ?? subject;
  return {
    physicalLocation: {
      artifactLocation: {
        uri: sourceUri ?? uriOf(sourceRoot, PROJECT_FILE) ?? PROJECT_FILE,
        uriBaseId: 'SRCROOT',
      },
      region: { startLine: region?.line ?? 1, startColumn: region?.column ?? 1 },
    },
    ...(name !== undefined && {
      logicalLocations: [{ fullyQualifiedName: visible(name, Infinity), kind: 'resource' }],
    }),
  };
}

/** A path relative to the repository; undefined for a file outside it, which code scanning could not show. */
function uriOf(sourceRoot: string, file: string): string | undefined {
  const path = posix.join(sourceRoot, visible(file, Infinity));
  if (path.startsWith('..') || posix.isAbsolute(path)) return undefined;
  return path.split('/').map(encodeURIComponent).join('/');
}

/** A finding of a resource keeps its fingerprint when lines or numbers move. */
function fingerprintOf({ id, where }: ReportedFinding): string {
  const identity = JSON.stringify([id, where.subject, where.origin?.urn, where.property]);
  return createHash('sha256').update(identity).digest('hex').slice(0, 32);
}
