// What for: documents of publishers, and declarations and locks made from them.
// Must not know: the network: nothing is fetched from a publisher.
import { declarationWith, type FeedDeclaration } from '../../../provider/src/feeds/feed-declaration';
import type { PublisherName } from '../../../provider/src/feeds/publishers';
import { type Amount, networksOf } from './networks';

/** Documents of a publisher with these networks, in the shape of the real ones, with other networks that are not selected. */
export type MakeDocuments = (networks: readonly string[]) => readonly string[];

const isIpv6 = (network: string): boolean => network.includes(':');
const others = networksOf({ networks: 40, aggregated: 10 }, 20_000);

const eachFamily = (networks: readonly string[]): [ipv4: string[], ipv6: string[]] => [
  networks.filter((network) => !isIpv6(network)),
  networks.filter(isIpv6),
];

const text = (networks: readonly string[]): string => networks.map((network) => `${network}\n`).join('');

const google: MakeDocuments = (networks) => [
  JSON.stringify({
    creationTime: '2026-01-21T12:00:00.00000',
    prefixes: networks.map((network) => ({
      [isIpv6(network) ? 'ipv6Prefix' : 'ipv4Prefix']: network,
      ...{ service: 'Google Cloud', scope: 'europe-west4' },
    })),
  }),
];

const drop: MakeDocuments = (networks) =>
  eachFamily(networks).map((family) =>
    [
      ...family.map((cidr, index) => ({ cidr, sblid: `SBL${index}`, rir: 'ripencc' })),
      { type: 'metadata', timestamp: 1769000000, copyright: '(c) 2026 The publisher', terms: 'https://…' },
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );

/** The documents of each publisher; a publisher without an entry does not compile. */
export const documentsOf: Readonly<Record<PublisherName, MakeDocuments>> = {
  aws: (networks) => {
    const [ipv4, ipv6] = eachFamily(networks);
    const [otherIpv4, otherIpv6] = eachFamily(others);
    const prefix = (key: string, service: string) => (network: string) => ({
      ...{ [key]: network, region: 'eu-west-1', service, network_border_group: 'eu-west-1' },
    });
    return [
      JSON.stringify({
        createDate: '2026-01-21-12-00-00',
        prefixes: [...ipv4.map(prefix('ip_prefix', 'AMAZON')), ...otherIpv4.map(prefix('ip_prefix', 'S3'))],
        ipv6_prefixes: [
          ...ipv6.map(prefix('ipv6_prefix', 'AMAZON')),
          ...otherIpv6.map(prefix('ipv6_prefix', 'S3')),
        ],
      }),
    ];
  },
  azure: (networks) => {
    const tag = (name: string, addressPrefixes: readonly string[]) => ({
      ...{ name, id: name },
      properties: { region: '', platform: 'Azure', systemService: '', addressPrefixes },
    });
    const values = [tag('ActionGroup', others), tag('AzureCloud', networks)];
    return [JSON.stringify({ changeNumber: 350, cloud: 'Public', values }, undefined, 2)];
  },
  cloudflare: (networks) => eachFamily(networks).map((family) => family.join('\n')),
  fastly: (networks) => {
    const [addresses, ipv6] = eachFamily(networks);
    return [JSON.stringify({ addresses, ipv6_addresses: ipv6 })];
  },
  github: (networks) => [
    JSON.stringify({
      ...{ verifiable_password_authentication: false, ssh_keys: ['ssh-ed25519 AAAA'] },
      ...{ hooks: networks, web: [...networks, ...others], domains: { website: ['*.example.com'] } },
    }),
  ],
  google,
  'google-cloud': google,
  pingdom: (networks) =>
    eachFamily(networks).map((family) => text(family.map((network) => network.replace(/\/(32|128)$/, '')))),
  'spamhaus-drop': drop,
};

/** The usual sizes of publishers' lists, and what is selected of them. */
export const SIZES: readonly (readonly [PublisherName, Record<string, string[]> | undefined, Amount])[] = [
  ['github', { keys: ['hooks'] }, { networks: 6, aggregated: 6 }],
  ['github', { keys: ['hooks'] }, { networks: 311, aggregated: 7 }],
  ['github', { keys: ['hooks'] }, { networks: 5_314, aggregated: 3_731 }],
  ['aws', { services: ['AMAZON'] }, { networks: 220, aggregated: 196 }],
  ['aws', { services: ['AMAZON'], regions: ['eu-west-1'] }, { networks: 3_023, aggregated: 1_926 }],
  ['aws', { services: ['AMAZON'] }, { networks: 7_284, aggregated: 3_241 }],
  ['google', undefined, { networks: 782, aggregated: 367 }],
  [
    'google-cloud',
    { services: ['Google Cloud'], regions: ['europe-west4'] },
    { networks: 782, aggregated: 367 },
  ],
  ['azure', { tags: ['AzureCloud'] }, { networks: 12_362, aggregated: 3_097 }],
  ['fastly', undefined, { networks: 21, aggregated: 21 }],
  ['cloudflare', undefined, { networks: 22, aggregated: 22 }],
  ['pingdom', undefined, { networks: 156, aggregated: 154 }],
  ['spamhaus-drop', undefined, { networks: 1_801, aggregated: 1_801 }],
];

/** A declaration, as in the file. */
export const declared = (value: object, name = 'feed'): FeedDeclaration => ({
  name,
  ...declarationWith()(value, name),
});
