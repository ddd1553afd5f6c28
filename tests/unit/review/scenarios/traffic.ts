import type { Scenarios, Sides } from './scenario';

const A = "inCidrRange(conn.client_ip, '9.9.9.0/24')";
const B = "inCidrRange(conn.client_ip, '9.9.8.0/24')";
const OFFICE = "!inCidrRange(conn.client_ip, '8.8.8.0/24')";
const RU = "conn.geo.country_code == 'RU'";
const [DENY_A, OFFICE_ONLY, DENY_RU] = [`deny: ${A}`, `deny: ${OFFICE}`, `deny: ${RU}`];

/** 32 neighbours that make up the network of A. */
const PIECES = Array.from(
  { length: 32 },
  (_, index) => `deny: inCidrRange(conn.client_ip, '9.9.9.${index * 8}/29')`,
);

const SET_X = 'set-vars{"vars":[{"x":true}]}';
/** Rules whose conditions or actions may have another outcome each time. */
const IMPURE = ["deny: conn.tls.sni == 'a.example'", 'deny: vars.x', 'deny: rand.double() < 0.5', 'forward'];

/** `deny: a ;; b` is a rule with two expressions, `off` a module that is switched off, null none at all. */
export const traffic: Scenarios<Sides> = {
  same: {
    'a condition on time stays: equal texts are equal inputs': ['deny: now.hours > 9', 'deny: now.hours > 9'],
    'an address as a network: a /32 is an address': [
      "deny: conn.client_ip == '9.9.9.1'",
      "deny: inCidrRange(conn.client_ip, '9.9.9.1/32')",
    ],
    'countries in a list: the same countries': [
      `deny: ${RU} || conn.geo.country_code == 'KP'`,
      "deny: conn.geo.country_code in ['KP', 'RU']",
    ],
    'an address that is none: a text that is not canonical never matches': [
      DENY_A,
      "+ deny: conn.client_ip == '9.9.8.01'",
    ],
    'an empty module comes: it refuses nobody': [null, []],
    'a module that is off comes: it refuses nobody': [null, ['off', DENY_A]],
    'a secret document stays: same means unchanged': ['raw [secret]', 'raw [secret]'],
    'the status of a refusal: it refuses as before': [DENY_A, `deny{"status_code":404}: ${A}`],
    'everything, by both of its networks: whether IPv6 contains mapped IPv4 does not matter': [
      'deny',
      "deny: inCidrRanges(conn.client_ip, ['0.0.0.0/0', '::/0'])",
    ],
    'private networks by name: the networks that it means are known': [
      'deny: !isPrivateIp(conn.client_ip)',
      "deny: !inCidrRanges(conn.client_ip, ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'])",
    ],
    'an escaped dot: the same address': [
      "deny: conn.client_ip == '9.9.9.1'",
      "deny: conn.client_ip == '9\\u002e9.9.1'",
    ],
    'a comment in an expression: spelling says nothing': [DENY_A, `deny: ${A} // the branch`],
    'empty lists for absent ones: a rule without actions does nothing': [
      'raw {"inbound":[{"name":"x"}]}',
      'raw {"inbound":[{"name":"x","expressions":[],"actions":[]}]}',
    ],
    '32 rules become one: the same addresses': [PIECES, DENY_A],
    'a ternary with a country: where the country is not known, neither applies': [
      `deny: ${RU} ? ${A} : ${B}`,
      `deny: ${RU} && ${A} || !(${RU}) && ${B}`,
    ],
  },
  'gain medium': {
    'an allow list grows by a site: an ordinary gain': [
      OFFICE_ONLY,
      "deny: !inCidrRanges(conn.client_ip, ['8.8.8.0/24', '9.9.9.0/24'])",
    ],
    'the settings of an action get a switch that is not known: it may no longer refuse': [
      DENY_A,
      `deny{"enabled":false}: ${A}`,
    ],
    'an impure condition beside a change: it is the same before and after, so that only the other rule matters':
      [['deny: rand.double() < 0.5', DENY_A], `- deny: ${A}`],
    'a deny in capitals: what Deny does is not known': [DENY_A, `Deny: ${A}`],
    'an unknown action passes a deny: it may let in whom the rule refuses': [
      [DENY_A, 'forward'],
      ['forward', DENY_A],
    ],
    'an action without a type: what it does is not known': [
      DENY_A,
      `raw {"inbound":[{"name":"a","expressions":["${A}"],"actions":[{"kind":"deny"}]}]}`,
    ],
    '32 rules get a condition: whoever does not meet it gets in': [
      PIECES,
      PIECES.map((piece) => `${piece} && ${RU}`),
    ],
    'an unknown action for one address: it may let in that one': [
      DENY_A,
      ["forward: conn.client_ip == '9.9.9.1'", DENY_A],
    ],
  },
  'gain high': {
    'a module is deleted: its protection is lost': [DENY_A, null],
    'a module is switched off: its protection is lost': [DENY_A, ['off', DENY_A]],
    'a module is emptied: its protection is lost': [DENY_A, []],
    'the last deny becomes a log: its protection is lost': [DENY_A, `log: ${A}`],
    'the last expression becomes false: its protection is lost': [DENY_A, 'deny: false'],
    'a phase with a typo: its rules never run': [DENY_A, `inbuond/deny: ${A}`],
    'a phase in camel case: its rules never run': [DENY_A, `onTcpConnect/deny: ${A}`],
    'the rules go to outbound: they decide nothing there': [DENY_A, `outbound/deny: ${A}`],
    'restrict-ips is no longer enforced: its protection is lost': [
      'restrict-ips{"deny":["9.9.9.0/24"]}',
      'restrict-ips{"enforce":false,"deny":["9.9.9.0/24"]}',
    ],
    'an allow list of a /24 becomes a /8: a wide gain': [
      OFFICE_ONLY,
      "deny: !inCidrRange(conn.client_ip, '8.0.0.0/8')",
    ],
    'a deny goes from behind a deny with a setting that is not known: the setting may be a condition': [
      'raw {"inbound":[{"actions":[{"type":"deny","config":{"only_if":"x"}},{"type":"deny"}]}]}',
      'raw {"inbound":[{"actions":[{"type":"deny","config":{"only_if":"x"}}]}]}',
    ],
    'an action gets a switch that is not known: it may no longer refuse': [
      'raw {"inbound":[{"name":"a","actions":[{"type":"deny"}]}]}',
      'raw {"inbound":[{"name":"a","actions":[{"type":"deny","dry_run":true}]}]}',
    ],
    'the type of an action is repeated in another case: some readers take it in place of the other': [
      'raw {"inbound":[{"name":"a","actions":[{"type":"deny"}]}]}',
      'raw {"inbound":[{"name":"a","actions":[{"type":"deny","Type":"log"}]}]}',
    ],
    'a document of null: it refuses nobody': [DENY_A, 'raw null'],
    'an office-only action with a typo: everybody may get in': [OFFICE_ONLY, `dney: ${OFFICE}`],
    'a rule without actions: it refuses nobody': [
      DENY_A,
      `raw {"inbound":[{"name":"a","expressions":["${A}"],"actions":[]}]}`,
    ],
    'a module is switched off and becomes secret: what is off refuses nobody': [
      DENY_A,
      ['off', 'raw [secret]'],
    ],
  },
  'gain critical': {
    'an office-only module is deleted: everybody gets in': [OFFICE_ONLY, null],
    'an office-only phase with a typo: everybody gets in': [OFFICE_ONLY, `inboud/deny: ${OFFICE}`],
    'the office becomes all of IPv4: everybody with IPv4 gets in': [
      OFFICE_ONLY,
      "deny: !inCidrRange(conn.client_ip, '0.0.0.0/0')",
    ],
  },
  'loss low': {
    'a module is switched on: others stay': [['off', DENY_A], '- off'],
    'isPrivateIp: the networks that it means are known': [null, 'deny: isPrivateIp(conn.client_ip)'],
    'a module that refuses all when it is on comes on with less: others stay': [['off', 'deny'], DENY_A],
  },
  'loss medium': {
    'a log and a deny come before a deny on a variable: neither sets anything': [
      [SET_X, 'deny: vars.x'],
      [SET_X, 'log', DENY_A, 'deny: vars.x'],
    ],
    'an office-only module comes: others stay': [null, OFFICE_ONLY],
    'restrict-ips to a site: others stay': [null, 'restrict-ips{"allow":["8.8.8.0/24"]}'],
    'a country is refused: who comes from there is not known': [null, DENY_RU],
    'an atom or its opposite: it may fail, so that it is not always true': [null, `deny: ${RU} || !(${RU})`],
    'an unknown action stays: only the new rule counts': [['forward', DENY_A], `+ deny: ${B}`],
    'a network that contains the one of mapped IPv4: it may refuse all of IPv4': [
      null,
      "deny: inCidrRange(conn.client_ip, '::/64')",
    ],
    'all of the public addresses in two halves: nobody with IPv4 gets in, IPv6 stays': [
      null,
      "deny: inCidrRanges(conn.client_ip, ['0.0.0.0/1', '128.0.0.0/1'])",
    ],
    'an IPv4 network in IPv6 notation: it can be read in two ways': [
      DENY_A,
      "+ deny: inCidrRange(conn.client_ip, '::ffff:9.9.9.0/120')",
    ],
    'an address for a network: it may be an error': [
      DENY_A,
      "+ deny: inCidrRange(conn.client_ip, '9.9.8.1')",
    ],
    'restrict-ips with empty lists: it may refuse everybody': [DENY_A, '+ restrict-ips{"allow":[]}'],
    'IPv6 is refused, too: IPv4 stays': [DENY_A, `deny: ${A} || !inCidrRange(conn.client_ip, '0.0.0.0/0')`],
  },
  'loss critical': {
    'or for and: everybody is refused': [`deny: ${OFFICE} && !${A}`, `deny: ${OFFICE} || !${A}`],
    'a module that refuses all comes: nobody gets in any more': [null, 'deny'],
    'a module that refuses all is switched on: nobody gets in any more': [['off', 'deny'], '- off'],
    'a network around mapped IPv4, or not: either way one of the two holds': [
      DENY_A,
      "deny: inCidrRange(conn.client_ip, '::/64') || !inCidrRange(conn.client_ip, '::/64')",
    ],
    'a tautology of addresses: nobody gets in any more': [DENY_A, `deny: ${A} || !(${A})`],
    'a deny without a condition behind: nobody gets in any more': [DENY_A, '+ deny'],
  },
  'both medium': {
    'a negation slips into a block list: nearly everybody is locked out': [DENY_A, `deny: !${A}`],
    'restrict-ips with an allow list that is empty: nobody knows whether it refuses everybody or nobody': [
      'restrict-ips{"deny":["9.9.9.0/24"]}',
      'restrict-ips{"allow":[],"deny":["9.9.9.0/24"]}',
    ],
    'an unknown action comes: it may refuse anybody, and let in whom the rule behind it refuses': [
      DENY_A,
      ['forward', DENY_A],
    ],
    'a rule with a switch of its own: what it says is not known': [
      DENY_A,
      `raw {"inbound":[{"name":"a","enabled":false,"expressions":["${A}"],"actions":[{"type":"deny"}]}]}`,
    ],
    'an expression that is a number: what it says is not known': [
      DENY_A,
      'raw {"inbound":[{"name":"a","expressions":[1],"actions":[{"type":"deny"}]}]}',
    ],
    'host bits in one of two networks: an error lets in who was refused': [
      DENY_A,
      "deny: inCidrRanges(conn.client_ip, ['9.9.9.0/24', '9.9.8.1/24'])",
    ],
  },
  'both high': {
    ...Object.fromEntries(
      IMPURE.map((rule): [`${string}: ${string}`, Sides] => [
        `${rule} moves to another phase: it may be something else there`,
        [rule, `on_tcp_connect/${rule}`],
      ]),
    ),
    'a deny on a variable moves before what sets it: the variable is not set there yet': [
      [SET_X, 'deny: vars.x'],
      ['deny: vars.x', SET_X],
    ],
    'a variable is set in the other phase: that one may come first': [
      [SET_X, 'deny: vars.x'],
      [`on_tcp_connect/${SET_X}`, 'deny: vars.x'],
    ],
    'a variable is set for other clients: whom a deny that asks for it keeps out is not known any more': [
      [`${SET_X}: ${A}`, 'deny: vars.x'],
      [`${SET_X}: ${B}`, 'deny: vars.x'],
    ],
    'another country: who that concerns is not known': [DENY_RU, "deny: conn.geo.country_code == 'KP'"],
    'keys that differ by case change places: some readers take the last of them': [
      'raw {"inbound":[{"name":"a","actions":[{"type":"limit","config":{"on":1,"On":2}}]}]}',
      'raw {"inbound":[{"name":"a","actions":[{"type":"limit","config":{"On":2,"on":1}}]}]}',
    ],
    'restricted to a network that contains the one of mapped IPv4: all of IPv4 may get in, or none': [
      'restrict-ips{"allow":["8.8.8.0/24"]}',
      'restrict-ips{"allow":["8.8.8.0/24","::/64"]}',
    ],
    'restrict-ips with a policy: whom the policy lets in is not known here': [
      'restrict-ips{"allow":["8.8.8.0/24"]}',
      'restrict-ips{"allow":["8.8.8.0/24"],"policies":["ipp_1"]}',
    ],
  },
  'both critical': {
    'a lost negation: the office is out, everybody else is in': [
      OFFICE_ONLY,
      "deny: inCidrRange(conn.client_ip, '8.8.8.0/24')",
    ],
  },
  undecided: {
    'a phase in upper case: some readers of JSON take it for the phase': [DENY_A, `INBOUND/deny: ${A}`],
    'a phase in upper case comes: some readers of JSON take it in place of the other': [
      DENY_A,
      '+ Inbound/log',
    ],
    'a document that is no JSON: nobody knows what it does': [DENY_A, 'raw {"inbound":'],
    'a key that is there twice: the first or the last may win': [
      DENY_A,
      'raw {"inbound":[{"name":"a","expressions":[],"actions":[{"type":"deny"}]}],"inbound":[]}',
    ],
    'a secret document comes: nobody can see what it does': [DENY_A, 'raw [secret]'],
    'a key that is there twice, empty both times: which one counts is not known, whatever they hold': [
      DENY_A,
      'raw {"inbound":[],"inbound":[]}',
    ],
    'one of two rules with a repeated key changes: which one counts is not known': [
      'raw {"inbound":[{"name":"a","actions":[{"type":"deny"}],"actions":[{"type":"log"}]}]}',
      'raw {"inbound":[{"name":"a","actions":[{"type":"log"}],"actions":[{"type":"log"}]}]}',
    ],
    'numbers that are one double: a reader may tell them apart': [
      'raw {"inbound":[{"name":"a","actions":[{"type":"limit","config":{"n":12345678901234567890}}]}]}',
      'raw {"inbound":[{"name":"a","actions":[{"type":"limit","config":{"n":12345678901234567891}}]}]}',
    ],
    'a list of phases: nobody knows what it does': [DENY_A, 'raw []'],
    'a phase of null: nobody knows what it does': [DENY_A, 'raw {"inbound":null}'],
  },
};
