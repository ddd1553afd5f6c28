// The command line in one file. The review starts this file once more, to judge.
const { runCli } = require('../../cli/dist/run-cli.js');
const { processContext } = require('../../cli/dist/command/context.js');
const { isAskedToJudge, judgeStandardInput } = require('../../cli/dist/judge/judge-apart.js');

if (isAskedToJudge()) judgeStandardInput();
else {
  runCli(process.argv.slice(2), processContext()).then(
    (exitCode) => {
      process.exitCode = exitCode;
    },
    (error) => {
      console.error(error);
      process.exitCode = 3;
    },
  );
}
