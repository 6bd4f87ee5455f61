/** Reads the request that opens a WebSocket. */
import type { IncomingMessage } from 'node:http';
import { isUuid } from '../../../db/ids.ts';
import { ServiceError } from '../../../domain/errors.ts';

export const SOCKET_PATH = '/ws/notifications';
/** The subprotocol that precedes the token, since browsers cannot send headers of their own. */
export const BEARER = 'bearer';

export interface Handshake {
  /** null if the first message carries it. */
  readonly token: string | null;
  readonly tenantId: string | undefined;
  /** The last notification that the client has. */
  readonly lastId: string | null;
}

/**
 * Reads token, company and position from a request.
 * @param origins allowed origins, as for CORS; the service's own pages may always connect
 * @throws ServiceError forbidden (origin), invalid_parameter
 */
export function readHandshake(request: IncomingMessage, origins: readonly string[]): Handshake {
  const { headers } = request;
  assertOrigin(headers.origin, headers.host, origins);
  const parameters = new URL(request.url ?? '', 'http://localhost').searchParams;
  for (const name of parameters.keys()) {
    if (name !== 'last_id' && name !== 'tenant_id') {
      // A token would be in the logs of every proxy.
      throw new ServiceError('invalid_parameter', `${name} is not a parameter; use last_id and tenant_id`);
    }
  }
  const [offered, token = null] = (headers['sec-websocket-protocol'] ?? '').split(',').map((part) => part.trim());
  const tenant = headers['x-tenant-id'] ?? parameters.get('tenant_id') ?? undefined;
  return {
    token: headers.authorization ?? (offered === BEARER ? token : null),
    tenantId: tenant === undefined ? undefined : String(tenant),
    lastId: idOrNull('last_id', parameters.get('last_id')),
  };
}

/** Reads the first message of a client that sent no token. @throws ServiceError unauthorized, invalid_parameter */
export function readAuthMessage(text: string, { tenantId, lastId }: Handshake): Handshake {
  const refuse = () =>
    new ServiceError('unauthorized', 'The first message must be {"type":"auth","token":…,"tenant_id":…}');
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    throw refuse();
  }
  if (typeof message !== 'object' || message === null) throw refuse();
  const { type, token, tenant_id, last_id } = message as Readonly<Record<string, unknown>>;
  if (type !== 'auth' || typeof token !== 'string') throw refuse();
  return {
    token,
    tenantId: typeof tenant_id === 'string' ? tenant_id : tenantId,
    lastId: typeof last_id === 'string' ? idOrNull('last_id', last_id) : lastId,
  };
}

function assertOrigin(origin: string | undefined, host: string | undefined, origins: readonly string[]): void {
  if (origin === undefined || origins.includes('*') || origins.includes(origin)) return;
  if (URL.canParse(origin) && new URL(origin).host === host) return;
  throw new ServiceError('forbidden', 'Pages of this origin cannot connect; CORS_ORIGINS lists those that can');
}

function idOrNull(name: string, value: string | null): string | null {
  if (value === null || isUuid(value)) return value;
  throw new ServiceError('invalid_parameter', `${name} must be the id of a notification`);
}
