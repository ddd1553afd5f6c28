import type { Scenarios, Sides } from './scenario';

/** `+^curl/` allows, `-bot` denies, `off` is a switched-off filter, `none` none at all, `empty` one without patterns. */
export const userAgents: Scenarios<Sides> = {
  same: {
    'a covered pattern comes: curl/ is found where curl is': '-curl => -curl -curl/',
    'a covered pattern goes: curl still finds it': '-curl -^curl/8 => -curl',
    'a class for an escape: the same language': '-curl/\\d => -curl/[0-9]',
    'one or more at the end: found where one is': '-curl/\\d => -curl/[0-9]+',
    'anything around: patterns are found anywhere': '-curl => -.*curl.*',
    '\\A for ^: the same place': '-^curl => -\\Acurl',
    '\\z for $: the same place': '-bot$ => -bot\\z',
    'both cases in a class: folding the case': '-(?i)bot => -[bB][oO][tT]',
    'a group with a name: names say nothing': '-(?P<tool>curl) => -(curl)',
    'a lazy quantifier: what is found is the same': '-a.*b => -a.*?b',
    'a pattern at the front of many: it is covered already': [
      '-(?i)ahrefsbot -(?i)semrushbot -(?i)dotbot -(?i)mj12bot -(?i)petalbot -(?i)bytespider',
      '-(?i)ahrefsbot/7 -(?i)ahrefsbot -(?i)semrushbot -(?i)dotbot -(?i)mj12bot -(?i)petalbot -(?i)bytespider',
    ],
    'a filter that is off changes: it refuses nobody': 'off -curl => off -.*',
    'a secret list stays: same means unchanged': '-[secret] => -[secret]',
    'a count: found where the least is': '-x{2,3} => -xx',
    'dots that mean line ends, too: no header has one': '-(?s)a.b => -a.b',
    'an allow list without a refusal: everybody gets in anyway': '+^curl/ => +^Wget/',
    'anything up to the end: every text has an end': '-bot.*$ => -bot',
  },
  'gain medium': {
    'an allow pattern without a denied client: who names both gets in': '-curl => -curl +^Firefox',
    'a pattern of no known client is anchored: found at the start only': '-curl -Masscan => -curl -^Masscan',
    'an allow list of a browser: people get in': '+^curl/ -.* => +^curl/ +Firefox -.*',
    'an allow pattern for a missing header: one kind of client gets in': '-curl => -curl +^$',
    'a plus for the star of the refusal: an empty header gets in': '+^curl/ -.* => +^curl/ -.+',
    'a pattern changes lists: it is let in now': '-curl -Wget => +curl -Wget',
    'an exception for a crawler: who calls itself so gets in': '-(?i)bot => -(?i)bot +^Googlebot',
    'a range of versions is narrowed: one version gets in': '-curl/[0-8] => -curl/[0-7]',
  },
  'gain high': {
    'a filter is deleted: its protection is lost': '-curl => none',
    'a filter is switched off: its protection is lost': '-curl => off -curl',
    'an allow pattern that finds all: its protection is lost': '-curl => -curl +.*',
    'an invalid pattern goes: what it did is not known': '-curl -(?=bot) => -curl',
    'a secret allow pattern comes: at most those get in whom the known patterns keep out':
      '-curl -Wget => -curl -Wget +[secret]',
    'an empty allow pattern: everybody gets in': '-curl => -curl +',
    'the deny list goes and an allow pattern stays: alone it keeps nobody out': '-curl +curl/8 => +curl/8',
    'a filter is switched off and becomes secret: what is off refuses nobody': '-curl => off -[secret]',
  },
  'gain critical': {
    'an allow list is opened to all: everybody gets in': '+^curl/ -.* => +.+ -.*',
    'the refusal of all is deleted: everybody gets in': '+^curl/ -.* => none',
    'an allow list with everything in it: everybody gets in': '-.* => -.* +^(Mozilla|curl|.*)',
  },
  'loss low': {
    'an empty filter comes: it refuses clients without the header': 'none => empty',
    'a pattern is widened: others stay': '-curl/8 => -curl',
    'a missing header is allowed no more: one kind of client loses': '-curl +^$ => -curl',
  },
  'loss medium': {
    'search engines are refused: they will be missed': '-curl => -curl -Googlebot',
    'the advice for an allow list: only the allowed get in, as meant': '+^curl/ => +^curl/ -.*',
    'an invalid pattern stays beside a new one: only the new one counts': '-(?=bot) => -(?=bot) -curl',
    'a word boundary: it is not compared: not decided, never silent': '-robot => -robot -robot\\b',
    'an allowed search engine is allowed no more: it will be missed': '-(?i)bot +Googlebot => -(?i)bot',
  },
  'loss high': {
    'browsers are refused: people are locked out': '-curl => -curl -Chrome/',
    'probes are refused: a health check fails': '-curl => -curl -kube-probe',
  },
  'loss critical': {
    'an accident with ?: the pattern finds everything': '-curl => -(curl)?',
    'a new filter refuses everything: nobody gets in any more': 'none => -.+',
    'the refusal of all is switched on: nobody gets in any more': 'off -.* => -.*',
    'an empty branch: it is found in everything': '-curl => -curl|',
    'small letters are refused: nobody known gets in any more': '-curl => -curl -[a-z]',
  },
  'both medium': {
    'one of two refusals becomes a class of nothing: one stays': '-bot -curl => -[^\\x{0}-\\x{10FFFF}] -curl',
    'another crawler: one for the other': '-(?i)ahrefsbot -curl => -(?i)semrushbot -curl',
    'flags in a group: it is not compared: not decided, never silent': '-(?i)curl => -(?i:curl)',
    'two anchors for one: they mean the same, which is not decided': '-^curl => -^^curl',
  },
  'both high': {
    'the only refusal becomes a class of nothing: no known client is refused':
      '-bot => -[^\\x{0}-\\x{10FFFF}]',
    'the only refusal becomes one of nothing that cannot be compared: no client is known that is still refused':
      '-bot => -bot\\b\\B',
    'Mozilla is refused: people are locked out': '-curl => -Mozilla',
  },
  undecided: {
    'a valid pattern becomes invalid: what it does is not known': '-curl -bot => -curl -(?=bot)',
    'a secret pattern comes: what it does is not known': '-curl => -curl -[secret]',
    'an unknown pattern comes: what it does is not known': '-curl => -04da6b54-80e4-46f7-96ec-b56ff0331ba9',
    'a secret deny pattern goes: it may have kept out anybody': '-curl -[secret] => -curl',
  },
};
