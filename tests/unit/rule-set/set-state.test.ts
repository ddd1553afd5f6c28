import { staying, stayingIds } from '../../../provider/src/rule-set/set-state';
import { policyId } from '../../support/ids';

const inState = {
  ipPolicyId: policyId,
  exclusive: false,
  rules: '@rules\n10.0.0.0/24: allow\n10.0.1.0/24: deny\n10.0.2.0/24: allow\n',
  ruleIdList: 'ipr_a\nipr_b\nipr_c\n',
};
const declaring = (...lines: string[]) => ({ rules: ['@rules', ...lines, ''].join('\n') });

test('rules stay whose network is declared with the same action, whatever else changes', () => {
  expect(stayingIds(inState, { rules: inState.rules })).toEqual(['ipr_a', 'ipr_b', 'ipr_c']);
  const news = declaring("10.0.0.0/24: allow 'new'", '10.0.1.0/24: allow', '10.0.9.0/24: allow');
  expect(stayingIds(inState, news)).toEqual(['ipr_a']);
});

test('a rule whose action is not known yet stays, and one without a known network is none of them', () => {
  const news = declaring('10.0.1.0/24: (unknown)', '(unknown 1): allow');
  const live = [
    { id: 'ipr_a', cidr: '10.0.0.0/24', action: 'allow' },
    { id: 'ipr_b', cidr: '10.0.1.0/24', action: 'deny' },
  ] as const;
  expect(staying(live, news).map(({ id }) => id)).toEqual(['ipr_b']);
});
