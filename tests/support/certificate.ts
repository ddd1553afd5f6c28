import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderOf } from './folder';

/** A certificate that nobody trusts by default. */
export interface SelfSigned {
  readonly key: string;
  readonly cert: string;
  /** The file of the certificate, for NODE_EXTRA_CA_CERTS. */
  readonly certFile: string;
}

/** Makes a self-signed certificate for an address, with openssl; the files are removed after the test. */
export const createSelfSigned = (address = '127.0.0.1'): SelfSigned => {
  const folder = folderOf();
  const keyFile = join(folder, 'key.pem');
  const certFile = join(folder, 'cert.pem');
  const request = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2'.split(' ');
  const subject = ['-subj', `/CN=${address}`, '-addext', `subjectAltName=IP:${address}`];
  execFileSync('openssl', [...request, '-keyout', keyFile, '-out', certFile, ...subject], { stdio: 'pipe' });
  return { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8'), certFile };
};
