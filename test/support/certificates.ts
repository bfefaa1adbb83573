import 'reflect-metadata';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import * as x509 from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const weakAlgorithm = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 1024,
  publicExponent: new Uint8Array([1, 0, 1]),
};
const hourMs = 3_600_000;

/** A key and its certificate, as PEM. */
export interface Certified {
  readonly key: string;
  readonly cert: string;
}

interface SignOptions {
  readonly hosts?: readonly string[];
  readonly hours?: number;
  /** Whether the certificate's own key is shorter than TLS accepts. */
  readonly isWeak?: boolean;
}

/** A certificate authority of the test's own. */
export interface Authority {
  readonly cert: string;
  /** Signs a certificate for 127.0.0.1, or for other hosts, that is valid from an hour ago to so many hours from now. */
  readonly sign: (options?: SignOptions) => Promise<Certified>;
}

/** An authority that this process trusts from now on. */
export async function createTrustedAuthority(): Promise<Authority> {
  const authority = await createAuthority();
  setDefaultCACertificates([...getCACertificates('default'), authority.cert]);
  return authority;
}

export async function createAuthority(): Promise<Authority> {
  x509.cryptoProvider.set(crypto);
  const createKeys = () => crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const createWeakKeys = () => crypto.subtle.generateKey(weakAlgorithm, true, ['sign', 'verify']);
  const keys = await createKeys();
  const name = 'CN=Test authority';
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    name,
    keys,
    signingAlgorithm: algorithm,
    extensions: [new x509.BasicConstraintsExtension(true, 1, true)],
  });
  return {
    cert: root.toString('pem'),
    sign: async ({ hosts = ['127.0.0.1'], hours = 1, isWeak = false } = {}) => {
      const { publicKey, privateKey } = await (isWeak ? createWeakKeys() : createKeys());
      const now = Date.now();
      const names = hosts.map((value) => ({
        type: /^[\d.]+$/.test(value) ? ('ip' as const) : ('dns' as const),
        value,
      }));
      const cert = await x509.X509CertificateGenerator.create({
        subject: 'CN=Payments service',
        issuer: name,
        notBefore: new Date(now - 2 * hourMs),
        notAfter: new Date(now + hours * hourMs),
        publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: algorithm,
        extensions: [new x509.SubjectAlternativeNameExtension(names)],
      });
      const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', privateKey)).toString('base64');
      const key = `-----BEGIN PRIVATE KEY-----\n${pkcs8.match(/.{1,64}/g)?.join('\n')}\n-----END PRIVATE KEY-----\n`;
      return { key, cert: cert.toString('pem') };
    },
  };
}
