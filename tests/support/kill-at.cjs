'use strict';

// Ends the process before its n-th call of `node:fs` that concerns a file, if `KILL_AT` is "FILE n".
const fs = require('node:fs');

const [file = '', at] = (process.env['KILL_AT'] ?? '').split(' ');
let calls = 0;

/** @type {(call: Function) => Function} */
const watched = (call) =>
  Object.assign(
    /** @type {(this: unknown, ...args: unknown[]) => unknown} */
    function (...args) {
      const concerns = args.some((given) => typeof given === 'string' && given.includes(file));
      if (concerns || typeof args[0] === 'number') calls += 1;
      if (calls === Number(at) && calls > 0) process.kill(process.pid, 'SIGKILL');
      return Reflect.apply(call, this, args);
    },
    call,
  );

for (const [name, call] of Object.entries(fs))
  if (typeof call === 'function' && /^[a-z]/.test(name)) Object.assign(fs, { [name]: watched(call) });
