/** Checks the token with which a company identifies itself to the stand-in for FACe. */
import { createHash, createPublicKey, verify, X509Certificate } from 'node:crypto';

const LONGEST_SECONDS = 300;
/** Clocks may differ by so much. */
const LEEWAY_SECONDS = 30;

/** @param authority certificate in PEM of who must have issued the company's @returns what is wrong; null for nothing */
export function checkToken(authorization: string | undefined, authority: string, now: Date): string | null {
  const [, head = '', claims = '', signature = ''] =
    /^Bearer ([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(authorization ?? '') ?? [];
  try {
    const { alg, x5c } = decoded(head) as { alg?: string; x5c?: string[] };
    const { username, iat = 0, exp = 0 } = decoded(claims) as { username?: string; iat?: number; exp?: number };
    if (alg !== 'RS256' || x5c?.[0] === undefined) return 'El token no es RS256 con x5c';
    const certificate = new X509Certificate(Buffer.from(x5c[0], 'base64'));
    if (!certificate.verify(new X509Certificate(authority).publicKey)) return 'Certificado desconocido';
    if (username !== createHash('sha1').update(x5c[0]).digest('hex')) return 'El usuario no es el del certificado';
    const key = createPublicKey(certificate.publicKey.export({ type: 'spki', format: 'pem' }));
    if (!verify('sha256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url')))
      return 'La firma del token no es válida';
    const seconds = now.getTime() / 1000;
    if (exp - iat > LONGEST_SECONDS || exp < seconds || iat > seconds + LEEWAY_SECONDS) return 'El token ha caducado';
    return null;
  } catch {
    return 'No hay token';
  }
}

function decoded(part: string): unknown {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
}
