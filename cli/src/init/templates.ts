import { readFileSync } from 'node:fs';
import path from 'node:path';

export interface Values {
  readonly stack: string;
  /** The folder of the project, relative to the root of the repository. */
  readonly folder: string;
  readonly branch: string;
  /** The repository of the action and the commit to call it by. */
  readonly action: { readonly repository: string; readonly commit: string };
}

/** The templates of a forge, and their folder in a repository. */
const TEMPLATES = {
  github: {
    folder: '.github/workflows/',
    names: ['access-preview', 'access-review', 'access-apply', 'scheduled-up', 'access-drift'],
  },
  gitlab: { folder: '', names: ['gitlab-ci'] },
} as const;

type Forge = keyof typeof TEMPLATES;

/** The files of a forge by their place, with nothing left open. */
export function filesOf(forge: Forge, { stack, folder, branch, action }: Values): Map<string, string> {
  const fill = (template: string): string =>
    readFileSync(path.join(__dirname, '..', '..', 'templates', template), 'utf8')
      .replaceAll('<organization>/<project>/<stack>', stack)
      .replaceAll('<folder>', folder)
      .replaceAll('<branch>', branch)
      .replaceAll('<owner>/<repository>', action.repository)
      .replaceAll('<commit>', action.commit);
  const { folder: place, names } = TEMPLATES[forge];
  return new Map(names.map((name) => [`${place}${name}.yml`, fill(`${name}.yml`)] as const));
}

/** What only a person with rights can create. */
export const checklist = (forge: Forge, values: Values): string =>
  forge === 'github' ? forGitHub(values) : FOR_GITLAB;

/** Whoever can change a workflow gets its keys: somebody who owns it has to approve. */
const APPROVAL = {
  required_approving_review_count: 1,
  require_code_owner_review: true,
  require_last_push_approval: true,
  dismiss_stale_reviews_on_push: true,
  required_review_thread_resolution: false,
};

/** The check that must pass, from the app that makes it only. */
const ruleset = ({ stack, branch }: Values): string =>
  JSON.stringify({
    name: 'access review',
    target: 'branch',
    enforcement: 'active',
    conditions: { ref_name: { include: [`refs/heads/${branch}`], exclude: [] } },
    rules: [
      {
        type: 'required_status_checks',
        parameters: {
          strict_required_status_checks_policy: true,
          required_status_checks: [
            { context: `access review: ${stack} into ${branch}`, integration_id: 'APP_ID' },
          ],
        },
      },
      { type: 'pull_request', parameters: APPROVAL },
    ],
  }).replace('"APP_ID"', 'APP_ID');

/** An environment for one branch, by its name: "protected branches only" means any branch while a repository protects none. */
function environment(name: string, { branch }: Values, reviewers = ''): string {
  const place = `repos/{owner}/{repo}/environments/${name}`;
  const body = `{${reviewers}"deployment_branch_policy":{"protected_branches":false,"custom_branch_policies":true}}`;
  return `gh api --method PUT '${place}' --input - <<< '${body}'
      gh api --method POST '${place}/deployment-branch-policies' -f name='${branch}'`;
}

const forGitHub = (values: Values): string => `
Only a person can create the rest:

[ ] A secret with a token that can only read the stack, and in the environments tokens and keys, each for its job alone:
      gh secret set PULUMI_READ_TOKEN
[ ] The environment whose required reviewers accept what the gate stops (ID: gh api users/LOGIN --jq .id):
      ${environment('edge-policy-approvals', values, '"prevent_self_review":true,"reviewers":[{"type":"User","id":ID}],')}
[ ] The environment of the jobs that apply; its key of the service can write:
      ${environment('edge-policy-apply', values)}
      gh secret set PULUMI_ACCESS_TOKEN --env edge-policy-apply
      gh secret set EDGE_POLICY_API_KEY --env edge-policy-apply
[ ] The environment of the search for drift; its key of the service can read:
      ${environment('edge-policy-drift', values)}
      gh secret set EDGE_POLICY_API_KEY --env edge-policy-drift
[ ] A GitHub app of your own with "Checks: write", "Pull requests: write", "Actions: read" and "Contents: read", installed in this
    repository: any workflow of a branch can make a check with its own token. Its secrets are those of two environments:
      ${environment('edge-policy-judge', values)}
      for name in edge-policy-judge edge-policy-approvals; do
        gh secret set ACCESS_APP_CLIENT_ID --env "$name"; gh secret set ACCESS_APP_PRIVATE_KEY --env "$name"
      done
[ ] A file .github/CODEOWNERS with a line such as "/.github/ @acme/security": whoever can change the workflows gets their keys
[ ] The ruleset that requires the check, from this app only (APP_ID is its number), and the approval of owners:
      gh api --method POST 'repos/{owner}/{repo}/rulesets' --input - <<< '${ruleset(values)}'
`;

const FOR_GITLAB = `
Only a person can create the rest; the head of gitlab-ci.yml names the variables:

[ ] A project that only maintainers can push to, with gitlab-ci.yml, as the "CI/CD configuration file" of this one.
[ ] The masked variables PULUMI_READ_TOKEN, GITLAB_REPORT_TOKEN and EDGE_POLICY_API_KEY, the last two each for its environment only.
[ ] "Pipelines must succeed" in the settings of merge requests.
[ ] In a paid tier: the protected environment edge-policy-approvals, into which only approvers may deploy, and its name behind "approvals="
    in gitlab-ci.yml. Without it, nobody can accept what the gate stops.
[ ] A schedule of the default branch, for the search for drift.
`;
