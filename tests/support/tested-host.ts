import type { Host } from '../../provider/src/resources/provider-reference';

/** The host that serves the resources unless a test names one; `npm run test:native` selects the plugin. */
export const testedHost: Host = process.env['EDGE_POLICY_TEST_HOST'] === 'native' ? 'native' : 'dynamic';
