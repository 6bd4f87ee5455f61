/**
 * Limits failed logins. A few failures block an e-mail for the address they come from, so that nobody can lock out its owner; many block
 * the address for all e-mails. A limit per e-mail slows down guesses from many addresses; it does not apply where the owner has logged in
 * before. The counters are in PostgreSQL, shared by all API processes. All functions need a transaction of the system role.
 */
import type { Db } from '../../../db/database.ts';
import { addressGroup } from '../../../domain/addresses.ts';
import { ServiceError } from '../../../domain/errors.ts';

const MINUTE_MS = 60_000;

/** Maximum failures per period. Counters are locked in this order. */
const LIMITS = {
  pair: { failures: 5, windowMs: 15 * MINUTE_MS },
  email: { failures: 50, windowMs: 60 * MINUTE_MS },
  address: { failures: 20, windowMs: 15 * MINUTE_MS },
} as const;
type Limited = keyof typeof LIMITS;
const KINDS = Object.keys(LIMITS) as Limited[];

/** Time for which an address counts as the owner's after their last login from there. */
const KNOWN_MS = 30 * 24 * 60 * MINUTE_MS;
/** Maximum expired counters that one login deletes. */
const MAX_DELETED = 20;

export interface LoginAttempt {
  /** In the account's spelling if there is an account, since an e-mail has many spellings. */
  readonly email: string;
  readonly address: string;
  readonly now: Date;
}

interface CounterRow {
  readonly key: string;
  readonly points: number;
  readonly expire: number;
}

/** Asserts that no counter is full. @throws ServiceError too_many_requests */
export async function assertNotLimited(trx: Db, attempt: LoginAttempt): Promise<void> {
  const keys = counterKeys(attempt);
  const rows: CounterRow[] = await trx('login_limits')
    .select('key', 'points', 'expire')
    .whereIn('key', Object.values(keys))
    .where('expire', '>', attempt.now.getTime());
  const isKnown = rows.some(({ key }) => key === keys.known);
  const refusal = findFullCounter((kind) => {
    const row = rows.find(({ key }) => key === keys[kind]);
    return row !== undefined && row.points >= LIMITS[kind].failures ? row : undefined;
  }, isKnown);
  if (refusal !== undefined) throw tooManyRequests(refusal.expire, attempt.now);
}

/**
 * Counts a failed attempt on all counters.
 * @returns the refusal to answer with if concurrent attempts have used up the last try, else null
 */
export async function countFailure(trx: Db, attempt: LoginAttempt): Promise<ServiceError | null> {
  const now = attempt.now.getTime();
  await deleteExpired(trx, now);
  const keys = counterKeys(attempt);
  const counted = new Map<Limited, CounterRow>();
  for (const kind of KINDS) counted.set(kind, await incrementCounter(trx, keys[kind], LIMITS[kind].windowMs, now));
  const refusal = findFullCounter(
    (kind) => {
      const row = counted.get(kind);
      return row !== undefined && row.points > LIMITS[kind].failures ? row : undefined;
    },
    await isKnown(trx, attempt),
  );
  return refusal === undefined ? null : tooManyRequests(refusal.expire, attempt.now);
}

/** Maximum requests for a new password per period: for one e-mail, and from one address. */
const RESET_LIMITS = {
  email: { most: 5, windowMs: 60 * MINUTE_MS },
  address: { most: 20, windowMs: 15 * MINUTE_MS },
} as const;

/**
 * Counts a request for a new password. A request refused for its address does not count for the e-mail, and the e-mail's limit does not
 * apply to addresses where its owner has logged in, so that strangers cannot keep anybody from a new password.
 * @returns the refusal to answer with if there are too many, else null
 */
export async function countReset(trx: Db, attempt: LoginAttempt): Promise<ServiceError | null> {
  const { email, address, now } = attempt;
  const at = now.getTime();
  await deleteExpired(trx, at);
  const { email: byEmail, address: byAddress } = RESET_LIMITS;
  const refusal = (full: CounterRow) => tooManyRequests(full.expire, now, 'requests for a new password');
  const fromThere = await incrementCounter(trx, `reset:address:${addressGroup(address)}`, byAddress.windowMs, at);
  if (fromThere.points > byAddress.most) return refusal(fromThere);
  const forThem = await incrementCounter(trx, `reset:email:${email.toLowerCase()}`, byEmail.windowMs, at);
  return forThem.points > byEmail.most && !(await isKnown(trx, attempt)) ? refusal(forThem) : null;
}

/** Whether the owner of the e-mail has logged in from the address. */
async function isKnown(trx: Db, attempt: LoginAttempt): Promise<boolean> {
  const { known: key } = counterKeys(attempt);
  const row: unknown = await trx('login_limits')
    .where({ key })
    .where('expire', '>', attempt.now.getTime())
    .first('key');
  return row !== undefined;
}

async function incrementCounter(trx: Db, key: string, windowMs: number, now: number): Promise<CounterRow> {
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
 * Clears the failures of an e-mail from an address after a successful login there, and remembers the address. The separate counters of the
 * address and of the e-mail stay: either may still be under attack.
 * @throws ServiceError too_many_requests if failures elsewhere filled a counter while the password was compared
 */
export async function countSuccess(trx: Db, attempt: LoginAttempt): Promise<void> {
  await assertNotLimited(trx, attempt);
  const { pair, known } = counterKeys(attempt);
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

/** Finds the full counter that lasts longest, if any. */
function findFullCounter(full: (kind: Limited) => CounterRow | undefined, isKnown: boolean): CounterRow | undefined {
  const counters = KINDS.filter((kind) => kind !== 'email' || !isKnown).flatMap((kind) => full(kind) ?? []);
  return counters.sort((one, other) => other.expire - one.expire)[0];
}

function counterKeys({ email, address }: LoginAttempt): Record<Limited | 'known', string> {
  const who = email.toLowerCase();
  const where = addressGroup(address);
  return {
    pair: `login:pair:${where} ${who}`,
    email: `login:email:${who}`,
    address: `login:address:${where}`,
    known: `login:known:${where} ${who}`,
  };
}

function tooManyRequests(expire: number, now: Date, what = 'failed logins'): ServiceError {
  return new ServiceError('too_many_requests', `Too many ${what}; wait before the next try`, {
    retryAfter: Math.max(1, Math.ceil((expire - now.getTime()) / 1000)),
  });
}
