/**
 * The edit of the quickstart that the pictures show: another network, the policy switched off, one more pattern.
 *
 * @param {string} program
 */
export const editQuickstart = (program) =>
  program
    .replace("'203.0.113.0/24'", "'198.51.100.0/24'")
    .replace('  value: {\n', '  enabled: false,\n  value: {\n')
    .replace("'(?i)nikto'", "'(?i)nikto', '(?i)masscan'");
