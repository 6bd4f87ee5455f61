/** The Authorization header. */
import { ServiceError } from '../../domain/errors.ts';
import { API_KEY_PREFIX, hashSecret, PLUGIN_PREFIX } from './secrets.ts';

/** The token in the header, with or without its scheme. @throws ServiceError unauthorized when there is none */
export function bearerToken(header: string | undefined): string {
  const token = header?.trim().replace(/^bearer(\s+|$)/i, '') ?? '';
  if (token === '' || /\s/.test(token)) {
    throw new ServiceError(
      'unauthorized',
      'Send a token: Authorization: Bearer <token> (POST /api/auth/login gives one)',
    );
  }
  return token;
}

/** Names of authenticated tokens by their headers: each comes with many requests. */
const names = new Map<string, string>();
const MOST_NAMES = 10_000;

/**
 * The key for rate limits of a token: its session, which all of its tokens share, or the API key. Reads the token without
 * verifying it, which costs almost nothing.
 * @returns undefined for anything that is not one of our tokens
 */
export function nameInToken(header: string | undefined): string | undefined {
  return header === undefined ? undefined : (names.get(header) ?? readName(header));
}

/** Keeps the name of a token that has been authenticated; headers of others could be long and many. */
export function keepName(header: string, name: string): void {
  if (names.size >= MOST_NAMES) names.clear();
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
