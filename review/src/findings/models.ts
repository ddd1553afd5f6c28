import { grouped } from 'pulumi-edge-policy/internal/values/grouped';
import { plain } from '../text/escape';
import { count, list, say, trusted } from '../text/sentence';
import { type Finding, findingOf, sortFindings } from './finding';
import { aboutChange, milderOf } from './severity';

export const modelKinds = {
  'model-not-chosen': aboutChange('medium', {
    title: 'Access changes if the service combines rules in another way',
    verdict: 'affects-access',
    advice:
      'Name the model of your service in the gate (ipModel, userAgentModel): docs/review-assumptions.md shows three requests that tell which one it is.',
  }),
};

const finding = findingOf(modelKinds);

/** What a model that nobody chose would do to a policy or a route, if it does anything that the assumed one does not. */
export interface UnderModel {
  readonly model: string;
  readonly subject: string;
  readonly worst: Finding;
  readonly isUnseen: boolean;
}

/** One finding for each subject that changes only under other models, and one, at most medium, for what they add elsewhere. */
export function modelFindings(underModels: readonly UnderModel[]): Finding[] {
  const unseen = underModels.filter(({ isUnseen }) => isUnseen);
  const added = underModels.filter(({ isUnseen }) => !isUnseen);
  return [
    ...[...grouped(unseen, ({ subject }) => subject).values()].map(worstOf),
    ...(added.length === 0 ? [] : [worstOf(added)]).map((each): Finding => {
      const others = new Set(added.map(({ subject }) => subject)).size - 1;
      const more = others === 0 ? [] : say` Access also changes elsewhere (${count(others, 'subject')}).`;
      return {
        ...each,
        severity: milderOf('medium', each.severity),
        reason: say`${each.reason}${more}`,
      };
    }),
  ];
}

function worstOf(underModels: readonly UnderModel[]): Finding {
  const [worst] = sortFindings(underModels.map((each) => each.worst));
  if (!worst) throw new RangeError('there is no finding');
  const text = plain(worst.reason);
  const models = underModels.flatMap((each) => (plain(each.worst.reason) === text ? each.model : []));
  const { id: _id, isNew: _isNew, notes: _notes, reason, ...content } = worst;
  const under = list([...new Set(models)].map(trusted));
  return finding('model-not-chosen', { ...content, reason: say`Under ${under}: ${reason}` });
}
