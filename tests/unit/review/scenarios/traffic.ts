import type { Scenarios, Sides } from './scenario';

/** What stands in a scenario as `<A>`. */
export const EXPRESSIONS: Readonly<Record<string, string>> = {
  A: "inCidrRange(conn.client_ip, '9.9.9.0/24')",
  B: "inCidrRange(conn.client_ip, '9.9.8.0/24')",
  OFFICE: "!inCidrRange(conn.client_ip, '8.8.8.0/24')",
  RU: "conn.geo.country_code == 'RU'",
  SET_X: 'set-vars{"vars":[{"x":true}]}',
};

/** `deny: a` is a rule with an expression, `off` a module that is switched off, `none` none at all, `empty` one without rules. */
export const traffic: Scenarios<Sides> = {
  same: {
    'a condition on time stays: equal texts are equal inputs': 'deny: now.hours > 9 => deny: now.hours > 9',
    'countries in a list: the same countries':
      "deny: <RU> || conn.geo.country_code == 'KP' => deny: conn.geo.country_code in ['KP', 'RU']",
    'an address that is none: a text that is not canonical never matches':
      "deny: <A> => + deny: conn.client_ip == '9.9.8.01'",
    'an empty module comes: it refuses nobody': 'none => empty',
    'a module that is off comes: it refuses nobody': 'none => off; deny: <A>',
    'a secret document stays: same means unchanged': 'raw [secret] => raw [secret]',
    'the status of a refusal: it refuses as before': 'deny: <A> => deny{"status_code":404}: <A>',
    'everything, by both of its networks: whether IPv6 contains mapped IPv4 does not matter':
      "deny => deny: inCidrRanges(conn.client_ip, ['0.0.0.0/0', '::/0'])",
    'private networks by name: the networks that it means are known': [
      'deny: !isPrivateIp(conn.client_ip)',
      "deny: !inCidrRanges(conn.client_ip, ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'])",
    ],
    'an escaped dot: as before':
      "deny: conn.client_ip == '9.9.9.1' => deny: conn.client_ip == '9\\u002e9.9.1'",
    'a comment in an expression: spelling says nothing': 'deny: <A> => deny: <A> // the branch',
    'empty lists for absent ones: a rule without actions does nothing':
      'raw {"inbound":[{"name":"x"}]} => raw {"inbound":[{"name":"x","expressions":[],"actions":[]}]}',
    'a ternary with a country: where the country is not known, neither applies':
      'deny: <RU> ? <A> : <B> => deny: <RU> && <A> || !(<RU>) && <B>',
  },
  'gain medium': {
    'an allow list grows by a site: an ordinary gain':
      "deny: <OFFICE> => deny: !inCidrRanges(conn.client_ip, ['8.8.8.0/24', '9.9.9.0/24'])",
    'the settings of an action get a switch that is not known: it may no longer refuse':
      'deny: <A> => deny{"enabled":false}: <A>',
    'an impure condition beside a change: it is the same before and after, so that only the other rule matters':
      'deny: rand.double() < 0.5; deny: <A> => - deny: <A>',
    'a deny in capitals: what Deny does is not known': 'deny: <A> => Deny: <A>',
    'an unknown action passes a deny: it may let in others': 'deny: <A>; forward => forward; deny: <A>',
    'an action without a type: what it does is not known':
      'deny: <A> => raw {"inbound":[{"name":"a","expressions":["<A>"],"actions":[{"kind":"deny"}]}]}',
    'an unknown action for one address: it may let in that one':
      "deny: <A> => forward: conn.client_ip == '9.9.9.1'; deny: <A>",
  },
  'gain high': {
    'a module is deleted: its protection is lost': 'deny: <A> => none',
    'a module is switched off: its protection is lost': 'deny: <A> => off; deny: <A>',
    'the last expression becomes false: its protection is lost': 'deny: <A> => deny: false',
    'a phase with a typo: its rules never run': 'deny: <A> => inbuond/deny: <A>',
    'the rules go to outbound: they decide nothing there': 'deny: <A> => outbound/deny: <A>',
    'restrict-ips is no longer enforced: its protection is lost':
      'restrict-ips{"deny":["9.9.9.0/24"]} => restrict-ips{"enforce":false,"deny":["9.9.9.0/24"]}',
    'an allow list of a /24 becomes a /8: a wide gain':
      "deny: <OFFICE> => deny: !inCidrRange(conn.client_ip, '8.0.0.0/8')",
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
    'a document of null: it refuses nobody': 'deny: <A> => raw null',
    'an office-only action with a typo: everybody may get in': 'deny: <OFFICE> => dney: <OFFICE>',
    'a rule without actions: it refuses nobody':
      'deny: <A> => raw {"inbound":[{"name":"a","expressions":["<A>"],"actions":[]}]}',
    'a module is switched off and becomes secret: off refuses nobody': 'deny: <A> => off; raw [secret]',
  },
  'gain critical': {
    'an office-only module is deleted: everybody gets in': 'deny: <OFFICE> => none',
    'the office becomes all of IPv4: everybody with IPv4 gets in':
      "deny: <OFFICE> => deny: !inCidrRange(conn.client_ip, '0.0.0.0/0')",
  },
  'loss low': {
    'a module is switched on: others stay': 'off; deny: <A> => - off',
    'isPrivateIp: the networks that it means are known': 'none => deny: isPrivateIp(conn.client_ip)',
    'a module that refuses all when it is on comes on with less: others stay': 'off; deny => deny: <A>',
  },
  'loss medium': {
    'a log and a deny come before a deny on a variable: neither sets anything':
      '<SET_X>; deny: vars.x => <SET_X>; log; deny: <A>; deny: vars.x',
    'an office-only module comes: others stay': 'none => deny: <OFFICE>',
    'restrict-ips to a site: others stay': 'none => restrict-ips{"allow":["8.8.8.0/24"]}',
    'a country is refused: who comes from there is not known': 'none => deny: <RU>',
    'an atom or its opposite: it may fail, so that it is not always true': 'none => deny: <RU> || !(<RU>)',
    'a name stays: it has the same outcome on both sides': "deny: conn.tls.sni == 'a' => + deny: <A>",
    'an hour stays: it has the same outcome on both sides': 'deny: conn.ts.hour > 8 => + deny: <A>',
    'a macro stays: so has each of its cases': "deny: conn.list.exists(x, x == 'a') => + deny: <A>",
    'an index stays: so has what it reads': "deny: conn['client_ip'] == '8.8.8.8' => + deny: <A>",
    'an unknown action stays: only the new rule counts': 'forward; deny: <A> => + deny: <B>',
    'a network that contains the one of mapped IPv4: it may refuse all of IPv4':
      "none => deny: inCidrRange(conn.client_ip, '::/64')",
    'all of the public addresses in two halves: nobody with IPv4 gets in, IPv6 stays':
      "none => deny: inCidrRanges(conn.client_ip, ['0.0.0.0/1', '128.0.0.0/1'])",
    'an IPv4 network in IPv6 notation: it can be read in two ways':
      "deny: <A> => + deny: inCidrRange(conn.client_ip, '::ffff:9.9.9.0/120')",
    'an address for a network: maybe an error': "deny: <A> => + deny: inCidrRange(conn.client_ip, '9.9.8.1')",
    'restrict-ips with empty lists: it may refuse everybody': 'deny: <A> => + restrict-ips{"allow":[]}',
    'IPv6 is refused, too: IPv4 stays': "deny: <A> => deny: <A> || !inCidrRange(conn.client_ip, '0.0.0.0/0')",
  },
  'loss critical': {
    'or for and: everybody is refused': 'deny: <OFFICE> && !<A> => deny: <OFFICE> || !<A>',
    'a module that refuses all comes: nobody gets in any more': 'none => deny',
    'a module that refuses all is switched on: nobody gets in any more': 'off; deny => - off',
    'a network around mapped IPv4, or not: either way one of the two holds':
      "deny: <A> => deny: inCidrRange(conn.client_ip, '::/64') || !inCidrRange(conn.client_ip, '::/64')",
  },
  'both medium': {
    'restrict-ips with an allow list that is empty: nobody knows whether it refuses everybody or nobody':
      'restrict-ips{"deny":["9.9.9.0/24"]} => restrict-ips{"allow":[],"deny":["9.9.9.0/24"]}',
    'an unknown action comes: it may refuse anybody, and let in whom the rule behind it refuses':
      'deny: <A> => forward; deny: <A>',
    'a rule with a switch of its own: what it says is not known': [
      'deny: <A>',
      'raw {"inbound":[{"name":"a","enabled":false,"expressions":["<A>"],"actions":[{"type":"deny"}]}]}',
    ],
    'an expression that is a number: what it says is not known':
      'deny: <A> => raw {"inbound":[{"name":"a","expressions":[1],"actions":[{"type":"deny"}]}]}',
    'host bits in one of two networks: an error lets in who was refused':
      "deny: <A> => deny: inCidrRanges(conn.client_ip, ['9.9.9.0/24', '9.9.8.1/24'])",
  },
  'both high': {
    'a negation slips into a block list: whoever got in is locked out': 'deny: <A> => deny: !<A>',
    "deny: conn.tls.sni == 'a.example' moves to another phase: it may be something else there":
      "deny: conn.tls.sni == 'a.example' => on_tcp_connect/deny: conn.tls.sni == 'a.example'",
    'deny: vars.x moves to another phase: it may be something else there':
      'deny: vars.x => on_tcp_connect/deny: vars.x',
    'deny: rand.double() < 0.5 moves to another phase: it may be something else there':
      'deny: rand.double() < 0.5 => on_tcp_connect/deny: rand.double() < 0.5',
    'a deny on a variable moves before what sets it: the variable is not set there yet':
      '<SET_X>; deny: vars.x => deny: vars.x; <SET_X>',
    'a variable is set in the other phase: that one may come first':
      '<SET_X>; deny: vars.x => on_tcp_connect/<SET_X>; deny: vars.x',
    'a variable is set for other clients: whom a deny that asks for it keeps out is not known any more':
      '<SET_X>: <A>; deny: vars.x => <SET_X>: <B>; deny: vars.x',
    'another country: who that concerns is not known': "deny: <RU> => deny: conn.geo.country_code == 'KP'",
    'keys that differ by case change places: some readers take the last of them': [
      'raw {"inbound":[{"name":"a","actions":[{"type":"limit","config":{"on":1,"On":2}}]}]}',
      'raw {"inbound":[{"name":"a","actions":[{"type":"limit","config":{"On":2,"on":1}}]}]}',
    ],
    'restricted to a network that contains the one of mapped IPv4: all of IPv4 may get in, or none':
      'restrict-ips{"allow":["8.8.8.0/24"]} => restrict-ips{"allow":["8.8.8.0/24","::/64"]}',
    'restrict-ips with a policy: whom the policy lets in is not known here':
      'restrict-ips{"allow":["8.8.8.0/24"]} => restrict-ips{"allow":["8.8.8.0/24"],"policies":["ipp_1"]}',
  },
  'both critical': {
    'a lost negation: the office is out, everybody else is in':
      "deny: <OFFICE> => deny: inCidrRange(conn.client_ip, '8.8.8.0/24')",
  },
  undecided: {
    'a phase in upper case: some readers of JSON take it for the phase': 'deny: <A> => INBOUND/deny: <A>',
    'a phase in upper case comes: some readers take it in place of the other': 'deny: <A> => + Inbound/log',
    'a document that is no JSON: nobody knows what it does': 'deny: <A> => raw {"inbound":',
    'a key that is there twice: the first or the last may win': [
      'deny: <A>',
      'raw {"inbound":[{"name":"a","expressions":[],"actions":[{"type":"deny"}]}],"inbound":[]}',
    ],
    'a secret document comes: nobody can see what it does': 'deny: <A> => raw [secret]',
    'a key that is there twice, empty both times: which one counts is not known, whatever they hold':
      'deny: <A> => raw {"inbound":[],"inbound":[]}',
    'one of two rules with a repeated key changes: which one counts is not known': [
      'raw {"inbound":[{"name":"a","actions":[{"type":"deny"}],"actions":[{"type":"log"}]}]}',
      'raw {"inbound":[{"name":"a","actions":[{"type":"log"}],"actions":[{"type":"log"}]}]}',
    ],
    'numbers that are one double: a reader may tell them apart': [
      'raw {"inbound":[{"name":"a","actions":[{"type":"limit","config":{"n":12345678901234567890}}]}]}',
      'raw {"inbound":[{"name":"a","actions":[{"type":"limit","config":{"n":12345678901234567891}}]}]}',
    ],
    'a list of phases: nobody knows what it does': 'deny: <A> => raw []',
    'a phase of null: nobody knows what it does': 'deny: <A> => raw {"inbound":null}',
  },
};
