/** Translates PostgreSQL's refusals into the service's own terms. Constraint names carry the member: `<table>_<column>_<kind>`. */
import { invalidMember, ServiceError } from '../domain/errors.ts';
import { databaseOutage, READ_ONLY, unavailable } from '../domain/platform/outages.ts';
import { camelCase } from '../domain/words.ts';

interface PostgresError {
  readonly code: string;
  readonly table?: string;
  readonly constraint?: string;
  readonly message: string;
  /** The server function that reported it. */
  readonly routine?: string;
}

const LOCK_TIMEOUT = '55P03';
const RETRYABLE = new Set(['40001', '40P01', LOCK_TIMEOUT]);

/** Thrown when a row was changed between reading and writing it; repeating the transaction sees the new state. */
export class ConcurrentChange extends Error {
  override readonly name = 'ConcurrentChange';
}

/** Thrown when another transaction has the lock: this one ends, and is repeated when the lock is free. */
export class LockHeld extends ConcurrentChange {
  /** The name of the lock. */
  readonly lock: string;

  constructor(lock: string) {
    super();
    this.lock = lock;
  }
}

/**
 * Whether repeating the whole transaction may succeed: a deadlock, a serialization failure, a lost race, a lock that was taken, or columns
 * that have changed.
 */
export function isRetryable(thrown: unknown): boolean {
  const error = unwrapped(thrown);
  return (
    error instanceof ConcurrentChange || (isPostgresError(error) && RETRYABLE.has(error.code)) || hasOtherColumns(error)
  );
}

/** Whether the columns of a prepared statement have changed since: PostgreSQL does not run it again. */
export function hasOtherColumns(thrown: unknown): boolean {
  const error = unwrapped(thrown);
  return isPostgresError(error) && error.routine === 'RevalidateCachedQuery';
}

/** Whether the statement violated the given unique index or constraint. */
export function repeats(thrown: unknown, constraint: string): boolean {
  const error = unwrapped(thrown);
  return isPostgresError(error) && error.code === '23505' && error.constraint === constraint;
}

/** Whether the statement gave up waiting for a lock (`lock_timeout`). */
export function isLockTimeout(thrown: unknown): boolean {
  const error = unwrapped(thrown);
  return isPostgresError(error) && error.code === LOCK_TIMEOUT;
}

/** Whether the database, or the machine below it, is currently unable to serve. */
export function isUnavailable(thrown: unknown): boolean {
  const error = unwrapped(thrown);
  return (error instanceof ServiceError && error.status === 503) || databaseOutage(error) !== null;
}

/** Thrown when the database went away while a transaction was being committed: nobody knows whether it was. */
export class UncertainCommit extends ServiceError {
  constructor(cause: unknown) {
    const message =
      'The database went away while the change was being saved: look whether it was, or repeat it with the same Idempotency-Key';
    super('unavailable', message, { retryAfter: 2, cause });
  }
}

/** Whether the database is away for a while: it restarts, cannot be reached, or is a standby. */
export function isAway(thrown: unknown): boolean {
  const error = unwrapped(thrown);
  return !(error instanceof ServiceError) && databaseOutage(error)?.isAway === true;
}

/** Whether the statement was refused because an earlier one of its transaction has failed. */
export function isAborted(thrown: unknown): boolean {
  const error = unwrapped(thrown);
  return isPostgresError(error) && error.code === '25P02';
}

/** Whether the server is read-only: a standby, or configured so. */
export function isReadOnly(thrown: unknown): boolean {
  const error = unwrapped(thrown);
  return isPostgresError(error) && error.code === READ_ONLY;
}

/** A database refusal as a ServiceError if the caller can act on it; everything else unchanged. */
export function translateDatabaseError(thrown: unknown): unknown {
  const error = unwrapped(thrown);
  const trouble = databaseOutage(error);
  if (trouble !== null) return unavailable(trouble, error);
  if (isRetryable(error)) {
    return new ServiceError('unavailable', 'Too many changes of the same records at once; try again in a moment', {
      retryAfter: 1,
      cause: error,
    });
  }
  if (!isPostgresError(error)) return error;
  switch (error.code) {
    case '23505': {
      const members = violatedMembers(error);
      return new ServiceError('duplicate', `One with the same ${members.join(', ')} already exists`, {
        errors: members.map((member) => ({ pointer: `/${member}`, code: 'duplicate', message: 'is taken' })),
        cause: error,
      });
    }
    case '23503':
      // Knex prefixes PostgreSQL's message with the statement.
      if (/(^| - )update or delete on table /.test(error.message)) {
        return new ServiceError('in_use', `It is used by ${words(error.table ?? 'other records')}`, { cause: error });
      }
      return invalidMember(
        `/${violatedMembers(error)[0] ?? ''}`,
        'invalid_reference',
        'refers to a record that does not exist',
      );
    case '57014':
      return new ServiceError('unavailable', 'A long operation is using the same records; try again in a moment', {
        retryAfter: 5,
        cause: error,
      });
    case '23P01':
      return new ServiceError('overlap', `It overlaps with another of the ${words(error.table ?? 'records')}`, {
        cause: error,
      });
    case '23514':
      return invalidMember(`/${violatedMembers(error)[0] ?? ''}`, 'out_of_range', 'is not an allowed value');
    case '22003':
      return invalidMember('', 'out_of_range', 'an amount is beyond the range that can be stored');
    case '22007':
    case '22008':
      return invalidMember('', 'invalid_date', 'a date or time is not one that exists');
    case '22021':
    case '22P05':
      return invalidMember('', 'invalid_text', 'a text contains a character that cannot be stored');
    default:
      return error;
  }
}

/** Objection wraps what the driver throws. */
function unwrapped(error: unknown): unknown {
  return error instanceof Error && 'nativeError' in error ? error.nativeError : error;
}

function isPostgresError(error: unknown): error is PostgresError {
  return error instanceof Error && 'code' in error && /^[0-9A-Z]{5}$/.test(String(error.code)) && 'severity' in error;
}

/** `partners_nif_key` on table partners → ["nif"]; `taxes_code__valid_from_key` → ["code", "validFrom"]. */
function violatedMembers(error: PostgresError): string[] {
  const name = (error.constraint ?? '').replace(/_(key|fkey|check)$/, '');
  const column = error.table && name.startsWith(`${error.table}_`) ? name.slice(error.table.length + 1) : name;
  return column
    .split('__')
    .filter((part) => part !== '')
    .map(camelCase);
}

function words(name: string): string {
  return name.replaceAll('_', ' ');
}
