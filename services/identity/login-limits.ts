/**
 * How often a login may fail: 5 times for one e-mail and 20 times for one address in 15 minutes. The counters are in
 * PostgreSQL, so that every API process sees the same. All functions need a transaction of the system role.
 */
import type { Db } from '../../db/database.ts';
import { ServiceError } from '../../domain/errors.ts';

const WINDOW_MS = 15 * 60 * 1000;
const MAX_FAILURES = { email: 5, address: 20 } as const;
/** Expired counters that one failure clears away at most. */
const CLEAN_UP = 20;

export interface LoginAttempt {
  readonly email: string;
  readonly address: string;
  readonly now: Date;
}

/** @throws ServiceError too_many_requests while one of the two counters is full */
export async function refuseWhenLimited(trx: Db, attempt: LoginAttempt): Promise<void> {
  const keys = keysOf(attempt);
  const rows: { key: string; points: number; expire: number }[] = await trx('login_limits')
    .select('key', 'points', 'expire')
    .whereIn('key', Object.values(keys))
    .where('expire', '>', attempt.now.getTime());
  const full = rows.filter(
    ({ key, points }) => points >= (key === keys.email ? MAX_FAILURES.email : MAX_FAILURES.address),
  );
  if (full.length > 0) throw tooMany(Math.max(...full.map((row) => row.expire)), attempt.now);
}

/**
 * Counts a failed attempt on both counters.
 * @returns the refusal to answer when a parallel attempt had used up the last try, else null
 */
export async function countFailure(trx: Db, attempt: LoginAttempt): Promise<ServiceError | null> {
  const now = attempt.now.getTime();
  await trx.raw(
    `delete from login_limits where key in (select key from login_limits where expire <= ? limit ? for update skip locked)`,
    [now, CLEAN_UP],
  );
  const keys = keysOf(attempt);
  let refusal: ServiceError | null = null;
  // E-mail before address, in every transaction: the order of the locks.
  for (const kind of ['email', 'address'] as const) {
    const { rows } = (await trx.raw(
      `insert into login_limits as l (key, points, expire) values (?, 1, ?)
       on conflict (key) do update set
         points = case when l.expire <= ? then 1 else l.points + 1 end,
         expire = case when l.expire <= ? then excluded.expire else l.expire end
       returning points, expire`,
      [keys[kind], now + WINDOW_MS, now, now],
    )) as { rows: { points: number; expire: number }[] };
    const counter = rows[0];
    if (counter !== undefined && counter.points > MAX_FAILURES[kind]) refusal ??= tooMany(counter.expire, attempt.now);
  }
  return refusal;
}

/**
 * Forgets the failures of an e-mail after a success. Those of the address stay: other accounts may be under attack from it.
 * @throws ServiceError too_many_requests when parallel failures filled the counter while the password was compared
 */
export async function countSuccess(trx: Db, attempt: LoginAttempt): Promise<void> {
  await refuseWhenLimited(trx, attempt);
  await trx('login_limits')
    .where({ key: keysOf(attempt).email })
    .delete();
}

function keysOf(attempt: LoginAttempt): { email: string; address: string } {
  return { email: `login:email:${attempt.email.toLowerCase()}`, address: `login:address:${attempt.address}` };
}

function tooMany(expire: number, now: Date): ServiceError {
  return new ServiceError('too_many_requests', 'Too many failed logins; wait before the next try', {
    retryAfter: Math.max(1, Math.ceil((expire - now.getTime()) / 1000)),
  });
}
