'use strict';

// What Jest runs in place of a source. Each of its processes loads this, but a compiler only for what is not cached.
const { createHash } = require('node:crypto');
const { version } = require('typescript/package.json');
const { transpiled } = require('./transpiled.cjs');

/** @type {(source: string, file: string) => string} */
exports.getCacheKey = (source, file) =>
  createHash('sha1').update([version, file, source].join('\0')).digest('hex');

/** @type {(source: string, file: string) => { code: string, map?: object }} */
exports.process = (source, file) => {
  if (!file.endsWith('.ts')) return { code: asCommonJs(source) };
  const map = /** @type {object} */ (JSON.parse(transpiled(source, 'map')));
  return { code: transpiled(source), map: { ...map, sources: [file] } };
};

/** An ES module as CommonJS, whose imports mean what they mean in Node. @type {(source: string) => string} */
const asCommonJs = (source) => {
  const plugins = [['@babel/plugin-transform-modules-commonjs', { importInterop: 'node' }]];
  const made = require('@babel/core').transformSync(source, { plugins, configFile: false, babelrc: false });
  return made?.code ?? '';
};
