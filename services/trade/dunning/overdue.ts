/** Overdue invoices of customers who are reminded. */
import type { Context } from '../../../db/context.ts';
import type { Reader } from '../../../db/database.ts';
import type { DunningLevel } from '../../../db/models/trade/dunning.ts';
import { STATE } from '../../../db/queries/document-states.ts';
import { TODAY } from '../../../db/queries/time-zone.ts';
import { query } from '../../../db/sql.ts';
import { currencyPlaces } from '../../../domain/locale/currencies.ts';
import { type Decimal, decimal, round } from '../../../domain/money.ts';
import { type Level, lessCredit, type Overdue, type Reminder, remind } from '../../../domain/trade/payments/dunning.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { loadToday } from '../../platform/settings/today.ts';

/** Customers of one run; the next one goes on. */
export const MAX_CUSTOMERS = 500;

export interface Debtor {
  readonly partnerId: string;
  readonly name: string;
  readonly email: string | null;
  readonly language: string | null;
  readonly currency: string;
  /** Exchange rate of the newest invoice, by which fees are converted; null in the company's currency. */
  readonly exchangeRate: Decimal | null;
  readonly invoices: readonly Overdue[];
  /** Open credits and payments on account, in the currency. */
  readonly credit: Decimal;
}

/** Customers with their overdue invoices, those with the oldest first; nothing that is paused. */
const SQL = `
  with levels as (select min(days) as days from dunning_levels where active)
  select p.id as "partnerId", p.name, p.email, p.language, d.currency,
    ((array_agg(d.exchange_rate order by d.date desc, d.id desc))[1])::text as "exchangeRate",
    json_agg(json_build_object('documentId', d.id, 'code', d.code, 'dueDate', d.due_date, 'outstanding', (d.total - d.paid_total)::text,
      'level', d.dunning_level, 'remindedOn', d.dunned_on) order by d.due_date, d.id) as invoices,
    ((select coalesce(sum(c.paid_total - c.total), 0) from documents c where c.partner_id = p.id and c.doc_type = 'SINV'
        and c.status = ${STATE.open} and c.total < c.paid_total and c.currency = d.currency)
      + (select coalesce(sum(m.amount - m.applied_total), 0) from payments m where m.partner_id = p.id and m.direction = 'in'
        and m.applied_total < m.amount and m.currency = d.currency))::text as credit
  from documents d join partners p on p.id = d.partner_id and not p.dunning_paused, levels
  where d.doc_type = 'SINV' and d.status = ${STATE.open} and d.total > d.paid_total and d.due_date < ${TODAY} and not d.dunning_paused
    and (:partners::uuid[] is null or p.id = any(:partners::uuid[]))
  group by p.id, p.name, p.email, p.language, d.currency, levels.days
  having min(d.due_date) <= ${TODAY} - levels.days
  order by min(d.due_date), p.id`;

/** A customer with the reminder that is due. */
export interface Due {
  readonly debtor: Debtor;
  readonly reminder: Reminder;
}

/** Finds the reminders that are due today, with the levels. @param partners only these; all if undefined */
export async function dueReminders(
  reader: Reader,
  ctx: Pick<Context, 'now'>,
  partners?: readonly string[],
): Promise<{ readonly today: string; readonly levels: readonly DunningLevel[]; readonly due: readonly Due[] }> {
  const { decimalPrecision } = await loadSettings(reader, 'format');
  const today = await loadToday(reader, ctx);
  const levels = await query<DunningLevel>(
    reader,
    `select id, level, name, days, fee::text, interest_percent::text as "interestPercent", subject, body
     from dunning_levels where active order by level`,
    {},
  );
  if (levels.length === 0) return { today, levels, due: [] };
  const debtors = await query<Debtor>(reader, SQL, {
    partners: partners === undefined ? null : [...partners],
    now: ctx.now.toISOString(),
  });
  const due = debtors.flatMap((debtor): Due[] => {
    const { currency, exchangeRate: rate } = debtor;
    const places = rate === null ? decimalPrecision : currencyPlaces(currency);
    const fees = levels.map((level) =>
      rate === null ? level : { ...level, fee: round(decimal(level.fee).times(rate), places) },
    );
    const reminder = remind(lessCredit(debtor.invoices, debtor.credit), fees satisfies readonly Level[], today, places);
    return reminder === null ? [] : [{ debtor, reminder }];
  });
  return { today, levels, due: due.slice(0, MAX_CUSTOMERS) };
}
