// A ready-made pack: its settings, and the level of each policy, come from the pack's configuration.
const { PolicyPack } = require('@pulumi/policy');
const { edgePolicies } = require('pulumi-edge-policy-pack');

new PolicyPack('edge-policy', { policies: edgePolicies() });
