// `encodeURIComponent('..')` is `..`: encoding does not make an identifier safe in a path, only a closed alphabet does.
const safeId = /^[A-Za-z0-9_-]{1,128}$/;

/** Whether a value may stand as an identifier in a path: 1 to 128 letters, digits, `_` or `-`. */
export const isSafeId = (value: unknown): value is string => typeof value === 'string' && safeId.test(value);
