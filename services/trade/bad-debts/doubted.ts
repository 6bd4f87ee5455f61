/** Invoices of customers with what is provided for them, and the entries of what changes that. */
import type { Changes } from '../../../db/changes/changes.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { BadDebt, BadDebtMovement } from '../../../db/models/trade/bad-debts.ts';
import { prepared } from '../../../db/sql.ts';
import { invalidMember } from '../../../domain/errors.ts';
import {
  type BadDebtAccounts,
  type BadDebtMovementKind,
  type Debtor,
  type Doubt,
  doubtChange,
  doubtLines,
} from '../../../domain/ledger/accounting/bad-debts.ts';
import { commonDimensions, firstDimensions } from '../../../domain/ledger/accounting/dimensions.ts';
import type { EntryLine } from '../../../domain/ledger/accounting/entries.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import { DOCUMENT_STATUS } from '../../../domain/trade/documents/types.ts';
import { AccountBook } from '../../ledger/accounting/account-book.ts';
import { addEntry, type EntryDay } from '../../ledger/accounting/write-entry.ts';
import { lockDocuments } from '../documents/read.ts';
import type { LoadedDocument } from '../documents/stored.ts';
import { loadInvoiceAccounts } from '../payments/invoice-accounts.ts';

/** Source of the entries of bad debts. */
export const BAD_DEBT_SOURCE = 'bad_debt';

const TEXTS: Readonly<Record<BadDebtMovementKind, string>> = {
  provision: 'Deterioro del crédito',
  release: 'Reversión del deterioro del crédito',
  write_off: 'Crédito incobrable',
};

export interface Doubted {
  readonly invoice: LoadedDocument;
  /** In the company's currency; 0 if the invoice is cancelled. */
  readonly outstanding: Decimal;
  /** Null while nothing was provided for it. */
  readonly debt: BadDebt | null;
  /** Day of its last movement that stands, or of the invoice. */
  readonly since: string;
  readonly accounts: BadDebtAccounts;
}

const SINCE_SQL = `select bad_debt_id as id, max(date) as date from bad_debt_movements
  where bad_debt_id = any(:ids::uuid[]) and standing group by 1`;

/**
 * Locks sales invoices, and what is provided for them, until the transaction ends.
 * @returns them in the order of the ids, with the accounts, which are locked too; ids of anything else are left out
 * @throws ServiceError validation_failed for an account that cannot be used
 */
export async function lockDoubted(
  trx: Db,
  ids: readonly string[],
): Promise<{ readonly book: AccountBook; readonly doubted: readonly Doubted[] }> {
  const documents = await lockDocuments(trx, ids);
  const invoices = ids.flatMap((id) => documents.get(id) ?? []).filter(({ row }) => row.docType === 'SINV');
  const debts = (await BadDebt.query(trx)
    .whereIn(
      'document_id',
      invoices.map(({ row }) => row.id),
    )
    .forUpdate()) as BadDebt[];
  const last = await prepared<{ id: string; date: string }>(trx, SINCE_SQL, { ids: debts.map(({ id }) => id) });
  const since = new Map(last.map(({ id, date }) => [id, date]));
  const byInvoice = new Map(debts.map((debt) => [debt.documentId, debt]));
  const receivables = await loadInvoiceAccounts(
    trx,
    invoices.map(({ row }) => row.id),
  );
  const used = [
    ...receivables.values(),
    ...debts.flatMap((debt) => [debt.impairmentAccountId, debt.doubtfulAccountId]),
  ];
  const book = await AccountBook.loadLocked(trx, {
    roles: ['doubtfulReceivable', 'debtImpairment', 'debtImpairmentLoss', 'debtImpairmentReversal', 'badDebts'],
    accounts: used,
  });
  const [loss, reversal] = [book.role('debtImpairmentLoss'), book.role('debtImpairmentReversal')];
  const doubted = invoices.flatMap((invoice): Doubted[] => {
    const debt = byInvoice.get(invoice.row.id) ?? null;
    const receivable = receivables.get(invoice.row.id);
    if (receivable === undefined) return [];
    const impairment = debt?.impairmentAccountId ?? book.role('debtImpairment');
    const doubtful = debt?.doubtfulAccountId ?? book.role('doubtfulReceivable');
    for (const id of [receivable, impairment, doubtful]) if (id !== '') book.use(id, `for ${invoice.row.code}`);
    const accounts = { receivable, impairment, doubtful, loss, reversal };
    const from = (debt && since.get(debt.id)) ?? invoice.row.date;
    return [{ invoice, outstanding: outstanding(invoice), debt, since: from, accounts }];
  });
  book.faults.throwIfAny();
  return { book, doubted };
}

function outstanding({ row }: LoadedDocument): Decimal {
  if (row.status === DOCUMENT_STATUS.cancelled) return '0';
  const left = decimal(row.companyTotal ?? row.total).minus(row.companyPaidTotal ?? row.paidTotal);
  return left.gt(0) ? left.toFixed() : '0';
}

/** The provision so far. */
export function currentDoubt({ debt }: Pick<Doubted, 'debt'>): Doubt {
  return debt === null ? { provided: '0', doubtful: '0' } : { provided: debt.provided, doubtful: debt.doubtful };
}

/** @throws ServiceError validation_failed for a day before what was entered last */
export function checkSince({ since }: Doubted, date: string): void {
  if (date < since)
    throw invalidMember('/date', 'out_of_range', `must not be before ${since}, the day of what was entered last`);
}

interface DoubtAct {
  readonly kind: BadDebtMovementKind;
  readonly on: EntryDay;
  readonly to: Doubt;
  readonly lines: readonly EntryLine[];
  readonly lost?: Decimal;
}

/** Adds the entry of a change, and the invoice as it is then. @returns the ids of the bad debt and of the entry */
export function addDoubt(
  changes: Changes,
  book: AccountBook,
  doubted: Doubted,
  { kind, on, to, lines, lost = '0' }: DoubtAct,
): { readonly id: string; readonly entryId: string } {
  const { invoice, debt, accounts } = doubted;
  const { id: documentId, partner } = invoice.row;
  const code = invoice.row.code ?? '';
  const id = debt?.id ?? newId();
  const source = { sourceType: BAD_DEBT_SOURCE, sourceId: id, description: `${TEXTS[kind]} ${code}` };
  const entryId = addEntry(changes, { ...on, ...source, lines: book.completed(lines) });
  const sums = { ...to, writtenOff: sum([debt?.writtenOff ?? '0', lost]).toFixed() };
  if (debt === null) {
    const held = { impairmentAccountId: accounts.impairment, doubtfulAccountId: accounts.doubtful };
    changes.create(BadDebt, { id, code, documentId, partnerId: partner.id, ...held, ...sums });
  } else changes.change(BadDebt, debt, sums);
  const moved = { ...doubtChange(currentDoubt(doubted), to), writtenOff: lost };
  const made = { createdBy: changes.ctx.userId, createdAt: changes.ctx.now.toISOString() };
  const movement = { id: newId(), badDebtId: id, kind, date: on.date, ...moved, entryId, ...made };
  changes.insert(BadDebtMovement, [{ ...movement, standing: true, undoesId: null }]);
  return { id, entryId };
}

/** Adds what brings an invoice to another state, without loss. @returns the id of the bad debt; null if nothing changes */
export function addAdjustment(
  changes: Changes,
  book: AccountBook,
  doubted: Doubted,
  on: EntryDay,
  to: Doubt,
): string | null {
  const change = doubtChange(currentDoubt(doubted), to);
  const lines = doubtLines(change, findDebtor(doubted), doubted.accounts);
  if (lines.length === 0) return null;
  // What is provided decides: the account of doubtful customers follows the payments.
  const decisive = decimal(change.provided).eq(0) ? change.doubtful : change.provided;
  const kind = decimal(decisive).lt(0) ? 'release' : 'provision';
  return addDoubt(changes, book, doubted, { kind, on, to, lines }).id;
}

/** The customer, and what bears the expense: what the invoice names, or else what all its lines do, even if it is closed by now. */
export function findDebtor({ invoice: { row, lines } }: Doubted): Debtor {
  return { partnerId: row.partner.id, dimensions: firstDimensions(row, commonDimensions(lines)) };
}
