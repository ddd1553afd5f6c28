/**
 * The known name that a given one was probably meant to be: equal but for case, or one letter missing, added,
 * wrong or swapped with its neighbour. Undefined if there is none, or if the given name is itself known.
 */
export function nearestName<Name extends string>(given: string, known: readonly Name[]): Name | undefined {
  if ((known as readonly string[]).includes(given)) return undefined;
  const lowerCase = given.toLowerCase();
  return (
    known.find((name) => name.toLowerCase() === lowerCase) ??
    known.find((name) => isOneLetterAway(lowerCase, name.toLowerCase()))
  );
}

function isOneLetterAway(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  const isSwapped = a[start] === b[start + 1] && a[start + 1] === b[start];
  return (
    a.slice(start + 1) === b.slice(start + 1) ||
    a.slice(start) === b.slice(start + 1) ||
    a.slice(start + 1) === b.slice(start) ||
    (isSwapped && a.slice(start + 2) === b.slice(start + 2))
  );
}
