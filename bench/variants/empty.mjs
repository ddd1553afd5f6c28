import { pulumiVariant } from './pulumi-variant.mjs';

/** The cost of every run of the CLI, with one resource so that a plugin is started: the baseline for the others. */
export const empty = pulumiVariant({ id: 'empty', title: 'no resource', maxCount: Infinity, program: '' });

const oneRule = {
  maxCount: Infinity,
  program: `
    const { IpPolicyRule } = require('pulumi-edge-policy');
    new IpPolicyRule('rule', { cidr: '192.0.2.0/24', action: 'allow', ipPolicyId: 'ipp_2ZnV5Rw8XhTq4LmKb7CyJd1FsGa' });
  `,
};

export const one = pulumiVariant({ id: 'one', title: 'one resource', ...oneRule });

export const oneNative = pulumiVariant({
  id: 'one-native',
  title: 'one resource, with the plugin',
  isNative: true,
  ...oneRule,
});
