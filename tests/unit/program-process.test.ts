import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { checkout } from '../support/workspace';

/** The files that a fresh Node process loads for an entry of the package, after others. */
const filesLoadedBy = (entry: string, others = ''): string[] => {
  const script = `
    ${others}
    const before = new Set(Object.keys(require.cache));
    require('${entry}');
    console.log(JSON.stringify(Object.keys(require.cache).filter((file) => !before.has(file))));`;
  const printed = execFileSync(process.execPath, ['-e', script], {
    cwd: path.join(checkout, 'examples'),
    encoding: 'utf8',
  });
  const files = JSON.parse(printed) as string[];
  expect(files.filter((file) => file.includes('/provider/dist/'))).not.toEqual([]);
  return files;
};

test('a program that imports the package loads neither the HTTP client nor any other library beside what the Pulumi SDK loads', () => {
  const libraries = /\/node_modules\/(?:axios|ip-cidr|ip-address|re2js|commander)\//;
  const files = filesLoadedBy('pulumi-edge-policy', `require('@pulumi/pulumi');`);
  expect(files.filter((file) => libraries.test(file))).toEqual([]);
});

test('a program that imports the package alone does not load the TypeScript compiler, which the index of the SDK does', () => {
  const compilers = filesLoadedBy('pulumi-edge-policy').filter((file) => file.includes('typescript'));
  expect(compilers).toEqual([]);
});
