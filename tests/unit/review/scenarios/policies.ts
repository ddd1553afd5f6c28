import type { Scenarios, Sides } from './scenario';

/** `name = allow 8.8.8.0/24 @ipp_2 #note` is a rule, `s := …` a set, `s !:= …` an exclusive one; `?` is unknown, `*` a secret. */
export const policies: Scenarios<Sides> = {
  same: {
    'an open policy stays: old findings stop nothing': 'allow 0.0.0.0/0 => allow 0.0.0.0/0',
    'two halves are joined: the same network':
      's := allow 8.8.8.0/25, allow 8.8.8.128/25 => s := allow 8.8.8.0/24',
    'a secret network stays: same means unchanged': 'allow 8.8.8.0/24; allow * => allow 8.8.8.0/24; allow *',
    'a set becomes single rules: the same rules':
      's := allow 8.8.8.0/24, deny 8.8.8.1/32 => allow 8.8.8.0/24; deny 8.8.8.1/32',
    'one of three dead rules goes: the rest is no news':
      'allow 8.8.8.0/24; allow 8.8.8.1/32; allow 8.8.8.2/32; allow 8.8.8.4/32 => - allow 8.8.8.1/32',
    'a dead deny comes: a guard against later rules': 'allow 8.8.8.0/24 => + deny 9.9.9.0/24',
    'a rename beside a secret policy: nor does a rule of a hidden policy':
      'a = allow 8.8.8.0/24; x = allow 0.0.0.0/0 @* => b = allow 8.8.8.0/24; x = allow 0.0.0.0/0 @*',
    'a note of a rule: a description lets in nobody': 'a = allow 8.8.8.0/24 => a = allow 8.8.8.0/24 #note',
    'a dead deny for an unknown policy: it meets nobody whom any policy lets in':
      'allow 8.8.8.0/24 => + x = deny 9.9.9.0/24 @?',
    'an exclusive set gets another name: it owned it': 's !:= allow 8.8.8.0/24 => t !:= allow 8.8.8.0/24',
    'a rule that goes leaves its network to a set: the provider hands it over':
      'a = allow 8.8.8.0/24; s := allow 9.9.9.0/24 => s := allow 8.8.8.0/24, allow 9.9.9.0/24',
    'one of two sets drops a line that both have: the other one still has it':
      'a := allow 8.8.8.0/24; b := allow 8.8.8.0/24 => a := allow 8.8.8.0/24; b := deny 9.9.9.9/32',
  },
  'gain medium': {
    'a deny goes beside an exclusive set of a hidden policy that stays: it has deleted already what it can':
      'allow 0.0.0.0/0; deny 9.9.9.0/24; s !:= deny 8.8.8.8/32 @* => - deny 9.9.9.0/24',
    'a first office: nobody had asked for it before': 'none => allow 8.8.8.0/24; deny 8.8.8.66/32',
    'an office in place of its half: what is new': 'o = allow 8.8.8.0/25 => o = allow 8.8.8.0/24',
    'a /17: below the limit': 'allow 8.8.8.0/24 => + allow 9.9.0.0/17',
    'a small IPv6 site: an ordinary gain': 'allow 8.8.8.0/24 => + allow 2600:1::/48',
    '10.0.0.0/8: not public, but a gain': 'allow 8.8.8.0/24 => + allow 10.0.0.0/8',
    'a deny of one address goes: a gain of one, not a new open policy':
      'allow 0.0.0.0/0; deny 9.9.9.9/32 => - deny 9.9.9.9/32',
    'a site beside a secret deny: at most the site gains': 'allow 8.8.8.0/24; deny * => + allow 9.9.9.0/24',
    'a site beside a deny around mapped IPv4 that stays: at most the site gains':
      'allow 8.8.8.0/24; s := deny ::/8 => + allow 9.9.9.0/24',
    'a network with host bits: at most the wider reading gains': 'allow 8.8.8.0/24 => + allow 9.9.9.9/24',
    'IPv4 in the notation of IPv6: at most that gains': 'allow 8.8.8.0/24 => + allow ::ffff:9.9.9.9/128',
    'a site for an unknown policy: at most the site gains': 'allow 8.8.8.0/24 => + n = allow 9.9.9.0/24 @?',
    'an exclusive set grows: an ordinary gain':
      's !:= allow 8.8.8.0/24 => s !:= allow 8.8.8.0/24, allow 9.9.9.0/24',
    'a site through NAT64: as many as the site has': 'allow 8.8.8.0/24 => + allow 64:ff9b::808:900/120',
    '::/0 without 2000::/3 and NAT64, which were out before: nothing of it is routed':
      'allow 8.8.8.0/24; deny 2000::/3; deny 64:ff9b::/96 => + allow ::/0',
    'fc00::/7: not public, however large': 'allow 8.8.8.0/24 => + allow fc00::/7',
  },
  'gain high': {
    '::/0 comes with the denies of what is routed: they may be late':
      'allow 8.8.8.0/24 => + allow ::/0; + deny 2000::/3; + deny 64:ff9b::/96',
    'a /16: wide': 'allow 8.8.8.0/24 => + allow 9.9.0.0/16',
    'a provider of IPv6: wide': 'allow 8.8.8.0/24 => + allow 2600:1::/32',
    'a rule beside an exclusive set: the set deletes it, or not':
      's !:= allow 8.8.8.0/24 => + r = allow 9.9.9.0/24',
    'a wide deny of a secret policy goes: it may have kept out half of everybody':
      'allow 0.0.0.0/0; x = deny 0.0.0.0/1 @* => - x = deny 0.0.0.0/1 @*',
    'the second half of IPv4: a half is what it grows by': 'allow 0.0.0.0/1 => + allow 128.0.0.0/1',
    '2002::/16: every 6to4 site': 'allow 8.8.8.0/24 => + allow 2002::/16',
    'two halves of a /16: that is wide': 'allow 8.8.8.0/24 => + allow 9.9.0.0/17; + allow 9.9.128.0/17',
    'a set becomes exclusive beside a deny: the set deletes it, or not':
      's := allow 8.8.8.0/24; r = deny 8.8.8.1/32 => s !:= allow 8.8.8.0/24; r = deny 8.8.8.1/32',
    'the policy of a deny is not known yet: it may be another one':
      'allow 0.0.0.0/0; d = deny 9.0.0.0/8 => allow 0.0.0.0/0; d = deny 9.0.0.0/8 @?',
  },
  'gain critical': {
    'all unicast of IPv4: multicast is missed by nobody':
      'allow 8.8.8.0/24 => allow 0.0.0.0/1; allow 128.0.0.0/2; allow 192.0.0.0/3',
    '2000::/3: all that is routed of IPv6': 'allow 8.8.8.0/24 => + allow 2000::/3',
    '64:ff9b::/96: all of IPv4 through NAT64': 'allow 8.8.8.0/24 => + allow 64:ff9b::/96',
    'a new public policy: it begins to let in everybody': 'empty => allow 0.0.0.0/0; allow ::/0',
    'a public allow for an unknown policy: that much is told': 'allow 8.8.8.0/24 => + n = allow 0.0.0.0/0 @?',
    '::/0 without 2000::/3: NAT64 reaches all of IPv4': 'allow 8.8.8.0/24 => + allow ::/0; + deny 2000::/3',
  },
  'loss low': {
    'a deny below a public allow: incident response only tightens': 'allow 0.0.0.0/0 => + deny 9.9.9.9/32',
    'one office of two: half stays in': 'allow 8.8.8.0/24; b = allow 9.9.9.0/24 => - b = allow 9.9.9.0/24',
  },
  'loss medium': {
    '255 of 320: less than half still get in, and more than a tenth':
      'allow 8.8.8.0/24; allow 9.9.9.0/26 => allow 8.8.8.0/32; allow 9.9.9.0/26',
    'a public policy is closed to three offices: the advice is followed':
      'allow 0.0.0.0/0 => allow 8.8.8.0/24; allow 9.9.9.0/24; allow 1.1.1.0/24',
    'a secret allow goes: who loses access is not known, who keeps it is':
      'allow 8.8.8.0/24; n = allow * => - n = allow *',
    'a rule of a secret policy goes: who loses is known, by which policy is not':
      'allow 8.8.8.0/24; x = allow 9.9.9.0/24 @* => - x = allow 9.9.9.0/24 @*',
    'IPv4 goes and IPv6 stays: others stay': 'allow 0.0.0.0/0; allow ::/0 => - allow 0.0.0.0/0',
  },
  'loss high': {
    'a /24 becomes a /28: fewer than a tenth still get in': 'o = allow 8.8.8.0/24 => o = allow 8.8.8.0/28',
    'a family of several goes: the other does not make up for it':
      'allow 8.8.8.0/24; allow 2600:1234::/32 => - allow 2600:1234::/32',
    'a deny beside an exclusive set: the set deletes it, or not':
      's !:= allow 8.8.8.0/24 => + r = deny 8.8.8.1/32',
    'a set becomes exclusive beside an allow: the set deletes it, or not':
      's := allow 8.8.8.0/24; r = allow 9.9.9.0/24 => s !:= allow 8.8.8.0/24; r = allow 9.9.9.0/24',
  },
  'loss critical': {
    'the last allow goes: nobody gets in any more': 'allow 8.8.8.0/24 => empty',
    'a deny over the only allow: nobody gets in any more': 'allow 8.8.8.0/24 => + deny 8.0.0.0/8',
  },
  'both medium': {
    'an office moves: one site for another': 'o = allow 8.8.8.0/24 => o = allow 9.9.9.0/24',
    'two policies swap their sites: each gains and loses': [
      'a = allow 8.8.8.0/24 @ipp_1; b = allow 9.9.9.0/24 @ipp_2',
      'a = allow 9.9.9.0/24 @ipp_1; b = allow 8.8.8.0/24 @ipp_2',
    ],
  },
  'both high': {
    'an office moves to a large network: the gain counts': 'o = allow 8.8.8.0/24 => o = allow 9.0.0.0/8',
    'a second exclusive set: each deletes the other': 's !:= allow 8.8.8.0/24 => + t !:= allow 9.9.9.0/24',
  },
  'affects low': {
    'two sites swap their resources, beside another one: one of them is away for a moment':
      'allow 7.0.0.0/8; a = allow 8.8.8.0/24; b = allow 9.9.9.0/24 => + a = allow 9.9.9.0/24; + b = allow 8.8.8.0/24',
  },
  'affects medium': {
    'two denies swap their resources: one of them is away for a moment':
      'allow 8.0.0.0/8; a = deny 8.8.8.1/32; b = deny 8.8.8.2/32 => + a = deny 8.8.8.2/32; + b = deny 8.8.8.1/32',
    'a set becomes exclusive: it deletes rules that cannot be seen':
      's := allow 8.8.8.0/24 => s !:= allow 8.8.8.0/24',
    'an exclusive set stops to be one: its rules stay as they are, and so do those that others add':
      's !:= allow 8.8.8.0/24 => s := allow 8.8.8.0/24',
    'a rule moves into an exclusive set: it deletes rules that cannot be seen':
      'o = allow 8.8.8.0/24 => s !:= allow 8.8.8.0/24',
  },
  undecided: {
    'an exclusive set of a secret policy comes: it may delete the deny':
      'allow 0.0.0.0/0; deny 9.9.9.0/24 => + s !:= deny 8.8.8.8/32 @*',
    'a secret network is allowed: anybody may get in': 'allow 8.8.8.0/24 => + n = allow *',
    'an unknown network is denied: nobody may get in any more': 'allow 8.8.8.0/24 => + n = deny ?',
    'a public allow beside a secret deny: everybody may get in':
      'allow 8.8.8.0/24; deny * => + allow 0.0.0.0/0',
    'a note of a rule with a secret network: the network may have changed, too':
      'allow 8.8.8.0/24; n = allow * => allow 8.8.8.0/24; n = allow * #note',
    'a network around that of mapped IPv4: it may be all of IPv4': 'allow 8.8.8.0/24 => + allow ::/80',
    'a deny that is twice as wide as mapped IPv4: it may refuse all of IPv4':
      'allow 8.8.8.0/24 => + deny ::fffe:0:0/95',
  },
};
