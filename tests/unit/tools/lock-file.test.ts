import { textOf } from '../../support/workspace';

interface LockEntry {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lock = JSON.parse(textOf('package-lock.json')) as {
  readonly packages: Readonly<Record<string, LockEntry>>;
};

/** Where Node looks for what a package at this place loads: its own folder, then each one above. */
const placesOf = (location: string, name: string): string[] => {
  const parents = location.split('/node_modules/');
  const places = parents.map((_, index) =>
    [...parents.slice(0, parents.length - index), name].join('/node_modules/'),
  );
  return [...places, `node_modules/${name}`];
};

describe('the lock file', () => {
  // npm leaves out the builds for other systems where it cannot find them, and `npm ci` then fails on every system.
  it('has an entry for every dependency, those for other systems too', () => {
    const missing = Object.entries(lock.packages).flatMap(([location, entry]) =>
      Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })
        .filter((name) => !placesOf(location, name).some((place) => place in lock.packages))
        .map((name) => `${location} -> ${name}`),
    );
    expect(missing).toEqual([]);
    expect(Object.keys(lock.packages).length).toBeGreaterThan(100);
  });
});
