/** Compares debts, payments, the ledger and aging of the service with the model. */
import assert from 'node:assert/strict';
import { readAging } from '../../../services/reports/payments/aging.ts';
import type { Book } from './book.ts';
import type { Desk } from './desk.ts';
import { paymentStatus, type Side } from './papers.ts';
import type { Aged } from './sheet.ts';

const SIDES: readonly Side[] = ['in', 'out'];

const DEBTS_SQL = `select d.id, round(100 * d.paid_total)::int as paid, d.payment_status as status, d.status as state,
    (select json_agg(round(100 * i.outstanding)::int order by i.number)
      from document_instalments i where i.document_id = d.id) as parts
  from documents d where d.partner_id = any(?::uuid[])
  union all select id, round(100 * paid_total)::int, null, null, null from open_items where partner_id = any(?::uuid[])`;

const PAYMENTS_SQL = `select id, round(100 * (amount - applied_total))::int as "left", returns, direction,
    payment_method = 'offset' as offset
  from payments where partner_id = any(?::uuid[])`;

const LEDGER_SQL = `select a.code, l.partner_id as partner, e.date::text as day, round(100 * sum(l.debit - l.credit))::int as cents
  from journal_lines l join journal_entries e on e.id = l.entry_id join accounts a on a.id = l.account_id
  where l.partner_id = any(?::uuid[]) group by 1, 2, 3 having sum(l.debit) <> sum(l.credit)`;

function sorted<T extends { readonly id: unknown }>(rows: readonly T[]): T[] {
  return [...rows].sort((one, other) => (String(one.id) < String(other.id) ? -1 : 1));
}

/** Compares the settled amount, the status and the open instalments of each debt. */
async function compareDebts({ company, partners }: Desk, book: Book): Promise<void> {
  const ids = Object.values(partners);
  const foretold = book.debts.map((debt) => {
    const { id, kind, total, parts, cancelled } = debt;
    const paid = book.paidAmount(debt);
    if (kind === 'item') return { id, paid, status: null, state: null, parts: null };
    const status = paymentStatus(total, paid);
    const state = cancelled !== null ? 'X' : ['paid', 'overpaid'].includes(status) ? 'C' : 'O';
    return { id, paid, status, state, parts: parts.length > 1 ? book.openParts(debt) : null };
  });
  assert.deepEqual(sorted((await company.rows(DEBTS_SQL, [ids, ids])) as { id: unknown }[]), sorted(foretold));
}

/** Compares the unapplied amount of each payment. */
async function comparePayments({ company, partners }: Desk, book: Book): Promise<void> {
  const foretold = book.payments.map((payment) => {
    const { id, direction, kind, returns } = payment;
    return {
      id,
      left: book.unappliedAmount(payment),
      returns: returns?.id ?? null,
      direction,
      offset: kind === 'offset',
    };
  });
  const rows = await company.rows(PAYMENTS_SQL, [Object.values(partners)]);
  assert.deepEqual(sorted(rows as { id: unknown }[]), sorted(foretold));
}

/** Compares the entries on partners' accounts, day by day. */
async function compareLedger({ company, partners }: Desk, book: Book): Promise<void> {
  const rows = await company.rows(LEDGER_SQL, [Object.values(partners)]);
  const partnerSide = (id: unknown) => SIDES.find((side) => partners[side] === id);
  const entered = rows.map(({ code, partner, day, cents }) => [
    `${code} ${partnerSide(partner)} ${day}`,
    Number(cents),
  ]);
  assert.deepEqual(Object.fromEntries(entered), Object.fromEntries(book.ledger()));
}

/** The report at the end of a day. What both sides of a partner owe and have, less credit, is what stands on its accounts then. */
async function compareAging(desk: Desk, book: Book, day: string): Promise<void> {
  const { company, partners } = desk;
  const shown = new Map<Side, number>();
  for (const direction of SIDES) {
    const { data } = await company.database.readTenant(company.ctx, (reader) =>
      readAging(reader, company.ctx.now, { direction, to: day }),
    );
    for (const partner of SIDES) {
      const row = data.customers.find(({ partner_id: id }) => id === partners[partner]);
      const cents = (value = 0) => Math.round(value * 100);
      const [current, d30, d60] = [cents(row?.current), cents(row?.['30_days']), cents(row?.['60_days'])];
      const aged: Aged = { current, d30, d60, d90: cents(row?.['90_plus']), credit: cents(row?.credit) };
      assert.deepEqual(aged, book.aging(direction, partner, day), `aging of ${direction} for ${partner} on ${day}`);
      const owed = current + d30 + d60 + aged.d90 - aged.credit;
      shown.set(partner, (shown.get(partner) ?? 0) + (direction === 'in' ? owed : -owed));
    }
  }
  for (const partner of SIDES) {
    const lines = [...book.ledger()].filter(
      ([key]) => key.split(' ')[1] === partner && (key.split(' ')[2] as string) <= day,
    );
    const balance = lines.reduce((sum, [, cents]) => sum + cents, 0);
    assert.equal(shown.get(partner), balance, `balance of ${partner} on ${day}`);
  }
}

/** @param days of the report */
export async function compare(desk: Desk, book: Book, days: readonly string[]): Promise<void> {
  await compareDebts(desk, book);
  await comparePayments(desk, book);
  await compareLedger(desk, book);
  for (const day of days) await compareAging(desk, book, day);
}
