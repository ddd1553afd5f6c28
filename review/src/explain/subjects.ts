import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import { MODULE_TYPES } from 'pulumi-edge-policy/internal/resources/provider-reference';
import { nounOfKind } from '../access/subject-access';
import type { BySubject } from '../model/by-subject';
import { type Origin, ownPlaces, type Snapshot } from '../model/declarations';
import { type Known, type Obstacle, valueOf } from '../model/known';
import { parentOf } from '../model/read-modules';
import { compareText } from '../text/sentence';
import type { Subject } from './question';

/** A policy, edge or route for which something is declared. */
export interface DeclaredSubject extends Subject {
  readonly origins: readonly Origin[];
  /** Why its identifier is hidden; it then has the name of its resource. */
  readonly obstacle?: Obstacle;
}

/** Every policy, edge and route with declarations, in the order of their identifiers. */
export function declaredSubjects({ rules, modules }: Snapshot): DeclaredSubject[] {
  const declared = [
    ...subjectsOf('policy', rules, ({ policyId }) => policyId),
    ...MODULE_TYPES.flatMap((type) => subjectsOf(parentOf(type), modules[type], ({ subject }) => subject)),
  ];
  return [...grouped(declared, ({ kind, subject }) => `${kind} ${subject}`)]
    .sort(([one], [other]) => compareText(one, other))
    .map(([, alike]) => ({ ...alike[0], origins: [...new Set(alike.flatMap(({ origins }) => origins))] }));
}

/** The objects of a kind; each resource whose object is hidden counts as one of its own. */
function subjectsOf<T extends { readonly origin: Origin }>(
  kind: Subject['kind'],
  { placed, unplaced }: BySubject<T>,
  placeIn: (declaration: T) => Known<string>,
): DeclaredSubject[] {
  const ownPlace = ownPlaces(unplaced, nounOfKind(kind));
  return [
    ...[...placed].map(([subject, declared]) => ({ kind, subject, origins: originsOf(declared) })),
    ...unplaced.flatMap((declared) => {
      const place = placeIn(declared);
      if (place.isKnown) return [];
      const { origin } = declared;
      return {
        kind,
        subject: valueOf(ownPlace(origin)) ?? origin.urn,
        origins: [origin],
        obstacle: place.obstacle,
      };
    }),
  ];
}

const originsOf = (declared: readonly { readonly origin: Origin }[]): Origin[] => [
  ...new Set(declared.map(({ origin }) => origin)),
];
