import { checkIdentifier, type IdentifierKind } from '../../../provider/src/values/identifiers';

describe('accepted', () => {
  test.each<[IdentifierKind, string]>([
    ['ipPolicyRule', 'ipr_2HCvZxX'],
    ['ipPolicy', 'ipp_1'],
    ['tcpEdge', 'edgtcp_a-b_C9'],
    ['httpsEdge', 'edghts_2HCvZxX'],
    ['httpsEdgeRoute', 'edghtsrt_2HCvZxX'],
    ['ipPolicy', `ipp_${'a'.repeat(124)}`],
  ])('%s: %s', (kind, text) => {
    expect(checkIdentifier(text, kind)).toBeUndefined();
  });
});

describe('refused', () => {
  test.each<[IdentifierKind, string, string]>([
    ['ipPolicy', 'ipr_1', '"ipr_1" is an IP policy rule id: an IP policy id starts with ipp_'],
    ['ipPolicy', 'edgtcp_1', '"edgtcp_1" is a TCP edge id: an IP policy id starts with ipp_'],
    [
      'httpsEdge',
      'edghtsrt_1',
      '"edghtsrt_1" is an HTTPS edge route id: an HTTPS edge id starts with edghts_',
    ],
    [
      'httpsEdgeRoute',
      'edghts_1',
      '"edghts_1" is an HTTPS edge id: an HTTPS edge route id starts with edghtsrt_',
    ],
    ['tcpEdge', 'edge_1', '"edge_1" is not a TCP edge id: a TCP edge id starts with edgtcp_'],
    ['tcpEdge', ' edgtcp_1', '" edgtcp_1" is not a TCP edge id: a TCP edge id starts with edgtcp_'],
    ['tcpEdge', 'EDGTCP_1', '"EDGTCP_1" is not a TCP edge id: a TCP edge id starts with edgtcp_'],
    ['ipPolicy', '', 'is empty: an IP policy id starts with ipp_'],
    ['ipPolicy', 'ipp_', '"ipp_" is only the prefix of an IP policy id'],
    ...[
      'ipp_../ipr_1',
      'ipp_a/b',
      'ipp_?x',
      'ipp_1\n',
      'ipp_1 ',
      'ipp_é',
      'ipp_%2e',
      `ipp_${'a'.repeat(125)}`,
    ].map((text): [IdentifierKind, string, string] => [
      'ipPolicy',
      text,
      'is not an IP policy id: at most 128 letters, digits, _ and - are allowed',
    ]),
  ])('%s: %j', (kind, text, reason) => {
    expect(checkIdentifier(text, kind)).toContain(reason);
  });
});
