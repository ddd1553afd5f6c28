// The command line with its review: the package that `edge-policy` loads from the project is bundled here. The review starts this
// file once more, to judge.
const { runCli } = require('../../provider/dist/cli/run-cli.js');
const { processContext } = require('../../provider/dist/cli/context.js');
const { isAskedToJudge, judgeStandardInput, reviewCommands } = require('../../review/dist/commands/index.js');

if (isAskedToJudge()) judgeStandardInput();
else {
  runCli(process.argv.slice(2), { ...processContext(), reviewCommands }).then(
    (exitCode) => {
      process.exitCode = exitCode;
    },
    (error) => {
      console.error(error);
      process.exitCode = 3;
    },
  );
}
