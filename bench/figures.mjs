/** A ratio or number that should stay within a bound. @typedef {{ name: string, value: number, atMost?: number, atLeast?: number, isReached?: boolean }} Figure */

export const atMost = (name, value, bound) =>
  figure(name, value, { atMost: bound }, (rounded) => rounded <= bound);

const atLeast = (name, value, bound) =>
  figure(name, value, { atLeast: bound }, (rounded) => rounded >= bound);

const figure = (name, value, bound, isWithin) => {
  const rounded = Number(value.toPrecision(4));
  return { name, value: rounded, ...bound, isReached: isWithin(rounded) };
};

/** For an even number of values the lower of the two in the middle, as a busy machine only ever adds time. */
export const median = (values) =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? NaN;

/**
 * The figures that the package promises, if the results contain what they are made from: for a resource per rule of the largest
 * measured size, for a set of every size from 10,000 rules.
 *
 * @param {import('./measure.mjs').Result[]} results
 * @returns {Figure[]}
 */
export const figuresOf = (results) => {
  const find = (variant, step, count) =>
    results
      .filter((result) => result.variant === variant && result.step === step)
      .filter((result) => result.requestsPerSecond === undefined)
      .filter((result) => count === undefined || result.count === count)
      .sort((a, b) => b.count - a.count)[0];
  return [
    ...singleRuleFigures(find),
    ...setSizes(results).flatMap((count) => ruleSetFigures(find, count)),
    ...paceFigures(results),
  ].filter((figure) => typeof figure === 'object');
};

const singleRuleFigures = (find) => {
  const created = find('rule', 'create');
  if (created === undefined) return [];
  const { count } = created;
  const other = find('do-nothing', 'create', count);
  return [
    // With a hundred rules, the start of the CLI takes most of the time, with and without us.
    other &&
      count >= 1000 &&
      atLeast(`IpPolicyRule x ${count}: create, times faster than (a)`, other.wallMs / created.wallMs, 1.6),
    other &&
      atMost(`IpPolicyRule x ${count}: state, share of (a)`, created.stateBytes / other.stateBytes, 0.48),
    atMost(`IpPolicyRule x ${count}: requests of a create per rule`, created.requests / count, 1),
    ofResult(find('rule', 'preview', count), (result) =>
      atMost(`IpPolicyRule x ${count}: requests of an empty preview`, result.requests, 0),
    ),
  ];
};

/** @param {import('./measure.mjs').Result[]} results */
const setSizes = (results) => [
  ...new Set(
    results
      .filter(({ variant, count }) => variant === 'rule-set' && count >= 10_000)
      .map(({ count }) => count),
  ),
];

const ruleSetFigures = (find, count) => {
  const created = find('rule-set', 'create', count);
  const ground = find('empty', 'create');
  if (created === undefined || ground === undefined) return [];
  const bare = find('bare-pool', 'create', count);
  const one = find('one', 'preview');
  const name = (text) => `IpPolicyRuleSet x ${count}: ${text}`;
  // Program, engine and plugin each read the text of the set, which takes most of a second for 10,000 rules.
  const previewBound = count > 10_000 ? 3 : 1.5;
  return [
    // The rest is the set's own: its text, the checks of each answer, and the states that the engine writes.
    bare &&
      atMost(name('create less an empty up, times (d)'), (created.wallMs - ground.wallMs) / bare.wallMs, 2),
    atMost(name('state bytes per rule'), created.stateBytes / count, 110),
    atMost(name('requests of a create per rule'), created.requests / count, 1),
    one &&
      ofResult(find('rule-set', 'preview', count), (result) =>
        atMost(name('empty preview, times that of one resource'), result.wallMs / one.wallMs, previewBound),
      ),
    ofResult(find('rule-set', 'preview', count), (result) =>
      atMost(name('plugin memory at a preview, MiB'), (result.peakMemoryBytes ?? 0) / 2 ** 20, 1024),
    ),
    ofResult(find('rule-set', 'refresh', count), (result) =>
      atMost(name('requests of a refresh'), result.requests, Math.ceil(count / 100) + 2),
    ),
    ofResult(find('rule-set', 'change', count), (result) =>
      atMost(name('requests of a change of 1 %'), result.requests, 2 * Math.ceil(count / 100)),
    ),
  ];
};

/** Under a rate limit the ideal time is known: the number of requests at that rate. */
const paceFigures = (results) =>
  results
    .filter(({ requestsPerSecond }) => requestsPerSecond !== undefined)
    .map(({ variant, count, requestsPerSecond, wallMs }) =>
      atMost(
        `${variant} x ${count}: create at ${requestsPerSecond} requests a second, times the ideal`,
        wallMs / 1000 / (count / requestsPerSecond),
        1.1,
      ),
    );

const ofResult = (result, make) => (result === undefined ? undefined : make(result));
