/** Identifies a company to FACe: a token of five minutes, signed with its certificate's key (manual of the providers' interface, 2.0). */
import { createHash, X509Certificate } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { KeyPair } from '../../../ledger/verifactu/certificate/open.ts';

/** The longest life that FACe takes. */
const LIFE_SECONDS = 300;

/** The token. It names the certificate by the SHA-1 of its base64, as FACe wants it. */
export function faceToken({ key, chain }: KeyPair, now: Date): string {
  const certificate = new X509Certificate(chain[0] as string).raw.toString('base64');
  const seconds = Math.floor(now.getTime() / 1000);
  const claims = {
    username: createHash('sha1').update(certificate).digest('hex'),
    iat: seconds,
    exp: seconds + LIFE_SECONDS,
  };
  return jwt.sign(claims, key, { algorithm: 'RS256', header: { typ: 'JWT', alg: 'RS256', x5c: [certificate] } });
}
