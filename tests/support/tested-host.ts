import type { Host } from '../../provider/src/resources/provider-reference';

/** Who serves the resources where a test does not say so; `npm run test:native` asks for the plugin. */
export const testedHost: Host = process.env['EDGE_POLICY_TEST_HOST'] === 'native' ? 'native' : 'dynamic';
