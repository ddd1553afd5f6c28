/** Version of this package as sent in the User-Agent header; a test holds it equal to package.json. */
export const PACKAGE_VERSION = '0.1.0';
