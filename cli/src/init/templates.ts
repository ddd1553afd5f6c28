import { readFileSync } from 'node:fs';
import path from 'node:path';

/** What the templates leave open. */
export interface Values {
  /** The full name of the stack. */
  readonly stack: string;
  /** The folder of the project, relative to the root of the repository. */
  readonly folder: string;
  readonly branch: string;
  /** The repository of the action and the commit to call it by. */
  readonly action: { readonly repository: string; readonly commit: string };
}

const WORKFLOWS = '.github/workflows';

/** The templates of a forge, and the place of each in a repository. */
export const TEMPLATES = {
  github: {
    'access-preview.yml': `${WORKFLOWS}/access-preview.yml`,
    'access-review.yml': `${WORKFLOWS}/access-review.yml`,
    'access-apply.yml': `${WORKFLOWS}/access-apply.yml`,
    'scheduled-up.yml': `${WORKFLOWS}/scheduled-up.yml`,
    'access-drift.yml': `${WORKFLOWS}/access-drift.yml`,
  },
  gitlab: { 'gitlab-ci.yml': 'gitlab-ci.yml' },
} as const;

export type Forge = keyof typeof TEMPLATES;

/** The files of a forge by their place, with nothing left open. */
export function filesOf(forge: Forge, { stack, folder, branch, action }: Values): Map<string, string> {
  const fill = (template: string): string =>
    readFileSync(path.join(__dirname, '..', '..', 'templates', template), 'utf8')
      .replaceAll('<organization>/<project>/<stack>', stack)
      .replaceAll('<folder>', folder)
      .replaceAll('<branch>', branch)
      .replaceAll('<owner>/<repository>', action.repository)
      .replaceAll('<commit>', action.commit);
  return new Map(
    Object.entries(TEMPLATES[forge]).map(([template, place]) => [place, fill(template)] as const),
  );
}
