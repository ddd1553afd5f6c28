// CI tries the same values each time, so that a red run is the fault of its commit. Elsewhere each run draws new ones.
const fastCheck = require('../../node_modules/fast-check/lib/cjs/fast-check.js');

if (process.env['CI']) fastCheck.configureGlobal({ seed: 1 });

module.exports = fastCheck;
