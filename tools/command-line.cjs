// The command line in one file. The review starts this file once more, to judge.
const { isAskedToJudge, judgeStandardInput } = require('../cli/dist/judge/judge-apart.js');

if (isAskedToJudge()) judgeStandardInput();
else require('../cli/dist/main.js');
