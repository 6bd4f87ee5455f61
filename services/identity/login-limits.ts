/**
 * Limits failed logins. A few failures lock an e-mail for the address they come from, so nobody can lock out its owner; many lock the
 * address for all e-mails. Guesses from many addresses are slowed down by a limit of the e-mail alone, which does not count where its owner
 * has logged in before. The counters are in PostgreSQL, so every API process sees the same. All functions need a transaction of the system
 * role.
 */
import type { Db } from '../../db/database.ts';
import { addressGroup } from '../../domain/addresses.ts';
import { ServiceError } from '../../domain/errors.ts';

const MINUTE_MS = 60_000;

/** So many failures within so long. Counters are locked in this order. */
const LIMITS = {
  pair: { failures: 5, windowMs: 15 * MINUTE_MS },
  email: { failures: 50, windowMs: 60 * MINUTE_MS },
  address: { failures: 20, windowMs: 15 * MINUTE_MS },
} as const;
type Limited = keyof typeof LIMITS;
const KINDS = Object.keys(LIMITS) as Limited[];

/** How long an address counts as the owner's after their last login from there. */
const KNOWN_MS = 30 * 24 * 60 * MINUTE_MS;
/** How many expired counters one login deletes at most. */
const MAX_DELETED = 20;

export interface LoginAttempt {
  /** The account's own spelling where there is an account: an e-mail has many. */
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
export async function assertNotLimited(trx: Db, attempt: LoginAttempt): Promise<void> {
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
 * @returns the refusal to answer when concurrent attempts have used up the last try, else null
 */
export async function countFailure(trx: Db, attempt: LoginAttempt): Promise<ServiceError | null> {
  const now = attempt.now.getTime();
  await deleteExpired(trx, now);
  const keys = keysOf(attempt);
  const counted = new Map<Limited, CounterRow>();
  for (const kind of KINDS) counted.set(kind, await count(trx, keys[kind], LIMITS[kind].windowMs, now));
  const refusal = refusalBy(
    (kind) => {
      const row = counted.get(kind);
      return row !== undefined && row.points > LIMITS[kind].failures ? row : undefined;
    },
    await isKnown(trx, attempt),
  );
  return refusal === undefined ? null : tooMany(refusal.expire, attempt.now);
}

/** So many requests for a new password within so long: for one e-mail, and from one address. */
const RESETS = {
  email: { most: 5, windowMs: 60 * MINUTE_MS },
  address: { most: 20, windowMs: 15 * MINUTE_MS },
} as const;

/**
 * Counts a request for a new password. One that is refused for its address does not count for the e-mail, and the e-mail's limit is not for
 * addresses where its owner has logged in: strangers keep nobody from a new password.
 * @returns the refusal to answer when there are too many, else null
 */
export async function countReset(trx: Db, attempt: LoginAttempt): Promise<ServiceError | null> {
  const { email, address, now } = attempt;
  const at = now.getTime();
  await deleteExpired(trx, at);
  const { email: byEmail, address: byAddress } = RESETS;
  const refusal = (full: CounterRow) => tooMany(full.expire, now, 'requests for a new password');
  const fromThere = await count(trx, `reset:address:${addressGroup(address)}`, byAddress.windowMs, at);
  if (fromThere.points > byAddress.most) return refusal(fromThere);
  const forThem = await count(trx, `reset:email:${email.toLowerCase()}`, byEmail.windowMs, at);
  return forThem.points > byEmail.most && !(await isKnown(trx, attempt)) ? refusal(forThem) : null;
}

/** Whether the owner of the e-mail has logged in from the address. */
async function isKnown(trx: Db, attempt: LoginAttempt): Promise<boolean> {
  const { known: key } = keysOf(attempt);
  const row: unknown = await trx('login_limits')
    .where({ key })
    .where('expire', '>', attempt.now.getTime())
    .first('key');
  return row !== undefined;
}

async function count(trx: Db, key: string, windowMs: number, now: number): Promise<CounterRow> {
  const { rows } = (await trx.raw(
    `insert into login_limits as l (key, points, expire) values (?, 1, ?)
     on conflict (key) do update set
       points = case when l.expire <= ? then 1 else l.points + 1 end,
       expire = case when l.expire <= ? then excluded.expire else l.expire end
     returning key, points, expire`,
    [key, now + windowMs, now, now],
  )) as { rows: [CounterRow] };
  return rows[0];
}

/**
 * Clears the failures of an e-mail from an address after a successful login there, and remembers the address. The counters of the address
 * and of the e-mail alone stay: an attack may still be under way on either.
 * @throws ServiceError too_many_requests when failures elsewhere filled a counter while the password was compared
 */
export async function countSuccess(trx: Db, attempt: LoginAttempt): Promise<void> {
  await assertNotLimited(trx, attempt);
  const { pair, known } = keysOf(attempt);
  const now = attempt.now.getTime();
  await trx('login_limits').where({ key: pair }).delete();
  await trx('login_limits')
    .insert({ key: known, points: 0, expire: now + KNOWN_MS })
    .onConflict('key')
    .merge();
  await deleteExpired(trx, now);
}

async function deleteExpired(trx: Db, now: number): Promise<void> {
  await trx.raw(
    `delete from login_limits where key in (select key from login_limits where expire <= ? limit ? for update skip locked)`,
    [now, MAX_DELETED],
  );
}

/** The refusal by the full counter that lasts longest, if any. */
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

function tooMany(expire: number, now: Date, what = 'failed logins'): ServiceError {
  return new ServiceError('too_many_requests', `Too many ${what}; wait before the next try`, {
    retryAfter: Math.max(1, Math.ceil((expire - now.getTime()) / 1000)),
  });
}
