/** Reads the Authorization header. */
import { ServiceError } from '../../../domain/errors.ts';
import { API_KEY_PREFIX, hashSecret, PLUGIN_PREFIX } from './secrets.ts';

/** Extracts the token from the header, with or without its scheme. @throws ServiceError unauthorized if there is none */
export function bearerToken(header: string | undefined): string {
  const token = header?.trim().replace(/^bearer(\s+|$)/i, '') ?? '';
  if (token === '' || /\s/.test(token)) {
    throw new ServiceError(
      'unauthorized',
      'Send a token: Authorization: Bearer <token> (POST /api/auth/login issues one)',
    );
  }
  return token;
}

/** Cache of the names of authenticated tokens, by header: each comes with many requests. */
const names = new Map<string, string>();
const MAX_NAMES = 10_000;

/**
 * Derives the key for rate limits from a token: its session, which all its tokens share, or the API key. Reads the token without
 * verifying it, which costs almost nothing.
 * @returns undefined for anything but the service's own tokens
 */
export function nameInToken(header: string | undefined): string | undefined {
  return header === undefined ? undefined : (names.get(header) ?? readName(header));
}

/** Caches the name of an authenticated token; other headers could be long and numerous. */
export function keepName(header: string, name: string): void {
  if (names.size >= MAX_NAMES) names.clear();
  names.set(header, name);
}

function readName(header: string): string | undefined {
  try {
    const token = bearerToken(header);
    if (token.startsWith(API_KEY_PREFIX) || token.startsWith(PLUGIN_PREFIX))
      return `key ${hashSecret(token).toString('base64')}`;
    const [, payload = ''] = token.split('.');
    const { sid } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sid?: unknown };
    return typeof sid === 'string' ? `session ${sid}` : undefined;
  } catch {
    return undefined;
  }
}
