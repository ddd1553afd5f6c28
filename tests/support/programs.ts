import type { Program } from './stack-options';

/**
 * A program in JavaScript with everything of the package in scope, and `pulumi`; what it returns becomes the stack's
 * outputs.
 */
export const program = (body: string): Program => ({
  js: `
const pulumi = require('@pulumi/pulumi');
const edge = require('pulumi-edge-policy');
const { IpPolicyRule, IpPolicyRuleSet, TcpEdgeTrafficPolicyModule, HttpsEdgeRouteUserAgentFilterModule, Provider } = edge;
Object.assign(exports, (() => { ${body} })());
`,
});

/** The text of a value as a program writes it; `undefined` entries are left out. */
export const literal = (value: unknown): string => JSON.stringify(value);
