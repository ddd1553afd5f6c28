import { besideOld, fieldsOf, isAbsent, type Properties, withoutAbsent } from './field';

/** The result of a refresh: the resource's id, its outputs, and the inputs that a program would have to give for them. */
export interface ReadOutcome<State> {
  readonly id: string;
  readonly state: State;
  readonly inputs: Properties;
}

/**
 * The live state, in the spelling of the prior state if that means the same. The service may answer in another order, spelling
 * or spacing, and none of that is drift.
 */
export function keepEqualText<State extends object>(table: object, prior: object, live: State): State {
  const kept = { ...live } as Record<string, unknown>;
  for (const [name, field] of fieldsOf(table)) {
    const before = (prior as Properties)[name];
    const now = kept[name];
    if (!isAbsent(field, before) && !isAbsent(field, now)) kept[name] = besideOld(field, before, now);
  }
  return withoutAbsent(kept) as State;
}

/** The inputs that a program would give for a resource in this state. */
export function inputsOf(table: object, state: object): Properties {
  const given = fieldsOf(table).map(([name]) => [name, (state as Properties)[name]] as const);
  return withoutAbsent(Object.fromEntries<unknown>(given));
}
