import Ajv2020 from 'ajv/dist/2020';
import { FORMATS, parseDeclarations } from '../../../provider/src/feeds/feed-declaration';
import { DIMENSIONS, PUBLISHERS } from '../../../provider/src/feeds/publishers';
import { textOf } from '../../support/workspace';

const schema = JSON.parse(textOf('provider/schemas/feeds-1.json')) as {
  readonly $defs: {
    readonly feed: {
      readonly properties: {
        readonly publisher: { readonly enum: string[] };
        readonly format: { readonly enum: string[] };
        readonly select: { readonly properties: object };
      };
    };
  };
};
const isOfSchema = new Ajv2020({ allErrors: true }).compile(schema);

const read = (feed: unknown, name = 'feed') =>
  parseDeclarations(JSON.stringify({ feeds: { [name]: feed } })).get(name);

const url = 'https://lists.example.com/networks';

test('the schema knows the publishers, formats and dimensions that there are', () => {
  const { publisher, format, select } = schema.$defs.feed.properties;
  expect(publisher.enum).toEqual(Object.keys(PUBLISHERS));
  expect(format.enum).toEqual(FORMATS);
  expect(Object.keys(select.properties)).toEqual(DIMENSIONS);
});

test.each<[string, object]>([
  ['a publisher', { publisher: 'cloudflare' }],
  ['a publisher from elsewhere', { publisher: 'azure', url, select: { tags: ['AzureCloud'] } }],
  ['several documents', { url: [url, `${url}6`], format: 'text' }],
  ['a file', { file: 'lists/partners.json', format: 'json', field: 'network' }],
  ['JSON', { url, format: 'json', pointer: '/a~0/0', field: 'cidr', aggregate: true }],
  ['names', { names: ['gw.example.net', 'office.example.org'], resolver: '9.9.9.9', mostAddresses: 4 }],
  [
    'bounds',
    {
      url,
      format: 'text',
      maxAgeDays: 7,
      bounds: { atLeast: 0.9, atMost: 1, widestIpv4: 16, widestIpv6: 0, specialPurpose: true },
    },
  ],
])('right: %s', (_, feed) => {
  expect(() => read(feed)).not.toThrow();
  expect(isOfSchema({ feeds: { feed } })).toBe(true);
});

/** What no schema says: it takes a look at several members, or at a text. */
const beyondSchema =
  /DNS names|of a resolver|names no source|no permanent address|cannot be combined|must start with https|fragment|must be in the folder|needs|is not available|applies only|apply only|do not apply|Pointer/;

test.each<[unknown, RegExp]>([
  [[], /feeds\.feed must be an object, not an array/],
  [{}, /names no source/],
  [{ publisher: 'aws', tags: ['x'] }, /feeds\.feed has the unknown key "tags"; its keys are publisher, url/],
  [{ publisher: 'acme' }, /feeds\.feed\.publisher must be one of aws, azure/],
  [{ publisher: 'constructor' }, /publisher must be one of/],
  [{ url, file: 'a', format: 'text' }, /"url" and "file" cannot be combined/],
  [{ url }, /needs a "format": text, json, csv/],
  [{ publisher: 'aws', format: 'json' }, /do not apply to documents of a publisher/],
  [{ names: ['a.example'], resolver: '9.9.9.9' }, /needs "mostAddresses"/],
  [{ names: ['a.example'], mostAddresses: 1 }, /needs a "resolver"/],
  [{ names: [], resolver: '9.9.9.9', mostAddresses: 1 }, /names must be a list of DNS names/],
  [{ names: ['192.0.2.1'], resolver: '9.9.9.9', mostAddresses: 1 }, /names must be a list of DNS names/],
  [
    { names: ['a.example'], resolver: 'dns.example', mostAddresses: 1 },
    /resolver must be the address of a resolver, such as 9\.9\.9\.9/,
  ],
  [{ names: ['a.example'], url, resolver: '9.9.9.9', mostAddresses: 1 }, /"names" cannot be combined/],
  [
    { names: ['a.example'], resolver: '9.9.9.9', mostAddresses: 1, bounds: { specialPurpose: true } },
    /"bounds" and "maxAgeDays" do not apply to "names"/,
  ],
  [{ publisher: 'aws', mostAddresses: 4 }, /"mostAddresses" applies only to "names"/],
  [{ publisher: 'aws', resolver: '9.9.9.9' }, /"resolver" applies only to "names"/],
  [{ url: 'http://lists.example.com/', format: 'text' }, /must start with https/],
  [{ url: `${url}#x`, format: 'text' }, /must not have a fragment/],
  [{ file: '../secrets', format: 'text' }, /must be in the folder of the declaration/],
  [{ file: 'a/../../b', format: 'text' }, /must be in the folder/],
  [{ file: '/etc/passwd', format: 'text' }, /must be in the folder/],
  [{ file: 'C:\\lists', format: 'text' }, /must be in the folder/],
  [{ publisher: 'azure', select: { tags: 'A' } }, /no permanent address: give a "url" or a "file"/],
  [{ publisher: 'github' }, /needs "select.keys": GitHub publishes many lists/],
  [{ publisher: 'fastly', select: { keys: 'x' } }, /"select.keys" is not available for Fastly/],
  [{ publisher: 'aws', select: { colours: 'x' } }, /feeds\.feed\.select has the unknown key "colours"/],
  [{ publisher: 'aws', select: { services: [] } }, /select\.services must be a string or a list of strings/],
  [{ url, format: 'text', select: { keys: 'x' } }, /"select" applies only to documents of a publisher/],
  [
    { url, format: 'text', pointer: '/a' },
    /"pointer" applies only to the format json, and "field" to json and csv/,
  ],
  [{ url, format: 'json', pointer: 'a' }, /must be a JSON Pointer/],
  [
    { url, format: 'text', field: 'a' },
    /"pointer" applies only to the format json, and "field" to json and csv/,
  ],
  [{ publisher: 'aws', aggregate: 'yes' }, /aggregate must be true or false/],
  [{ publisher: 'aws', maxAgeDays: 0 }, /maxAgeDays must be a whole number from 1 to 3650/],
  [{ publisher: 'aws', maxAgeDays: 0.5 }, /maxAgeDays must be a whole number/],
  [
    { publisher: 'aws', bounds: { atLeast: -1 } },
    /feeds\.feed\.bounds\.atLeast must be a number from 0 to 1/,
  ],
  [{ publisher: 'aws', bounds: { atLeast: 1.5 } }, /a number from 0 to 1/],
  [{ publisher: 'aws', bounds: { atMost: 0.5 } }, /atMost must be a number from 1 to 1000/],
  [{ publisher: 'aws', bounds: { atleast: 0.5 } }, /bounds has the unknown key "atleast"/],
])('wrong: %j: %s', (feed, problem) => {
  expect(() => read(feed)).toThrow(problem);
  if (!beyondSchema.test(problem.source)) expect(isOfSchema({ feeds: { feed } })).toBe(false);
});

test.each(['', 'Upper', 'a_b', '-a', 'a-', 'a b', 'a/b', '__proto__', 'a'.repeat(64)])(
  'wrong: the name %j',
  (name) => {
    const text = JSON.stringify({ feeds: {} }).replace('{}', `{${JSON.stringify(name)}:{"publisher":"aws"}}`);
    expect(() => parseDeclarations(text)).toThrow(/the name of a feed consists of lower-case letters/);
    expect(isOfSchema(JSON.parse(text))).toBe(false);
  },
);

test('the order of members and of what is selected does not count, nor does a default that is written out', () => {
  const one = read({
    publisher: 'github',
    select: { keys: ['web', 'hooks', 'web'] },
    aggregate: false,
  });
  const other = read({ select: { keys: ['hooks', 'web'] }, publisher: 'github' });
  expect(JSON.stringify(one?.source)).toBe(JSON.stringify(other?.source));
});
