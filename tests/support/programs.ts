import type { Program } from './stack-options';

// Loading the SDK's index takes longer than everything else in a program.
const sdkFor = (body: string): string =>
  body.includes('pulumi.') ? `const pulumi = require('@pulumi/pulumi');` : '';

/**
 * A program in JavaScript with everything of the package in scope, and `pulumi` if it uses it; its return value becomes the
 * stack's outputs.
 */
export const program = (body: string): Program => ({
  js: `
${sdkFor(body)}
const edge = require('pulumi-edge-policy');
const { IpPolicyRule, IpPolicyRuleSet, TcpEdgeTrafficPolicyModule, HttpsEdgeRouteUserAgentFilterModule, Provider } = edge;
Object.assign(exports, (() => { ${body} })());
`,
});

/** A value in the syntax of a program; `undefined` entries are omitted. */
export const literal = (value: unknown): string => JSON.stringify(value);
