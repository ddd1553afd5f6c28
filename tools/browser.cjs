// The browser that draws pictures, runs the tests of the access page, and measures it. CommonJS, as those tests are.
'use strict';
const { existsSync } = require('node:fs');

/** Debian's, or Google's. @returns {string} */
exports.findBrowser = () => {
  const places = ['/usr/bin/chromium', '/usr/bin/google-chrome'];
  const file = process.env['CHROMIUM'] ?? places.find((each) => existsSync(each));
  if (file === undefined) {
    throw new Error(
      'Chromium is missing: install it (Debian: apt-get install chromium), or name it in CHROMIUM.',
    );
  }
  return file;
};
