import { outputsAsText } from 'pulumi-edge-policy/internal/values/output-text';
import { valueOf } from '../model/known';
import type { ResourceSide } from '../model/resource-change';
import { declaredBy } from '../model/snapshot';
import { count, say } from '../text/sentence';
import { finding, type Finding } from './finding';

/** Texts that hold the SDK's sentence about an output and not its value, one finding for each property of a resource. */
export const outputTextFindings = (sides: readonly ResourceSide[]): Finding[] =>
  sides.flatMap((side) =>
    Object.entries(side.inputs).flatMap(([name, value]) => {
      if (outputsAsText(value).paths.length === 0) return [];
      const { lines } = declaredBy(side);
      const rules = name === 'rules' && lines ? valueOf(lines)?.lines : undefined;
      const { paths } = outputsAsText(
        rules ? Object.fromEntries(rules.map((rule) => [rule.key, rule])) : value,
      );
      const [property = name, ...others] = paths.map(
        (path) => `${name}${/^(?:\[|$)/.test(path) ? '' : '.'}${path}`,
      );
      const also = others.length === 0 ? [] : say`, as do ${count(others.length, 'other text')}`;
      const reason = say`The text holds the SDK's sentence about an output, in place of what the output holds${also}.`;
      const where = { origin: side.origin, property };
      return [
        finding('output-as-text', { where, reason, withoutValues: reason, members: [property, ...others] }),
      ];
    }),
  );
