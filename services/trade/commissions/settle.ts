/** Settles commissions: all lines that are due and were not settled before, as an agent's invoice or an employee's pay. */
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { lockName } from '../../../db/locks.ts';
import { PayItem } from '../../../db/models/records/people.ts';
import { CommissionSettlement, Salesperson } from '../../../db/models/trade/commissions.ts';
import { nextNumber } from '../../../db/queries/counters.ts';
import { findRow } from '../../../db/queries/find.ts';
import { query } from '../../../db/sql.ts';
import { assertVersion, insertRow, removeRow } from '../../../db/write.ts';
import { dayInMonth, endOfMonth } from '../../../domain/days.ts';
import { invalidMember, notFound, ServiceError } from '../../../domain/errors.ts';
import { likeGroup } from '../../../domain/ledger/accounting/charts/chart.ts';
import { formatsFor } from '../../../domain/locale/formats.ts';
import { type Decimal, decimal, round, toNumber } from '../../../domain/money.ts';
import type { Permission } from '../../../domain/permissions.ts';
import type { CommissionDue } from '../../../domain/trade/commissions.ts';
import { DOCUMENT_STATUS } from '../../../domain/trade/documents/types.ts';
import { loadChart } from '../../ledger/accounting/chart.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { loadToday } from '../../platform/settings/today.ts';
import { checkEmployed, lockEmployee } from '../../records/people/employment.ts';
import { createDocument } from '../lifecycle/create.ts';
import { deleteDocument } from '../lifecycle/delete.ts';
import { commissionsSql } from './lines.ts';

export interface SettlementInput {
  readonly salespersonId: string;
  /** Last day of the lines; defaults to today. */
  readonly upTo?: string;
  /** Defaults to `invoiced`. */
  readonly due?: CommissionDue;
  /** Text of the invoice's line or the pay item. */
  readonly description?: string;
}

/** Lines of a salesperson up to a day that were not settled. */
const OPEN = `from commissions where settlement_id is null and (:due = 'invoiced' or paid)`;

/**
 * Settles what a salesperson is owed.
 * @returns the settlement
 * @throws ServiceError validation_failed, nothing_open, invalid_transition if more is taken back than is due, and what refuses the draft of
 * the agent's invoice
 */
export async function settleCommissions(trx: Db, ctx: Context, input: SettlementInput): Promise<CommissionSettlement> {
  await lockName(trx, `commissions:${ctx.tenantId}`);
  const person = await Salesperson.query(trx).findById(input.salespersonId);
  if (person === undefined)
    throw invalidMember('/salespersonId', 'invalid_reference', 'refers to a salesperson that does not exist');
  const today = await loadToday(trx, ctx);
  const { upTo = today, due = 'invoiced' } = input;
  const id = newId();
  const bindings = { from: '0001-01-01', to: upTo, salesperson: person.id, due };
  const [sums] = await query<{ lines: number; base: Decimal; total: Decimal }>(
    trx,
    commissionsSql(`select count(*)::integer as lines, coalesce(sum(base), 0)::text as base,
      coalesce(sum(commission), 0)::text as total ${OPEN}`),
    bindings,
  );
  if (sums === undefined || sums.lines === 0)
    throw new ServiceError('nothing_open', `${person.name} has no commissions up to ${upTo} that are not settled`);
  const total = decimal(sums.total);
  if (total.lt(0)) {
    const message = `${person.name} owes ${total.neg().toFixed()} because more was taken back than sold; settle when more is due`;
    throw new ServiceError('invalid_transition', message);
  }
  const description = input.description ?? (await usualText(trx, upTo));
  const paid = total.eq(0) ? NOTHING_PAID : await pay(trx, ctx, person, { description, total: total.toFixed(), today });
  const number = await nextNumber(trx, ctx.tenantId, 'commission_settlements');
  const settlement = await insertRow(trx, ctx, CommissionSettlement, {
    id,
    code: `COM-${String(number).padStart(5, '0')}`,
    date: today,
    salespersonId: person.id,
    upTo,
    due,
    lines: sums.lines,
    base: sums.base,
    total: sums.total,
    ...paid,
    createdBy: ctx.userId,
  });
  await query(
    trx,
    commissionsSql(`insert into commission_lines (id, tenant_id, settlement_id, line_id, sign, basis, base, percent, amount)
      select gen_random_uuid(), :tenant::uuid, :id::uuid, line_id, sign, basis, base, percent, commission ${OPEN}`),
    { ...bindings, id, tenant: ctx.tenantId },
  );
  return settlement;
}

/** The text of the invoice's line or pay item, in the company's language. */
async function usualText(trx: Db, upTo: string): Promise<string> {
  const formats = formatsFor(await loadSettings(trx, 'format'), null);
  const day = formats.day(upTo);
  return formats.language === 'es' ? `Comisiones hasta el ${day}` : `Commissions up to ${day}`;
}

/** The permission to pay a salesperson: by an agent's invoice or with the pay; null for others. */
export async function permissionToPay(reader: Reader, salespersonId: string): Promise<Permission | null> {
  const person = await findRow(reader, Salesperson, { id: salespersonId });
  if (person === undefined) return null;
  if (person.partnerId !== null) return 'purchase_invoices:create';
  return person.employeeId === null ? null : 'payroll:create';
}

const NOTHING_PAID = { documentId: null, payItemId: null };

interface Payable {
  readonly description: string;
  readonly total: Decimal;
  readonly today: string;
}

/** Pays by the draft of the agent's invoice, or by a pay item of this month; neither for others. */
async function pay(trx: Db, ctx: Context, person: Salesperson, { description, total, today }: Payable) {
  if (person.partnerId !== null) {
    const accountId = await agentsAccount(trx);
    const lines = [{ description, quantity: 1, price: toNumber(total), ...(accountId === null ? {} : { accountId }) }];
    const invoice = await createDocument(trx, ctx, 'PINV', { partnerId: person.partnerId, lines });
    return { documentId: invoice.id, payItemId: null };
  }
  if (person.employeeId === null) return NOTHING_PAID;
  const [from, to] = [dayInMonth(today, 1), endOfMonth(today)];
  checkEmployed(await lockEmployee(trx, person.employeeId), { from, to });
  const item = {
    employeeId: person.employeeId,
    description,
    kind: 'earning' as const,
    amount: round(total, 2),
    from,
    to,
  };
  const { id } = await insertRow(trx, ctx, PayItem, item);
  return { documentId: null, payItemId: id };
}

/** The chart's account of independent professionals and agents; null if there is none. */
async function agentsAccount(trx: Db): Promise<string | null> {
  const [found] = await query<{ id: string }>(
    trx,
    `select id from accounts where code like any(:codes::text[]) and not is_heading and active
     order by length(code), code limit 1`,
    { codes: likeGroup(await loadChart(trx), 'commissions') },
  );
  return found?.id ?? null;
}

/**
 * Undoes a settlement: its lines can be settled again. The draft of the invoice and the pay item go with it.
 * @throws ServiceError not_found; stale_version; invalid_transition if the invoice was posted
 */
export async function undoSettlement(trx: Db, ctx: Context, id: string, ifMatch: number | null): Promise<void> {
  await lockName(trx, `commissions:${ctx.tenantId}`);
  const settlement = await findSettlement(trx, id);
  assertVersion(settlement, ifMatch);
  await removeRow(trx, ctx, CommissionSettlement, settlement);
  await removeInvoice(trx, ctx, settlement);
  const item = settlement.payItemId === null ? undefined : await PayItem.query(trx).findById(settlement.payItemId);
  if (item !== undefined) await removeRow(trx, ctx, PayItem, item);
}

async function removeInvoice(trx: Db, ctx: Context, { code, documentId }: CommissionSettlement): Promise<void> {
  const [invoice] = await query<{ code: string | null; status: string }>(
    trx,
    'select code, status from documents where id = :documentId::uuid',
    { documentId },
  );
  if (documentId === null || invoice === undefined || invoice.status === DOCUMENT_STATUS.cancelled) return;
  if (invoice.status !== DOCUMENT_STATUS.draft) {
    const message = `${code} cannot be undone because its invoice ${invoice.code} was posted; cancel that first`;
    throw new ServiceError('invalid_transition', message);
  }
  await deleteDocument(trx, ctx, documentId, { docType: 'PINV', ifMatch: null });
}

/** @throws ServiceError not_found */
export async function findSettlement(reader: Reader, id: string): Promise<CommissionSettlement> {
  const found = await findRow(reader, CommissionSettlement, { id });
  if (found === undefined) throw notFound('This settlement');
  return found;
}
