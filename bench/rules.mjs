/** The rules that every variant declares. @typedef {{ cidr: string, action: 'allow' | 'deny', description: string }} Rule */

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

/**
 * A network as real lists have them: of every size from /12 to /32, many of them within others, the same in every run.
 *
 * @param {number} index says how large it is
 * @param {number} place scatters it over the address space
 */
export const scatteredNetwork = (index, place) => {
  const prefixLength = 12 + ((index * 7) % 21);
  const hash = Math.imul(place, 2_654_435_761);
  const address = (hash & (prefixLength === 32 ? -1 : ~(0xffff_ffff >>> prefixLength))) >>> 0;
  return `${textOf(address)}/${prefixLength}`;
};

/** @param {number} index   another address for each, all over IPv4 */
export const scatteredAddress = (index) => textOf(Math.imul(index, 2_654_435_761) >>> 0);

const networkAt = (index) => `${textOf(0x0a000000 + index * 16)}/28`;

const textOf = (address) => [24, 16, 8, 0].map((bits) => (address >>> bits) & 255).join('.');
