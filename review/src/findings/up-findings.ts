import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import { rootOf } from '../model/declarations';
import { type Hindrance, type Obstruction } from '../model/obstructions';
import { foreign, list, listOf, say, type Sentence, trusted } from '../text/sentence';
import { finding, type Finding } from './finding';

/** What would stop an `up` half-way: one finding for all that hinders a resource alike. */
export const upFindings = (obstructions: readonly Obstruction[]): Finding[] =>
  [...grouped(obstructions, identityOf).values()].map((alike) => {
    const [{ taker: origin, subject, property, hindrance }] = alike;
    return finding('up-would-fail', {
      where: { subject, origin, property: alike.length === 1 ? property : rootOf(property) },
      reason: reasonOf(hindrance, alike),
    });
  });

const identityOf = ({ taker: { urn }, subject, hindrance }: Obstruction): string =>
  JSON.stringify([urn, subject, hindrance]);

function reasonOf(
  hindrance: Hindrance,
  alike: readonly [Obstruction, ...(readonly Obstruction[])],
): Sentence {
  const [{ taker, subject }] = alike;
  const networks = alike.flatMap(({ network }) => network ?? []);
  const place =
    networks.length > 0
      ? say`${listOf(networks, foreign)} of ${foreign(subject)}`
      : say`the module of ${foreign(subject)}`;
  const names = [...new Set(alike.map(({ holder }) => holder.name))];
  const holders = list(
    names.map((name) => (name === taker.name ? trusted('what it replaces') : foreign(name))),
  );
  const held: Readonly<Record<Hindrance, Sentence>> = {
    leaves: say`held by ${holders} until the end of the up, as what leaves is deleted last`,
    stays: say`held by ${holders}, which leaves the stack and stays on the service`,
    twice: say`declared by ${holders} as well`,
    circle: say`held by ${holders} until ${foreign(taker.name)} is done`,
    unmanaged: say`held by ${holders}, which this stack does not manage`,
  };
  return say`${foreign(taker.name)} is to get ${place}, ${held[hindrance]}.`;
}
