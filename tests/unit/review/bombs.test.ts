import { previewOf } from './preview-builder';
import { reviewed } from './reviewing';

/** `? :` whose conditions are `? :` again: each level is read where it is true and where it is false. */
const nested = (depth: number, innermost: string): string =>
  depth === 0 ? innermost : `((${nested(depth - 1, innermost)}) ? x${depth} : y${depth})`;

const edge = (condition: string) => ({
  edgeId: 'edgtcp_1',
  enabled: true,
  value: JSON.stringify({ on_tcp_connect: [{ expressions: [condition], actions: [{ type: 'deny' }] }] }),
});

const review = (before: string, after: string) =>
  reviewed(
    previewOf({ type: 'TcpEdgeTrafficPolicyModule', name: 'edge', before: edge(before), after: edge(after) }),
  );

test.each([25, 60])('%d nested `? :` are not decided, and not without effect, in bounded steps', (depth) => {
  const report = review(nested(depth, 'a'), nested(depth, 'b'));
  expect(report.verdict.affectsAccess).toBe(true);
  expect(report.findings.some(({ id, isNew }) => id === 'access-undecided' && isNew)).toBe(true);
});

test('one that stays as it is changes nothing', () => {
  expect(review(nested(40, 'conn.geo.a'), nested(40, 'conn.geo.a')).verdict.affectsAccess).toBe(false);
});
