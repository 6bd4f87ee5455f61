/** The representation of entries for clients. */
import type { Reader } from '../../../db/database.ts';
import { JournalEntry, JournalLine } from '../../../db/models/ledger/accounting.ts';
import type { Account } from '../../../db/models/records/master-data.ts';
import { jsonList, selectColumns, selectJsonColumns } from '../../../db/models/selected.ts';
import type { Row } from '../../../db/models/table.ts';
import type { OpenItem } from '../../../db/models/trade/payments.ts';
import { prepared } from '../../../db/sql.ts';
import { type FieldError, notFound } from '../../../domain/errors.ts';
import type { EntryLine, OpenLine, ServicePeriod } from '../../../domain/ledger/accounting/entries.ts';
import { type Decimal, decimal, roundedNumber, toNumber } from '../../../domain/money.ts';
import { PLACES } from '../../platform/settings/format.ts';
import { REVERSES_ON } from './planned-reversals.ts';

const { draftLines: _, ...HEAD } = JournalEntry.columns;

export interface EntryHead extends Omit<Row<typeof JournalEntry>, 'draftLines'> {
  readonly reversedBy: string | null;
  readonly reversesOn: string | null;
  /** Decimal places of amounts. */
  readonly places: number;
}

/** Columns of an entry `e`'s head. */
export const ENTRY_COLUMNS = [
  selectColumns({ columns: HEAD }, 'e'),
  '(select r.id from journal_entries r where r.tenant_id = e.tenant_id and r.reversal_of = e.id) as "reversedBy"',
  `${REVERSES_ON} as "reversesOn"`,
  `${PLACES} as places`,
] as const;

/** Converts the head of an entry for clients. */
export function entryToJson(row: EntryHead) {
  return {
    id: row.id,
    number: row.number,
    fiscalYear: row.fiscalYear,
    date: row.date,
    periodId: row.periodId,
    kind: row.kind,
    status: row.status,
    description: row.description,
    sourceType: row.sourceType,
    sourceId: row.sourceId,
    reversalOf: row.reversalOf,
    reversedBy: row.reversedBy,
    reversesOn: row.reversesOn,
    total: roundedNumber(row.total, row.places),
    createdBy: row.createdBy,
    postedAt: row.postedAt,
    version: row.version,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

export type EntryAnswer = Awaited<ReturnType<typeof readEntry>> & {
  /** About what was posted anyway. */
  readonly warnings?: readonly FieldError[];
};

type NamedAccount = Pick<Row<typeof Account>, 'code' | 'name'>;

interface WholeEntry extends EntryHead {
  readonly draftLines: readonly EntryLine[] | null;
  readonly lines: readonly Row<typeof JournalLine>[];
  /** Accounts of its lines, by id. */
  readonly accounts: Readonly<Record<string, NamedAccount>> | null;
  readonly items: readonly LineItem[];
  readonly settled: readonly { readonly lineNumber: number; readonly settlesId: string }[];
  readonly services: readonly (ServicePeriod & { readonly lineNumber: number })[];
}

/** The open item created by a line. */
type LineItem = Pick<Row<typeof OpenItem>, 'id' | 'lineNumber' | 'dueDate' | 'reference' | 'total' | 'paidTotal'>;

const ENTRY_SQL = `select ${ENTRY_COLUMNS.join(', ')}, e.draft_lines as "draftLines",
    ${jsonList(`select ${selectJsonColumns(JournalLine, 'l')} from journal_lines l
      where l.entry_id = e.id order by l.line_number`)} as lines,
    ${jsonList(`select i.id, i.line_number as "lineNumber", i.due_date as "dueDate", i.reference, i.total::text,
      i.paid_total::text as "paidTotal" from open_items i where i.entry_id = e.id`)} as items,
    ${jsonList(`select line_number as "lineNumber", coalesce(document_id, item_id) as "settlesId"
      from payment_applications where entry_id = e.id and e.reversal_of is null`)} as settled,
    ${jsonList(`select line_number as "lineNumber", service_from as "from", service_to as "to" from deferrals
      where entry_id = e.id`)} as services,
    (select json_object_agg(a.id, json_build_object('code', a.code, 'name', a.name)) from accounts a
      where a.id in (select l.account_id from journal_lines l where l.entry_id = e.id)
        or a.id in (select (line ->> 'accountId')::uuid from jsonb_array_elements(e.draft_lines) line)) as accounts
  from journal_entries e where e.id = any(:ids::uuid[]) order by e.seq`;

/** Reads an entry with its lines. @throws ServiceError not_found */
export async function readEntry(reader: Reader, id: string) {
  const [entry] = await readEntries(reader, [id]);
  if (entry === undefined) throw notFound('This journal entry');
  return entry;
}

/** Entries with their lines, in the order in which they were made. */
export async function readEntries(reader: Reader, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const entries = await prepared<WholeEntry>(reader, ENTRY_SQL, { ids: [...ids] });
  return entries.map((entry) => {
    const lines = entry.draftLines ?? entry.lines.map(enteredLine);
    const items = new Map(entry.items.map((item) => [item.lineNumber, item]));
    const settled = new Map(entry.settled.map(({ lineNumber, settlesId }) => [lineNumber, settlesId]));
    const services = new Map(entry.services.map((service) => [service.lineNumber, service]));
    return {
      ...entryToJson(entry),
      lines: lines.map((line, index) => ({
        ...lineToJson(line, index + 1, entry.accounts?.[line.accountId], entry.places),
        ...serviceMembers(line.service ?? services.get(index + 1)),
        ...openMembers(line.open, items.get(index + 1), settled.get(index + 1), entry.places),
      })),
    };
  });
}

/** Converts a stored line back to the line that was entered. */
function enteredLine(line: Row<typeof JournalLine>): EntryLine {
  const {
    taxKind: kind,
    taxOperation: operation,
    taxUse: use,
    taxRectifying: rectifying,
    noteLineId: _,
    pendingTaxId: _pendingTaxId,
    currency,
    currencyAmount,
    ...row
  } = line;
  const { taxRate: rate, taxBase: base, taxAmount: amount, taxGroupId: groupId } = row;
  // Tax columns are either all present or all null.
  const taxed = kind && operation && use && rectifying !== null && rate && base && amount;
  const original = currency && currencyAmount ? { inCurrency: { currency, amount: currencyAmount } } : {};
  return { ...row, ...original, tax: taxed ? { kind, operation, use, rectifying, groupId, rate, base, amount } : null };
}

/** Members for the open item that a line creates or settles. */
function openMembers(
  open: OpenLine | undefined,
  item: LineItem | undefined,
  settlesId: string | undefined,
  places: number,
) {
  return {
    dueDate: item?.dueDate ?? open?.dueDate ?? null,
    reference: item?.reference ?? open?.reference ?? null,
    settlesId: settlesId ?? open?.settlesId ?? null,
    openItemId: item?.id ?? null,
    outstanding: item ? roundedNumber(decimal(item.total).minus(item.paidTotal).toFixed(), places) : null,
  };
}

/** The amount of a line in another currency, as clients enter and see it: on the side of the line. */
export function currencyMembers(original: EntryLine['inCurrency']) {
  if (original === undefined) return { currency: null, currencyAmount: null };
  return { currency: original.currency, currencyAmount: toNumber(decimal(original.amount).abs()) };
}

/** The service of a line, as clients enter and see it. */
export function serviceMembers(service: ServicePeriod | undefined) {
  return { serviceFrom: service?.from ?? null, serviceTo: service?.to ?? null };
}

function lineToJson(line: EntryLine, lineNumber: number, account: NamedAccount | undefined, places: number) {
  const money = (value: Decimal) => roundedNumber(value, places);
  const { accountId, partnerId, projectId, costCenterId, description, tax, inCurrency } = line;
  return {
    lineNumber,
    accountId,
    accountCode: account?.code ?? '',
    accountName: account?.name ?? '',
    debit: money(line.debit),
    credit: money(line.credit),
    partnerId,
    projectId,
    costCenterId,
    description,
    ...currencyMembers(inCurrency),
    tax: tax && {
      kind: tax.kind,
      operation: tax.operation,
      use: tax.use,
      rectifying: tax.rectifying,
      taxGroupId: tax.groupId,
      rate: toNumber(tax.rate),
      base: toNumber(tax.base),
      amount: toNumber(tax.amount),
    },
  };
}
