/** Outages of the service's own machine or the database's: no request is at fault, and a retry may succeed. */
import { ServiceError } from '../errors.ts';

/** An outage, with a sentence for clients and the seconds after which a retry makes sense. */
export interface Outage {
  readonly message: string;
  readonly retryAfter: number;
  /** Whether the database itself is away, and will be back as it was. */
  readonly isAway?: boolean;
}

/** PostgreSQL's code for a write on a read-only server. */
export const READ_ONLY = '25006';

const DOWN: Outage = { message: 'The database does not answer; try again in a moment', retryAfter: 2, isAway: true };
const BUSY: Outage = { message: 'The database has no connection free; try again in a moment', retryAfter: 2 };
const MEMORY: Outage = { message: 'The database is out of memory; try again in a moment', retryAfter: 5 };
const FULL: Outage = {
  message: 'The database is out of disk space, so nothing can be saved at the moment',
  retryAfter: 30,
};
const STANDBY: Outage = {
  message: 'The database is read-only at the moment; try again shortly',
  retryAfter: 5,
  isAway: true,
};
const BROKEN: Outage = { message: 'The database cannot read or write its files at the moment', retryAfter: 30 };
const DISK: Outage = { message: 'The service is out of disk space for files at the moment', retryAfter: 30 };
const FILES: Outage = { message: 'The service cannot write its files at the moment', retryAfter: 30 };
const HANDLES: Outage = {
  message: 'The service has too many files and connections open; try again in a moment',
  retryAfter: 2,
};

/** Outages by prefix of PostgreSQL's error codes; the first match applies. */
const BY_SQLSTATE: readonly (readonly [RegExp, Outage])[] = [
  [/^53100$/, FULL],
  [/^53200$/, MEMORY],
  [/^53/, BUSY],
  [new RegExp(`^${READ_ONLY}$`), STANDBY],
  [/^58/, BROKEN],
  // Lost or ended connections, shutdowns, refused logins, a database being restored.
  [/^(08...|57P0.|25P0[34]|28...|3D000)$/, DOWN],
];

/** Socket errors, which within database errors mean the connection to PostgreSQL. */
const SOCKET =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN)$/;
const CONNECTION_LOST =
  /Connection terminated|is not queryable|Timeout acquiring a connection|timeout exceeded when trying to connect/;

const BY_FILE_CODE: ReadonlyMap<string, Outage> = new Map([
  ['ENOSPC', DISK],
  ['EDQUOT', DISK],
  ['EROFS', FILES],
  ['EIO', FILES],
  ['EMFILE', HANDLES],
  ['ENFILE', HANDLES],
]);

/** Finds the outage behind a database error; null if the error is about the statement. */
export function databaseOutage(error: unknown): Outage | null {
  if (!(error instanceof Error)) return null;
  const code = errorCode(error);
  if (SOCKET.test(code) || isWithoutSocket(error) || CONNECTION_LOST.test(error.message)) return DOWN;
  const bySqlState = 'severity' in error ? BY_SQLSTATE.find(([codes]) => codes.test(code))?.[1] : undefined;
  return bySqlState ?? fileOutage(error);
}

/** Whether the Unix socket to connect to is not there: a server that ends takes its file with it. */
function isWithoutSocket(error: Error): boolean {
  return errorCode(error) === 'ENOENT' && 'syscall' in error && error.syscall === 'connect';
}

/** Finds the outage behind a file system error; null for any other error. */
export function fileOutage(error: unknown): Outage | null {
  return error instanceof Error ? (BY_FILE_CODE.get(errorCode(error)) ?? null) : null;
}

/** Builds the refusal that clients get during an outage. */
export function unavailable({ message, retryAfter }: Outage, cause: unknown): ServiceError {
  return new ServiceError('unavailable', message, { retryAfter, cause });
}

function errorCode(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}
