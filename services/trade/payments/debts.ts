/** Debts that payments settle: documents and open items of entries. */
import type { Changes } from '../../../db/changes/changes.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { Payroll } from '../../../db/models/records/people.ts';
import { selectColumns } from '../../../db/models/selected.ts';
import type { Row } from '../../../db/models/table.ts';
import { OpenItem } from '../../../db/models/trade/payments.ts';
import { prepared } from '../../../db/sql.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import type { DocumentStatus } from '../../../domain/trade/documents/types.ts';
import {
  invoiceStatus,
  OPEN_ITEM,
  type PaymentDirection,
  paymentDirection,
  paymentStatus,
} from '../../../domain/trade/payments/types.ts';
import { lockDocuments, lockOpen } from '../documents/read.ts';
import type { LoadedDocument } from '../documents/stored.ts';

/** An open item with the members that it shares with documents. */
export type ItemRow = Readonly<Row<typeof OpenItem>> & {
  readonly docType: typeof OPEN_ITEM;
  readonly status: DocumentStatus;
  readonly partner: { readonly id: string; readonly code: string; readonly name: string };
};

/** The payroll whose net an item is. */
export interface ItemPayroll {
  readonly id: string;
  readonly version: number;
  readonly paymentId: string | null;
}

export interface LoadedItem {
  readonly row: ItemRow;
  readonly payroll: ItemPayroll | null;
}

/** A debt to or by a partner: a document or an open item. */
export type Debt = LoadedDocument | LoadedItem;

export function isItem(debt: Debt): debt is LoadedItem {
  return debt.row.docType === OPEN_ITEM;
}

/** The direction of the payments that settle the debt. */
export function debtDirection({ row }: Debt): PaymentDirection {
  return row.docType === OPEN_ITEM ? row.direction : paymentDirection(row.docType);
}

type Stored = Omit<ItemRow, 'docType' | 'status'>;

type StoredItem = Stored & { readonly payroll: ItemPayroll | null };

const ITEMS_SQL = `select ${selectColumns(OpenItem, 'i')}, json_build_object('id', p.id, 'code', p.code, 'name', p.name) as partner,
    (select json_build_object('id', pr.id, 'version', pr.version, 'paymentId', pr.payment_id) from payrolls pr
     where pr.entry_id = i.entry_id) as payroll
  from open_items i left join partners p on p.id = i.partner_id`;

function loaded({ payroll, ...row }: StoredItem): LoadedItem {
  const status = invoiceStatus(paymentStatus(row.total, row.paidTotal));
  return { row: { ...row, docType: OPEN_ITEM, status }, payroll };
}

/** Locks the open items of an entry, by line. */
export async function lockEntryItems(trx: Db, entryId: string): Promise<LoadedItem[]> {
  const sql = `${ITEMS_SQL} where i.entry_id = :entryId::uuid order by i.id for update of i`;
  return (await prepared<StoredItem>(trx, sql, { entryId })).map(loaded);
}

async function lockItems(trx: Db, ids: readonly string[], condition = ''): Promise<[string, LoadedItem][]> {
  if (ids.length === 0) return [];
  const sql = `${ITEMS_SQL} where i.id = any(:ids::uuid[]) ${condition} order by i.id for update of i`;
  return (await prepared<StoredItem>(trx, sql, { ids: [...ids] })).map((row) => [row.id, loaded(row)]);
}

/** Locks documents, then open items, in the common order (by id); unknown ids are left out. */
export async function lockDebts(trx: Db, ids: readonly string[]): Promise<Map<string, Debt>> {
  const documents = await lockDocuments(trx, ids);
  return new Map<string, Debt>([...documents, ...(await lockItems(trx, missing(ids, documents)))]);
}

/** Locks the debts that still have an outstanding amount once the lock is free. */
export async function lockOpenDebts(trx: Db, ids: readonly string[]): Promise<Map<string, Debt>> {
  const documents = await lockOpen(trx, ids);
  const items = await lockItems(trx, missing(ids, documents), 'and i.total <> i.paid_total');
  return new Map<string, Debt>([...documents, ...items]);
}

function missing(ids: readonly string[], found: ReadonlyMap<string, unknown>): string[] {
  return [...new Set(ids.map((id) => id.toLowerCase()))].filter((id) => !found.has(id));
}

/** Loads open items by id, without locking them. */
export async function loadItems(reader: Reader, ids: readonly string[]): Promise<LoadedItem[]> {
  return (await prepared<StoredItem>(reader, `${ITEMS_SQL} where i.id = any(:ids::uuid[])`, { ids: [...ids] })).map(
    loaded,
  );
}

/**
 * Adds a change of the settled amount of an open item. If the item is the net pay of a payroll, the payment that settles the rest has paid
 * it.
 * @param paymentId the payment that settles the item, or does so again; null for entries
 */
export function addSettledItem(
  changes: Changes,
  { row, payroll }: LoadedItem,
  settled: Decimal,
  paymentId: string | null = null,
): void {
  const paidTotal = sum([row.paidTotal, settled]).toFixed();
  changes.change(OpenItem, Object.assign(new OpenItem(), stored(row)), { paidTotal });
  if (payroll === null) return;
  const before = { paymentId: payroll.paymentId };
  const after = { paymentId: decimal(paidTotal).eq(row.total) ? (paymentId ?? before.paymentId) : null };
  if (before.paymentId === after.paymentId) return;
  const updatedAt = changes.ctx.now.toISOString();
  changes.update(Payroll, [
    { before: payroll, after: { ...payroll, ...after, version: payroll.version + 1, updatedAt } },
  ]);
  changes.audit({ type: Payroll.entityType, id: payroll.id }, before, after);
}

function stored({ docType: _, status: _status, partner: _partner, ...row }: ItemRow): Row<typeof OpenItem> {
  return row;
}

/** The unsettled amount; negative for credits. */
export function outstandingAmount({ row }: Debt): Decimal {
  return decimal(row.total).minus(row.paidTotal).toFixed();
}
