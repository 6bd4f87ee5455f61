/**
 * How often a login may fail. Few failures lock an e-mail for the address that they come from, so that nobody can lock it for its
 * owner; many lock the address, for all e-mails. Guesses from everywhere are slowed down by a limit of the e-mail alone, which
 * does not count where its owner has logged in before. The counters are in PostgreSQL, so that every API process sees the same. All
 * functions need a transaction of the system role.
 */
import type { Db } from '../../db/database.ts';
import { addressGroup } from '../../domain/addresses.ts';
import { ServiceError } from '../../domain/errors.ts';

const MINUTE_MS = 60_000;

/** So many failures within so long. In this order counters are locked. */
const LIMITS = {
  pair: { failures: 5, windowMs: 15 * MINUTE_MS },
  email: { failures: 50, windowMs: 60 * MINUTE_MS },
  address: { failures: 20, windowMs: 15 * MINUTE_MS },
} as const;
type Limited = keyof typeof LIMITS;
const KINDS = Object.keys(LIMITS) as Limited[];

/** How long an address is known to be the owner's, from their last login there. */
const KNOWN_MS = 30 * 24 * 60 * MINUTE_MS;
/** Expired counters that one login clears away at most. */
const CLEAN_UP = 20;

export interface LoginAttempt {
  /** That of the account where there is one: an e-mail has many spellings. */
  readonly email: string;
  readonly address: string;
  readonly now: Date;
}

interface CounterRow {
  readonly key: string;
  readonly points: number;
  readonly expire: number;
}

/** @throws ServiceError too_many_requests while one of the counters is full */
export async function refuseWhenLimited(trx: Db, attempt: LoginAttempt): Promise<void> {
  const keys = keysOf(attempt);
  const rows: CounterRow[] = await trx('login_limits')
    .select('key', 'points', 'expire')
    .whereIn('key', Object.values(keys))
    .where('expire', '>', attempt.now.getTime());
  const isKnown = rows.some(({ key }) => key === keys.known);
  const refusal = refusalBy((kind) => {
    const row = rows.find(({ key }) => key === keys[kind]);
    return row !== undefined && row.points >= LIMITS[kind].failures ? row : undefined;
  }, isKnown);
  if (refusal !== undefined) throw tooMany(refusal.expire, attempt.now);
}

/**
 * Counts a failed attempt on all counters.
 * @returns the refusal to answer when attempts elsewhere had used up the last try meanwhile, else null
 */
export async function countFailure(trx: Db, attempt: LoginAttempt): Promise<ServiceError | null> {
  const now = attempt.now.getTime();
  await clearAway(trx, now);
  const keys = keysOf(attempt);
  const counted = new Map<Limited, CounterRow>();
  for (const kind of KINDS) {
    const { rows } = (await trx.raw(
      `insert into login_limits as l (key, points, expire) values (?, 1, ?)
       on conflict (key) do update set
         points = case when l.expire <= ? then 1 else l.points + 1 end,
         expire = case when l.expire <= ? then excluded.expire else l.expire end
       returning key, points, expire`,
      [keys[kind], now + LIMITS[kind].windowMs, now, now],
    )) as { rows: CounterRow[] };
    if (rows[0] !== undefined) counted.set(kind, rows[0]);
  }
  const known: unknown = await trx('login_limits').where({ key: keys.known }).where('expire', '>', now).first('key');
  const refusal = refusalBy((kind) => {
    const row = counted.get(kind);
    return row !== undefined && row.points > LIMITS[kind].failures ? row : undefined;
  }, known !== undefined);
  return refusal === undefined ? null : tooMany(refusal.expire, attempt.now);
}

/**
 * Forgets the failures of an e-mail from an address after a success there, and knows it from now on. Those of the address and of the
 * e-mail stay: other accounts may be under attack from it, and it from elsewhere.
 * @throws ServiceError too_many_requests when failures elsewhere filled a counter while the password was compared
 */
export async function countSuccess(trx: Db, attempt: LoginAttempt): Promise<void> {
  await refuseWhenLimited(trx, attempt);
  const { pair, known } = keysOf(attempt);
  const now = attempt.now.getTime();
  await trx('login_limits').where({ key: pair }).delete();
  await trx('login_limits')
    .insert({ key: known, points: 0, expire: now + KNOWN_MS })
    .onConflict('key')
    .merge();
  await clearAway(trx, now);
}

async function clearAway(trx: Db, now: number): Promise<void> {
  await trx.raw(
    `delete from login_limits where key in (select key from login_limits where expire <= ? limit ? for update skip locked)`,
    [now, CLEAN_UP],
  );
}

/** The full counter that lasts longest, if any. */
function refusalBy(full: (kind: Limited) => CounterRow | undefined, isKnown: boolean): CounterRow | undefined {
  const counters = KINDS.filter((kind) => kind !== 'email' || !isKnown).flatMap((kind) => full(kind) ?? []);
  return counters.sort((one, other) => other.expire - one.expire)[0];
}

function keysOf({ email, address }: LoginAttempt): Record<Limited | 'known', string> {
  const who = email.toLowerCase();
  const where = addressGroup(address);
  return {
    pair: `login:pair:${where} ${who}`,
    email: `login:email:${who}`,
    address: `login:address:${where}`,
    known: `login:known:${where} ${who}`,
  };
}

function tooMany(expire: number, now: Date): ServiceError {
  return new ServiceError('too_many_requests', 'Too many failed logins; wait before the next try', {
    retryAfter: Math.max(1, Math.ceil((expire - now.getTime()) / 1000)),
  });
}
