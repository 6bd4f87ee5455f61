/**
 * Lets mails go out no faster than companies may send them and addresses should get them. A mail is counted once for each recipient,
 * however often it is tried; beyond a limit it waits.
 */
import type { MailConfig } from '../../../config/mail.ts';
import type { Context } from '../../../db/context.ts';
import type { Database, Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { lockName } from '../../../db/locks.ts';
import type { Email } from '../../../db/models/messages/mail.ts';
import { query } from '../../../db/sql.ts';
import { addressKey } from '../../../domain/messages/mail/addresses.ts';
import { kindsIn, type MailRule, mailRule, VERIFIED_FACTOR } from '../../../domain/messages/mail/rules.ts';

export type MailPace = Pick<MailConfig, 'recipientsPerHour' | 'perAddressPerDay'>;

export interface Wait {
  readonly reason: string;
  readonly seconds: number;
  /** Whether the mail is tried for so much longer. */
  readonly gainsTime: boolean;
}

const HOUR = 3600;
const DAY = 24 * HOUR;
const MIN_WAIT = 60;

/** Counts a mail that is about to be sent, unless it has to wait. @returns for what and how long it waits; null if it goes */
export async function admitMail(database: Database, ctx: Context, pace: MailPace, email: Email): Promise<Wait | null> {
  const rule = mailRule(email.kind);
  const addresses = email.recipients.filter(({ status }) => status === 'queued').map(({ address }) => address);
  const keys = [...new Set(addresses.map(addressKey))].sort();
  return await database.withSystem(async (trx) => {
    // One after another for the same company or address.
    const names = [`mail:${ctx.tenantId}:${rule.budget}`, ...keys.map((key) => `mail-to:${key}`)];
    await Promise.all(names.map((name) => lockName(trx, name)));
    const counted = await query<{ address: string }>(trx, COUNTED, { tenantId: ctx.tenantId, emailId: email.id });
    const more = keys.filter((key) => !counted.some(({ address }) => address === key));
    if (more.length === 0) return null;
    const wait =
      (await waitForCompany(trx, ctx, pace, rule, email, more.length)) ??
      (await waitForAddress(trx, ctx, pace, rule, more, addresses));
    if (wait !== null) return wait;
    await query(trx, COUNT, {
      ...{ ids: more.map(() => newId()), tenantId: ctx.tenantId, emailId: email.id, budget: rule.budget },
      ...{ addresses: more, now: ctx.now.toISOString() },
    });
    return null;
  });
}

const COUNTED = 'select address from mail_sendings where tenant_id = :tenantId::uuid and email_id = :emailId::uuid';
const COUNT = `insert into mail_sendings (id, tenant_id, email_id, budget, address, sent_at)
  select id, :tenantId::uuid, :emailId::uuid, :budget, address, :now::timestamptz
  from unnest(:ids::uuid[], :addresses::text[]) as new (id, address)`;

/** Refused kinds were counted when they were requested. */
async function waitForCompany(
  trx: Db,
  { tenantId, now }: Context,
  { recipientsPerHour: most }: MailPace,
  { budget, beyond, gainsTime }: MailRule,
  email: Email,
  more: number,
): Promise<Wait | null> {
  if (beyond === 'refused' || most === 0) return null;
  const [sent] = await query<Counted>(trx, OF_COMPANY, { tenantId, budget, since: since(now, HOUR) });
  // A mail to more recipients than the limit goes alone.
  if (sent === undefined || sent.n === 0 || sent.n + more <= most) return null;
  const [line] = await query<{ ahead: number }>(trx, AHEAD, { tenantId, kinds: kindsIn(budget), id: email.id });
  // Those that wait come in turns, instead of all together whenever an hour is over.
  const turns = Math.floor((line?.ahead ?? 0) / most);
  const seconds = untilFree(sent, now, HOUR) + turns * HOUR;
  return { reason: 'The company has sent its mails of this hour', seconds, gainsTime };
}

interface Counted {
  readonly n: number;
  readonly first: string | null;
}

const OF_COMPANY = `select count(*)::int as n, min(sent_at) as first from mail_sendings
  where tenant_id = :tenantId::uuid and budget = :budget and sent_at > :since::timestamptz`;
const AHEAD = `select count(*)::int as ahead from emails e
  where e.tenant_id = :tenantId::uuid and e.status = 'queued' and e.kind = any(:kinds::text[]) and e.id < :id::uuid
    and not exists (select from mail_sendings s where s.tenant_id = e.tenant_id and s.email_id = e.id)`;

async function waitForAddress(
  trx: Db,
  { tenantId, now }: Context,
  { perAddressPerDay }: MailPace,
  { budget, perAddress }: MailRule,
  keys: readonly string[],
  addresses: readonly string[],
): Promise<Wait | null> {
  const most = perAddress === 'setting' ? perAddressPerDay : perAddress;
  if (most === 0) return null;
  const found = await query<Counted & { address: string; own: number }>(trx, OF_ADDRESSES, {
    ...{ keys, budget, tenantId, since: since(now, DAY) },
  });
  if (found.every(({ n, own }) => n < most && own < most / 2)) return null;
  const lower = addresses.map((address) => address.toLowerCase());
  const verified = (await query<{ email: string }>(trx, VERIFIED, { addresses: lower })).map(({ email }) =>
    addressKey(email),
  );
  const full = found.find(({ address, n, own }) => {
    const limit = verified.includes(address) ? most * VERIFIED_FACTOR : most;
    return n >= limit || own >= limit / 2;
  });
  if (full === undefined) return null;
  return {
    reason: `${full.address} gets too many mails within a day`,
    seconds: untilFree(full, now, DAY),
    gainsTime: false,
  };
}

const OF_ADDRESSES = `select address, count(*)::int as n, min(sent_at) as first,
    (count(*) filter (where tenant_id = :tenantId::uuid))::int as own
  from mail_sendings where address = any(:keys::text[]) and budget = :budget and sent_at > :since::timestamptz group by address`;
const VERIFIED =
  'select email from users where lower(email) = any(:addresses::text[]) and active and email_verified_at is not null';

function since(now: Date, seconds: number): string {
  return new Date(now.getTime() - seconds * 1000).toISOString();
}

/** Seconds until the first of those counted no longer counts. */
function untilFree({ first }: Counted, now: Date, window: number): number {
  const free = first === null ? window : (Date.parse(first) - now.getTime()) / 1000 + window;
  return Math.max(MIN_WAIT, Math.ceil(free));
}
