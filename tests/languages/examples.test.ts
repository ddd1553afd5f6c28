import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { edgePolicy } from '../support/edge-policy-cli';
import { writeFeedFiles } from '../support/feeds/feed-files';
import { startService, stackOnService } from '../support/service-stack';
import { checkout } from '../support/workspace';
import { type Language, languages, writeProgram } from './language';

// A machine that has compiled nothing yet compiles the whole SDK of Go within a test.
jest.setTimeout(900_000);

const folder = path.join(checkout, 'tools', 'schema', 'examples');

/** The blocks of a language, by the example that they belong to. */
const examplesIn = (language: string): Map<string, string> =>
  new Map(
    readdirSync(folder).map((file) => {
      const text = readFileSync(path.join(folder, file), 'utf8');
      const source = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(text)?.[1];
      if (source === undefined) throw new Error(`${file} has no example in ${language}`);
      return [path.basename(file, '.md'), source];
    }),
  );

/** An edit of each example that declares a resource, with the writes that it should send. */
const EDITS: Readonly<
  Record<string, { readonly of: RegExp; readonly to: string; readonly sends: string[] }>
> = {
  'ip-policy-rule': {
    of: /(description|Description)(.*)Office/i,
    to: '$1$2Head office',
    sends: ['PATCH /ip_policy_rules'],
  },
  'ip-policy-rule-set': { of: /Amsterdam/, to: 'Rotterdam', sends: ['PATCH /ip_policy_rules'] },
  'tcp-edge-traffic-policy-module': { of: /192\.0\.2\.1/, to: '192.0.2.9', sends: ['PUT /edges/tcp'] },
  'https-edge-route-user-agent-filter-module': { of: /nikto/, to: 'wpscan', sends: ['PUT /edges/https'] },
  'rules-from': { of: /exceptions\.json/, to: 'fewer.json', sends: ['DELETE /ip_policy_rules'] },
  'feed-rules': {
    of: /allow/,
    to: 'deny',
    sends: ['DELETE', 'DELETE', 'POST', 'POST'].map((method) => `${method} /ip_policy_rules`),
  },
};

const edited = (examples: ReadonlyMap<string, string>): Map<string, string> =>
  new Map(
    [...examples].map(([name, source]) => [
      name,
      source.replace(EDITS[name]?.of ?? /$^/, EDITS[name]?.to ?? ''),
    ]),
  );

/** The part of a path that tells the kinds of objects apart. */
const collection = /^\/(?:edges\/\w+|\w+)/;

const policy = 'ipp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa';
const otherPolicy = 'ipp_9XhTq4LmKb7CyJd1FsGa2ZnV5Rw8';
const edge = 'edgtcp_4LmKb7CyJd1FsGa2ZnV5Rw8XhTq';
const route = 'edghts_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa/edghtsrt_9XhTq4LmKb7CyJd1FsGa2ZnV5Rw8';

/** A stack with no program yet, on a service with what the look-ups of the examples find: objects that are managed elsewhere. */
async function emptyStack() {
  const service = await startService();
  service.emulator.seed({
    rules: [
      { id: 'ipr_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa', cidr: '198.18.0.0/24', ip_policy_id: policy, action: 'deny' },
    ],
    tcpModules: { [edge]: { enabled: true, value: '{"inbound":[]}' } },
    httpsModules: { [route]: { enabled: true, allow: [], deny: ['curl'] } },
  });
  return stackOnService({ program: { ts: '' }, project: 'examples', host: 'native' }, service);
}

test.each(languages)(
  'the examples in $name: up, an edit, a refresh, nothing left to do, destroy',
  async (language) => {
    const examples = examplesIn(language.name);
    const { stack, emulator } = await emptyStack();
    const project = stack.folder.project;
    const seeded = emulator.state();
    writeFeedFiles(project, {
      cloudflare: { source: { publisher: 'cloudflare' }, networks: ['173.245.48.0/20', '2400:cb00::/32'] },
    });
    const listed = (networks: object) => JSON.stringify({ exceptions: { ...networks, action: 'allow' } });
    const [one, other] = [
      { '192.0.2.8/32': { reason: 'vendor' } },
      { '192.0.2.9/32': { until: '2999-12-31' } },
    ];
    writeFileSync(path.join(project, 'exceptions.json'), listed({ ...one, ...other }));
    writeFileSync(path.join(project, 'fewer.json'), listed(one));
    writeProgram(project, language, examples);
    const env = language.prepare(stack);

    expect((await stack.up({ env })).changes).toEqual({ create: 6 });
    const { output } = await stack.call(['stack', 'output', '--json'], { env });
    expect(JSON.parse(output)).toMatchObject({
      network: '198.18.0.0/24',
      isProtected: true,
      refused: ['curl'],
    });

    const before = emulator.journal.length;
    writeProgram(project, language, edited(examples));
    language.prepare(stack);
    expect((await stack.up({ env })).changes).toEqual({ update: 6 });
    const writes = emulator.journal.slice(before).filter(({ method }) => method !== 'GET');
    expect(
      writes.map(({ method, path: place }) => `${method} ${collection.exec(place)?.[0]}`).sort(),
    ).toEqual(
      Object.values(EDITS)
        .flatMap(({ sends }) => sends)
        .sort(),
    );
    expect((await stack.refresh({ env })).changes).toEqual({});
    await stack.expectEmptyPreview({ env });
    await stack.destroy({ env });
    expect(emulator.state()).toEqual(seeded);
  },
);

const languageOf = (name: string): Language => {
  const found = languages.find((language) => language.name === name);
  if (found === undefined) throw new Error(`no language ${name}`);
  return found;
};

/** A stack whose program is a YAML project with these sections. */
async function yamlStack(sections: object) {
  const { stack, emulator } = await emptyStack();
  const write = (content: object): void => {
    writeProgram(stack.folder.project, languageOf('yaml'), new Map([['program', stringify(content)]]));
  };
  write(sections);
  return { stack, emulator, write };
}

const call = (name: string, of: object): object => ({
  'fn::invoke': { function: `edge-policy:${name}`, arguments: of },
});

test('yaml: the rules of a feed, those of a set and their ids, and the action of a rule, are inputs of other resources', async () => {
  const type = 'edge-policy:IpPolicyRule';
  const { stack, emulator } = await yamlStack({
    variables: { feed: call('feedRules', { path: '${pulumi.cwd}', feeds: 'cdn', action: 'allow' }) },
    resources: {
      set: { type: `${type}Set`, properties: { ipPolicyId: policy, rules: '${feed.rules}' } },
      copy: { type: `${type}Set`, properties: { ipPolicyId: otherPolicy, rules: '${set.ruleList}' } },
      note: {
        type,
        properties: {
          ...{ ipPolicyId: otherPolicy, cidr: '192.0.2.7/32', action: 'deny' },
          metadata: '${set.ruleIds["20.0.0.0/24"]}',
        },
      },
      rule: { type, properties: { ipPolicyId: policy, cidr: '192.0.2.0/24', action: 'deny' } },
      other: {
        type,
        properties: { ipPolicyId: otherPolicy, cidr: '192.0.2.0/24', action: '${rule.action}' },
      },
    },
  });
  writeFeedFiles(stack.folder.project, {
    cdn: { source: { publisher: 'cloudflare' }, networks: ['20.0.0.0/24'] },
  });
  expect((await stack.up()).changes).toEqual({ create: 5 });
  await stack.expectEmptyPreview();
  const { rules } = emulator.state();
  const live = rules.filter(({ ip_policy: { id } }) => id === otherPolicy);
  const feedRule = rules.find(({ ip_policy, cidr }) => ip_policy.id === policy && cidr === '20.0.0.0/24');
  expect(live.find(({ cidr }) => cidr === '192.0.2.7/32')?.metadata).toBe(feedRule?.id);
  expect(live.map(({ action, cidr }) => `${action} ${cidr}`).sort()).toEqual([
    'allow 20.0.0.0/24',
    'deny 192.0.2.0/24',
    'deny 192.0.2.7/32',
  ]);
});

test('python: a look-up of an output', async () => {
  const { stack } = await emptyStack();
  const source = `
import pulumi
import pulumi_edge_policy as edge_policy

rule = edge_policy.IpPolicyRule("rule", ip_policy_id="${policy}", cidr="192.0.2.0/24", action="deny")
pulumi.export("action", edge_policy.get_ip_policy_rule_output(id=rule.id).action)
`;
  const python = languageOf('python');
  writeProgram(stack.folder.project, python, new Map([['program', source]]));
  const env = python.prepare(stack);
  await stack.up({ env });
  expect((await stack.call(['stack', 'output', 'action'], { env })).output.trim()).toBe('deny');
});

test('yaml: a function that is passed the id of a resource waits for the resource, in the first preview, too', async () => {
  const { stack } = await yamlStack({
    variables: { live: call('getTcpEdgeTrafficPolicyModule', { edgeId: '${edge.id}' }) },
    resources: {
      edge: {
        type: 'edge-policy:TcpEdgeTrafficPolicyModule',
        properties: { edgeId: 'edgtcp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa', value: { inbound: [] } },
      },
    },
    outputs: { isProtected: '${live.enabled}' },
  });
  expect((await stack.preview()).changes).toEqual({ create: 1 });
  await stack.up();
  const { output } = await stack.call(['stack', 'output', 'isProtected']);
  expect(output.trim()).toBe('true');
});

test('yaml: what pulumi import writes of each type runs, with an empty preview', async () => {
  const { stack, emulator, write } = await yamlStack({});
  const objects = [
    ['IpPolicyRule', 'ipr_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa'],
    ['IpPolicyRuleSet', otherPolicy],
    ['TcpEdgeTrafficPolicyModule', edge],
    ['HttpsEdgeRouteUserAgentFilterModule', route],
  ] as const;
  emulator.seed({
    rules: [{ cidr: '198.18.1.0/24', ip_policy_id: otherPolicy, action: 'allow', description: 'a' }],
  });
  const resources: object[] = [];
  for (const [index, [type, id]] of objects.entries()) {
    const token = `edge-policy:index:${type}`;
    const { output } = await stack.call(['import', token, `imported${index}`, id, '--yes', '--skip-preview']);
    const [code = ''] = /^resources:\n(?: .*\n)+/m.exec(output) ?? [];
    resources.push((parse(code) as { readonly resources: object }).resources);
  }
  write({ resources: Object.assign({}, ...resources) as object });
  await stack.expectEmptyPreview();
});

const officeListOf = (language: string): string =>
  path.join(checkout, 'examples', `office-allow-list-${language}`);

const tried = languages.filter(({ name }) => existsSync(officeListOf(name)));

test.each(tried)('the office list in $name', async (language) => {
  const { stack, emulator } = await stackOnService({
    program: { folder: officeListOf(language.name) },
    project: `office-allow-list-${language.name}`,
  });
  await edgePolicy(stack, ['setup-plugin']);
  const env = language.prepare(stack);
  await stack.up({ env });
  expect(emulator.state().rules.map(({ cidr }) => cidr)).toContain('203.0.113.7/32');
});
