import type { Program } from './stack-options';

// Loading the SDK's index takes longer than all else that a program does.
const sdkFor = (body: string): string =>
  body.includes('pulumi.') ? `const pulumi = require('@pulumi/pulumi');` : '';

/**
 * A program in JavaScript with everything of the package in scope, and `pulumi` where it names it; what it returns becomes
 * the stack's outputs.
 */
export const program = (body: string): Program => ({
  js: `
${sdkFor(body)}
const edge = require('pulumi-edge-policy');
const { IpPolicyRule, IpPolicyRuleSet, TcpEdgeTrafficPolicyModule, HttpsEdgeRouteUserAgentFilterModule, Provider } = edge;
Object.assign(exports, (() => { ${body} })());
`,
});

/** The text of a value as a program writes it; `undefined` entries are left out. */
export const literal = (value: unknown): string => JSON.stringify(value);
