import { createProject } from '../pulumi-project.mjs';
import { makeRules } from '../rules.mjs';

/**
 * One way to manage a list of rules, to be measured beside the others. `start` prepares it for so many rules; each step
 * then does what its name says and answers how long it took.
 *
 * @typedef {{ wallMs: number, peakMemoryBytes?: number | undefined, pluginCpuMs?: number | undefined, stateBytes?: number }} Measured
 * @typedef {{ service: Pick<import('../start-service.mjs').Service, 'url' | 'apiKey'>, count: number, env?: NodeJS.ProcessEnv }} Scene
 * @typedef {Partial<Record<StepName, () => Promise<Measured>>> & { remove?: () => void }} Steps
 * @typedef {'create' | 'preview' | 'update' | 'change' | 'refresh' | 'destroy'} StepName
 * @typedef {{ id: string, title: string, maxCount: number, start: (scene: Scene) => Promise<Steps> }} Variant
 */

/** How many rules the step `change` changes. */
export const changedCount = (count) => Math.ceil(count / 100);

/**
 * A variant that is a Pulumi program. The program finds the rules in `rules.json` in its folder.
 *
 * @param {{ id: string, title: string, maxCount: number, program: string, isNative?: boolean }} variant
 * @returns {Variant}
 */
export const pulumiVariant = ({ program, isNative = false, ...variant }) => ({
  ...variant,
  start: async ({ service, count, env = {} }) => {
    const project = await createProject({ program, service, env, isNative });
    const up = async (rules) => {
      project.declare(rules);
      return { ...(await project.up()), stateBytes: project.stateBytes() };
    };
    return {
      create: () => up(makeRules(count)),
      preview: project.preview,
      change: () => up(makeRules(count, { changedCount: changedCount(count) })),
      update: () => up(makeRules(count, { generation: 'updated', changedCount: changedCount(count) })),
      refresh: project.refresh,
      destroy: project.destroy,
      remove: project.remove,
    };
  },
});

/** The id of the policy that all rules belong to. */
export const POLICY_ID = 'ipp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa';
