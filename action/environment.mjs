/** @param {string} variable */
export function required(variable) {
  const value = process.env[variable];
  if (value === undefined || value === '') throw new Error(`${variable} is not set`);
  return value;
}
