// `node bench/language-costs.mjs [ROUNDS [LANGUAGE…]]`: the processor time of a preview without changes of 10,000 rules, in each language, beside
// that of an empty stack in the same language, in turns; and whose it is. First: npm run test:languages
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { checkout, pinnedCliVersion, userCache } from '../tools/setup/paths.mjs';
import { plain } from './figure.mjs';
import { inTurns, medianRatio } from './in-turns.mjs';
import { median } from './median.mjs';
import { createProject } from './pulumi-project.mjs';
import { makeRules } from './rules.mjs';
import { startService } from './start-service.mjs';
import { program as typescript } from './variants/rule-set.mjs';
import { POLICY_ID } from './variants/pulumi-variant.mjs';

const COUNT = 10_000;
const [roundsGiven = '5', ...asked] = process.argv.slice(2);
const rounds = Number(roundsGiven);
const sdks = path.join(checkout, 'dist', 'sdks');
const hosts = readdirSync(userCache).filter((name) => name.startsWith('language-hosts-'));
const goEnv = (/** @type {string} */ name) => execFileSync('go', ['env', name], { encoding: 'utf8' }).trim();
/** The flags of tests/languages, which have compiled the SDK, and their cache. */
const goFlags = { CGO_ENABLED: '0', GOFLAGS: '-trimpath -buildvcs=false' };
const env = {
  ...goFlags,
  GOCACHE: goEnv('GOCACHE'),
  GOPATH: goEnv('GOPATH'),
  PATH: [path.join(sdks, 'tried', 'venv', 'bin'), ...hosts.map((name) => path.join(userCache, name))].join(
    path.delimiter,
  ),
};
const plugin = { name: 'edge-policy', path: path.join(checkout, 'provider', 'plugin') };

/** The file of a project. @param {unknown} runtime @param {object} [sections] */
const projectFile = (runtime, sections) =>
  stringify({ name: 'bench', runtime, plugins: { providers: [plugin] }, ...sections });

const PYTHON = `import json
import pulumi_edge_policy as edge_policy

with open("rules.json") as file:
    edge_policy.IpPolicyRuleSet("rules", ip_policy_id="${POLICY_ID}", rules=json.load(file))
`;

const goProgram = (/** @type {string} */ declared) => `package main

import (
	"encoding/json"
	"os"

	"example.com/pulumi-edge-policy/sdk/go/edgepolicy"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		text, err := os.ReadFile("rules.json")
		if err != nil {
			return err
		}
		var rules []struct{ Cidr, Action, Description string }
		if err := json.Unmarshal(text, &rules); err != nil {
			return err
		}
		var listed edgepolicy.IpPolicyRuleSetListedRuleArray
		for _, rule := range rules {
			listed = append(listed, edgepolicy.IpPolicyRuleSetListedRuleArgs{
				Cidr: pulumi.String(rule.Cidr), Action: pulumi.String(rule.Action), Description: pulumi.String(rule.Description),
			})
		}
		${declared}
	})
}
`;

const GO_SET = `_, err = edgepolicy.NewIpPolicyRuleSet(ctx, "rules", &edgepolicy.IpPolicyRuleSetArgs{IpPolicyId: pulumi.String("${POLICY_ID}"), Rules: listed})
		return err`;

/** The host builds the program in each run, in both of a pair, from what is compiled here. @param {string} cwd */
const prepareGo = (cwd) => {
  const go = (/** @type {string[]} */ ...args) =>
    execFileSync('go', args, { cwd, stdio: 'pipe', env: { ...process.env, ...goFlags } });
  go('mod', 'edit', `-replace=example.com/pulumi-edge-policy/sdk/go=${path.join(sdks, 'go')}`);
  go('mod', 'tidy');
  go('build', '-o', 'program', '.');
};

const goFiles = (/** @type {string} */ declared) => ({
  'Pulumi.yaml': projectFile('go'),
  'main.go': goProgram(declared),
  'go.mod': `module program\n\ngo 1.25\n\nrequire github.com/pulumi/pulumi/sdk/v3 v${pinnedCliVersion}\n`,
});

const yamlSet = {
  type: 'edge-policy:IpPolicyRuleSet',
  properties: { ipPolicyId: POLICY_ID, rules: makeRules(COUNT) },
};

/** @type {Record<string, { empty: object, set: object, prepare?: (folder: string) => void }>} */
const LANGUAGES = {
  'typescript, default host': { empty: { program: '' }, set: { program: typescript } },
  'typescript, plugin': {
    empty: { program: '', isNative: true },
    set: { program: typescript, isNative: true },
  },
  python: {
    empty: { files: { 'Pulumi.yaml': projectFile('python'), '__main__.py': 'import pulumi_edge_policy\n' } },
    set: { files: { 'Pulumi.yaml': projectFile('python'), '__main__.py': PYTHON } },
  },
  yaml: {
    empty: { files: { 'Pulumi.yaml': projectFile('yaml') } },
    set: { files: { 'Pulumi.yaml': projectFile('yaml', { resources: { rules: yamlSet } }) } },
  },
  go: {
    empty: { files: goFiles('_ = listed\n\t\treturn nil') },
    set: { files: goFiles(GO_SET) },
    prepare: prepareGo,
  },
};

const total = (/** @type {Record<string, number>} */ parts) =>
  Object.values(parts).reduce((sum, ms) => sum + ms, 0);

const service = await startService();
const figures = [];
try {
  for (const [language, { prepare, ...programs }] of Object.entries(LANGUAGES)) {
    if (asked.length > 0 && !asked.some((name) => language.startsWith(name))) continue;
    await service.reset();
    const projects = [];
    for (const of of [programs.empty, programs.set]) {
      const project = await createProject({ program: '', service, env, ...of });
      projects.push(project);
      project.declare(makeRules(COUNT));
      prepare?.(project.folder);
      await project.up();
    }
    const [empty, set] = projects;
    const costs = await inTurns(
      { empty: () => empty.preview('--expect-no-changes'), set: () => set.preview('--expect-no-changes') },
      rounds,
    );
    const seconds = (/** @type {(round: typeof costs[0]) => number} */ of) =>
      (median(costs.map(of)) / 1000).toFixed(1);
    const more = Object.keys(costs[0].set.cpuMsOf).map(
      (kind) => `${kind} ${seconds((round) => round.set.cpuMsOf[kind] - round.empty.cpuMsOf[kind])}`,
    );
    const added = (/** @type {typeof costs[0]} */ round) =>
      total(round.set.cpuMsOf) - total(round.empty.cpuMsOf);
    console.log(
      `${language}: empty ${seconds((round) => total(round.empty.cpuMsOf))} s, the set ${seconds(added)} s more: ${more.join(', ')}`,
    );
    const ours = medianRatio(
      costs,
      (round) => (round.set.cpuMsOf.plugin - round.empty.cpuMsOf.plugin) / added(round),
    );
    figures.push(plain(`${language}: share of the plugin`, ours));
    for (const project of projects) project.remove();
  }
} finally {
  service.close();
}
for (const figure of figures) console.log(JSON.stringify(figure));
