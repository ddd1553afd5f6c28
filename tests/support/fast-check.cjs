// All properties of a run draw their values from its seed, which jest.config.mjs chooses and the reporter prints.
const fastCheck = require('../../node_modules/fast-check/lib/cjs/fast-check.js');

fastCheck.configureGlobal({ seed: Number(process.env['EDGE_POLICY_SEED']) });

module.exports = fastCheck;
