/** Version of this package as sent in the User-Agent header; a test holds it equal to package.json. */
export const packageVersion = '0.1.0';
