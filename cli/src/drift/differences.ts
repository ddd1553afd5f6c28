import { isSameValue, fieldsOf, type AnyField } from 'pulumi-edge-policy/internal/fields/field';
import { keepsSecret } from '../pulumi/deployment';
import { typeOfToken } from 'pulumi-edge-policy/internal/resources/provider-reference';
import { registry } from 'pulumi-edge-policy/internal/resources/registry';
import { detailsOf, type LiveRule } from 'pulumi-edge-policy/internal/rule/rule';
import { lineBody } from 'pulumi-edge-policy/internal/rule-set/rule-line';
import { liveRulesInState } from 'pulumi-edge-policy/internal/rule-set/rules-text';
import { type DriftItem, foreign, type Sentence, say, subjectIn, trusted } from 'pulumi-edge-policy-review';
import type { ReadResource } from './read-live-stack';

export function differencesOf(read: ReadResource): DriftItem[] {
  const { resource, known, live } = read;
  const type = typeOfToken(resource.type);
  if (type === undefined) return [];
  const subject = subjectIn(type, known);
  const place = { urn: resource.urn, ...(subject !== undefined && { subject }) };
  if (live === undefined)
    return [{ kind: 'gone', ...place, what: say`${foreign(resource.id ?? '')} no longer exists` }];
  if (type === 'IpPolicyRuleSet') return ruleDifferences(read).map((item) => ({ ...place, ...item }));
  return fieldsOf(registry[type].shape().fields)
    .filter(([name, field]) => field.wire !== undefined && !isSameValue(field, known[name], live[name]))
    .map(([name, field]) => ({
      kind: 'changed',
      ...place,
      property: name,
      what: fieldDifference(name, field, read),
    }));
}

function fieldDifference(name: string, field: AnyField, read: ReadResource): Sentence {
  const [before, after] = [read.known[name], read.live?.[name]];
  if (keepsSecret(read.resource, name)) return say`${trusted(name)} has a different value, which is secret`;
  const difference = say`${trusted(name)} is ${shown(after, field)} instead of ${shown(before, field)}`;
  return name === 'enabled' && typeof after === 'boolean'
    ? say`The module was switched ${trusted(after ? 'on' : 'off')} on the service: ${difference}`
    : difference;
}

/** A value in the form of the service: a policy has a form of its own in state. */
function shown(value: unknown, { toWire }: Pick<AnyField, 'toWire'> = {}): Sentence {
  if (value === undefined || value === '') return trusted('not set');
  if (typeof value === 'boolean') return trusted(String(value));
  if (Array.isArray(value)) {
    const items = value.flatMap((item, index) => say`${trusted(index === 0 ? '' : ', ')}${shown(item)}`);
    return say`[${items}]`;
  }
  const sent = toWire?.(value) ?? value;
  return say`${foreign(typeof sent === 'string' ? sent : JSON.stringify(sent))}`;
}

type RuleDifference = Omit<DriftItem, 'urn'>;

/** The rules of a set by their ids: each edit is one line. */
function ruleDifferences(read: ReadResource): RuleDifference[] {
  const { known, live = {} } = read;
  const [before, after] = [liveRulesInState(known), liveRulesInState(live)];
  const now = new Map(after.map((rule) => [rule.id, rule]));
  const ids = new Set(before.map(({ id }) => id));
  const items = [
    ...before.flatMap((rule) => ruleDifference(rule, now.get(rule.id))),
    ...after.filter(({ id }) => !ids.has(id)).flatMap((rule) => ruleDifference(undefined, rule)),
  ];
  if (!keepsSecret(read.resource, 'rules')) return items;
  return items.map(({ kind }) => ({
    kind,
    property: 'rules',
    what: say`a rule of the set differs on the service; the rules are secret`,
  }));
}

function ruleDifference(before: LiveRule | undefined, after: LiveRule | undefined): RuleDifference[] {
  const difference = (kind: DriftItem['kind'], { cidr }: LiveRule, what: Sentence): RuleDifference[] => [
    { kind, property: `rules["${cidr}"]`, what },
  ];
  if (before && after)
    return lineOf(before) === lineOf(after)
      ? []
      : difference('changed', before, say`${inWords(after)} is live instead of ${inWords(before)}`);
  if (before) return difference('gone', before, say`${inWords(before)} no longer exists`);
  return after ? difference('added', after, say`${inWords(after)} is live as well`) : [];
}

const lineOf = (rule: LiveRule): string => `${rule.cidr} ${lineBody(rule)}`;

function inWords(rule: LiveRule): Sentence {
  const details = Object.entries(detailsOf(rule)).flatMap(
    ([name, value]) => say`, ${trusted(name)} ${shown(value)}`,
  );
  return say`${foreign(rule.cidr)} (${trusted(rule.action)}${details})`;
}
