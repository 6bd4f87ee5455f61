/** Reads the figures behind the cash-flow forecast. */

import type { Reader } from '../../../db/database.ts';
import { companyOutstanding, unappliedInCompany } from '../../../db/queries/company-amounts.ts';
import { STATE } from '../../../db/queries/document-states.ts';
import { query } from '../../../db/sql.ts';
import { dayBefore } from '../../../domain/days.ts';
import { type AccountChart, isIn, likeGroup } from '../../../domain/ledger/accounting/charts/chart.ts';
import { decimal, type Exact, sum } from '../../../domain/money.ts';
import { type Debt, expectedFlows } from '../../../domain/reports/payments/cash-flow/expected.ts';
import {
  type MonthlyEntry,
  type QuarterVat,
  RECURRING_MONTHS,
  recurringFlows,
  vatFlows,
} from '../../../domain/reports/payments/cash-flow/guesses.ts';
import type { Settled } from '../../../domain/reports/payments/cash-flow/weeks.ts';
import { readBalances } from '../../ledger/accounting/balances/read.ts';
import { PLACES } from '../../platform/settings/format.ts';

/** Accounts of money, by the chart. */
const MONEY = 'select id from accounts where code like any(:money::text[])';

/**
 * Money by day, netted per entry, so that transfers between the company's own accounts count as neither received nor paid; of one
 * partner, by the entries that name them.
 */
const SETTLED_SQL = `select date, sum(greatest(net, 0))::text as inflow, sum(greatest(-net, 0))::text as outflow
  from (select date, entry_id, sum(debit - credit) as net from journal_lines
    where account_id in (${MONEY}) and kind = 'normal' and date between :from::date and :to::date
      and (:partner::uuid is null or entry_id in (
        select entry_id from journal_lines where partner_id = :partner::uuid and date between :from::date and :to::date))
    group by 1, 2) e
  group by 1 order by 1`;

/** Minimum payments in a year for a partner to have a habit. */
const FEWEST_PAYMENTS = 3;

/** Maximum age in days of the invoices considered: older ones say little, and their number grows every year. */
const HABIT_OF = 730;

/** Open amounts: invoices by instalment, open items, and unapplied credit; with the habits of their partners. */
const DEBTS_SQL = `with open as (
    select case d.doc_type when 'SINV' then 'in' else 'out' end as direction, d.partner_id, d.id, 'invoice' as source,
      coalesce(i.due_date, d.due_date, d.date) as due_date, case when d.exchange_rate is null or i.id is null
        then coalesce(i.outstanding, ${companyOutstanding('d')}) else round(i.outstanding / d.exchange_rate, ${PLACES}) end as amount
    from documents d left join document_instalments i on i.document_id = d.id and i.outstanding <> 0
    where d.doc_type in ('SINV', 'PINV') and d.status in (${STATE.open}, ${STATE.closed}) and d.total <> d.paid_total
    union all select direction, partner_id, id, 'open_item', due_date, total - paid_total from open_items where total <> paid_total
    union all select direction, partner_id, id, 'credit', date, -(${unappliedInCompany('payments')})
      from payments where applied_total < amount
  ), habits as (
    select d.partner_id, case d.doc_type when 'SINV' then 'in' else 'out' end as direction,
      round(sum((a.date - coalesce(i.due_date, d.due_date, d.date)) * a.settled) / sum(a.settled)) as days
    from payment_applications a join documents d on d.id = a.document_id
      left join document_instalments i on i.document_id = a.document_id and i.number = a.instalment
    where a.date > :today::date - 365 and a.payment_id is not null and a.settled > 0 and d.doc_type in ('SINV', 'PINV')
      and d.partner_id in (select partner_id from open) and d.date > :today::date - ${HABIT_OF}
    group by 1, 2 having count(*) >= ${FEWEST_PAYMENTS}
  )
  select o.direction, o.partner_id as "partnerId", p.name as "partnerName", o.id, o.source, o.due_date as "dueDate", o.amount::text,
    greatest(least(coalesce(h.days, 0), 180), -30)::integer as "habitDays"
  from open o join partners p on p.id = o.partner_id left join habits h on h.partner_id = o.partner_id and h.direction = o.direction
  where :partner::uuid is null or o.partner_id = :partner::uuid order by o.due_date, o.id`;

/** Money entries without a payment, by month and by their other accounts. */
const MONTHLY_SQL = `with moved as (
    select entry_id, sum(debit - credit) as net from journal_lines
    where account_id in (${MONEY}) and kind = 'normal'
      and date >= date_trunc('month', :today::date)::date - interval '${RECURRING_MONTHS} months' and date <= :today::date
    group by 1 having sum(debit - credit) <> 0
  ), keyed as (
    select e.id, e.date, m.net, string_agg(distinct l.account_id::text, ' ' order by l.account_id::text) as key
    from moved m join journal_entries e on e.id = m.entry_id join journal_lines l on l.entry_id = e.id
    where e.source_type is distinct from 'payment' and l.account_id not in (${MONEY})
    group by 1, 2, 3
  )
  select key, date_trunc('month', date)::date as month, max(date) as "lastDate", sum(net)::text as amount
  from keyed group by 1, 2`;

/** VAT of the last quarter, and of the current one so far. */
const VAT_SQL = `select date_trunc('quarter', date)::date as quarter, sum(credit - debit)::text as amount from journal_lines
  where tax_kind in ('output', 'surcharge', 'input') and kind = 'normal'
    and date between date_trunc('quarter', :today::date)::date - interval '3 months' and :today::date
    and account_id in (select id from accounts where code like any(:vat::text[]))
  group by 1 order by 1`;

export interface Asked {
  readonly from: string;
  readonly to: string;
  readonly today: string;
  readonly chart: AccountChart;
  /** The only partner whose money counts; null for all. */
  readonly partner: string | null;
}

/**
 * Reads the balance before the first day, past movements of the period until today, and movements expected from today on. Of one partner
 * nothing is at hand before, and nothing is guessed.
 */
export async function readMoney(reader: Reader, tenantId: string, { from, to, today, chart, partner }: Asked) {
  const money = likeGroup(chart, 'money');
  const day = from > today ? today : dayBefore(from);
  const before = partner === null ? await balanceAt(reader, tenantId, { day, today, chart }) : decimal(0);
  const settled = await query<Settled>(reader, SETTLED_SQL, { from, to: to < today ? to : today, partner, money });
  if (to < today) return { opening: before.toFixed(), settled, flows: [] };
  const debts = await query<Debt>(reader, DEBTS_SQL, { today, partner });
  const guessed = partner === null ? await guessFlows(reader, { today, to, chart }) : [];
  const flows = [...expectedFlows(debts, today), ...guessed].filter(({ date }) => date <= to);
  // Payments expected before the forecast begins are part of its opening balance.
  const earlier = flows.filter(({ date, guess }) => date < from && !guess).map((flow) => flow.amount);
  return { opening: before.plus(sum(earlier)).toFixed(), settled, flows: flows.filter(({ date }) => date >= from) };
}

async function guessFlows(reader: Reader, { today, to, chart }: Pick<Asked, 'today' | 'to' | 'chart'>) {
  const monthly = await query<MonthlyEntry>(reader, MONTHLY_SQL, { today, money: likeGroup(chart, 'money') });
  const vat = [...likeGroup(chart, 'outputTax'), ...likeGroup(chart, 'inputTax')];
  const quarters = await query<QuarterVat>(reader, VAT_SQL, { today, vat });
  return [...recurringFlows(monthly, today, to), ...vatFlows(quarters, today)];
}

/**
 * Computes the balance of money accounts at the end of a day. Opening and closing entries count whatever their date: they cancel each other
 * out, except the entry with which the books began.
 */
async function balanceAt(
  reader: Reader,
  tenantId: string,
  { day, today, chart }: Pick<Asked, 'today' | 'chart'> & { readonly day: string },
): Promise<Exact> {
  const spans = {
    until: { to: day, kinds: 'normal' },
    now: { to: today, kinds: 'normal' },
    all: { to: today },
  } as const;
  const accounts = await readBalances(reader, { tenantId, spans, types: ['asset', 'liability'] });
  const money = accounts.filter(({ code }) => isIn(chart, 'money', code));
  return sum(money.map(({ sums: { until, now, all } }) => decimal(all.balance).minus(now.balance).plus(until.balance)));
}
