import { PACKAGE_VERSION } from '../../../provider/src/api/client-settings';
import packageJson from '../../../provider/package.json';

test('the version in the User-Agent header is that of the package', () => {
  expect(PACKAGE_VERSION).toBe(packageJson.version);
});
