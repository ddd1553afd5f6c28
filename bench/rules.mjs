/**
 * The rules that every variant declares.
 *
 * @typedef {{ cidr: string, action: 'allow' | 'deny', description: string }} Rule
 */

/** The properties of the rules, besides their number. */
const TEXTS = { created: 'site', updated: 'location' };

/**
 * A list of rules: `updated` gives every rule another description, and `changedCount` of them another network.
 *
 * @param {number} count
 * @param {{ generation?: 'created' | 'updated', changedCount?: number }} [options]
 * @returns {Rule[]}
 */
export const makeRules = (count, { generation = 'created', changedCount = 0 } = {}) =>
  Array.from({ length: count }, (_, index) => ({
    cidr: networkAt(index < changedCount ? index + count : index),
    action: index % 10 === 0 ? 'deny' : 'allow',
    description: `${TEXTS[generation]} ${index}`,
  }));

/** @param {number} index */
const networkAt = (index) => {
  const first = 0x0a000000 + index * 16;
  return `${[24, 16, 8, 0].map((bits) => (first >>> bits) & 255).join('.')}/28`;
};
