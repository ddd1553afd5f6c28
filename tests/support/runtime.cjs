'use strict';

// Jest compiles a module anew for each test file that loads it. Its processes keep what V8 has made of each text for the next file.
const vm = require('node:vm');

const { compileFunction } = vm;
/** @type {Map<string, { readonly code: string, readonly cachedData: Buffer }>} */
const compiled = new Map();

vm.compileFunction = (code, params, options = {}) => {
  const { filename = '' } = options;
  const known = compiled.get(filename);
  if (known?.code === code)
    return compileFunction(code, params, { ...options, cachedData: known.cachedData });
  const made = compileFunction(code, params, { ...options, produceCachedData: true });
  if (made.cachedData) compiled.set(filename, { code, cachedData: made.cachedData });
  return made;
};

module.exports = require('jest-runtime');
