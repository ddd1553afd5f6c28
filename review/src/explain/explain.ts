// What for: answers what happens to one address or user agent.
// Must not know: `guards`, `report`, and how the declarations were read.
import type { Assumptions } from '../findings/assumptions';
import { accessesAt } from '../effects/effects';
import type { Snapshot } from '../model/declarations';
import { against } from './explain-address';
import { Explainer } from './explainer';

export const explainerOf = (snapshot: Snapshot, assumptions: Assumptions): Explainer =>
  new Explainer(snapshot, assumptions, (parent) =>
    accessesAt(parent, against(snapshot), { assumptions, corpus: [] }),
  );
