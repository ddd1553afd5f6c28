// The command line with its review: what `edge-policy` loads from a package of the project stands in the bundle itself.
const { runCli } = require('../../provider/dist/cli/run-cli.js');
const { processContext } = require('../../provider/dist/cli/context.js');
const { reviewCommands } = require('../../review/dist/commands/index.js');

runCli(process.argv.slice(2), { ...processContext(), reviewCommands }).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error) => {
    console.error(error);
    process.exitCode = 3;
  },
);
