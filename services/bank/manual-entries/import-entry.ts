/** Imports an entry from a table file, such as the balances and open invoices of a company that moves in. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { JournalEntry } from '../../../db/models/ledger/accounting.ts';
import { Account } from '../../../db/models/records/master-data.ts';
import { invalidMember, type RowError, ServiceError } from '../../../domain/errors.ts';
import { type Decimal, decimal, sum, toNumber } from '../../../domain/money.ts';
import { tableConventions } from '../../../domain/records/tables/conventions.ts';
import { type EntryInput, type EntryLineInput, LineInput } from '../../ledger/accounting/schemas.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { amount, day, text, uuid } from '../../platform/validation/schemas.ts';
import { bodyValidator } from '../../platform/validation/validate.ts';
import { type Columns, readHeader } from '../../records/imports/columns.ts';
import { Rollback, refused, unreadableReport } from '../../records/imports/import.ts';
import { type PreparedRow, prepareRow } from '../../records/imports/prepare.ts';
import { openTable } from '../../records/imports/read.ts';
import { resolveReferences } from '../../records/imports/references.ts';
import { NOTHING } from '../../records/imports/report.ts';
import { BadTable, badTable, CSV, type SourceRow, type TableFile } from '../../records/imports/source.ts';
import { declareResource, type HookScope } from '../../records/resources/declaration.ts';
import { createEntry } from './manual.ts';

/** Maximum number of lines in a file. */
export const MAX_FILE_LINES = 10_000;

/** The columns, named as in imports: Cuenta, Tercero, Vencimiento … */
const LINES = declareResource({
  name: 'EntryLine',
  plural: 'EntryLines',
  path: '/api/journal-entries',
  tag: 'Accounting',
  model: JournalEntry,
  defaultSort: 'date',
  fields: {
    accountId: { schema: uuid(), required: true, reference: { table: 'accounts' } },
    partnerId: { schema: uuid(), reference: { table: 'partners' } },
    debit: { schema: amount() },
    credit: { schema: amount() },
    dueDate: { schema: day() },
    reference: { schema: text() },
    description: { schema: text() },
    projectId: { schema: uuid(), reference: { table: 'projects' } },
    costCenterId: { schema: uuid(), reference: { table: 'cost_centers' } },
  },
});
/** Spanish titles of the two sides. */
const SIDES: Readonly<Record<string, string>> = { debe: 'debit', haber: 'credit' };

export interface EntryFile extends Pick<EntryInput, 'date' | 'kind' | 'description' | 'post'> {
  readonly file: TableFile;
  /** Code of the account for the difference between debits and credits. */
  readonly balanceAccount?: string | undefined;
  /** Whether to check the file without saving anything. */
  readonly dryRun?: boolean | undefined;
}

export interface ImportedEntry {
  readonly entry_id: string | null;
  readonly lines: number;
  readonly total: number;
  readonly open_items: number;
}

/**
 * Creates one entry from all rows of a file.
 * @throws ServiceError validation_failed with the line of each fault, or as createEntry
 */
export async function importEntry(scope: HookScope, input: EntryFile): Promise<ImportedEntry> {
  const { columns, rows } = await readLines(scope, input.file).catch((error: unknown) => {
    throw error instanceof BadTable ? refused(unreadableReport(error)) : error;
  });
  const lines = rows.map((row) => rowBody(columns, row));
  const { trx, ctx } = scope;
  const body = {
    ...entryHead(input),
    lines: [...lines, ...(await buildBalancingLine(trx, lines, input.balanceAccount))],
  };
  try {
    return await trx.transaction(async (inner) => {
      const done = await enterFile(inner, ctx, body, rows);
      if (input.dryRun === true) throw new DryRunEnd(done);
      return done;
    });
  } catch (error) {
    if (error instanceof DryRunEnd) return { ...error.done, entry_id: null };
    throw error;
  }
}

/** Thrown to roll back a dry run. */
class DryRunEnd extends Rollback {
  readonly done: ImportedEntry;

  constructor(done: ImportedEntry) {
    super(NOTHING);
    this.done = done;
  }
}

function entryHead({ date, kind, description, post }: EntryFile) {
  return { date, ...(kind === undefined ? {} : { kind }), description: description ?? null, post: post ?? false };
}

async function enterFile(
  trx: Db,
  ctx: Context,
  body: EntryInput,
  rows: readonly PreparedRow[],
): Promise<ImportedEntry> {
  const entry = await createEntry(trx, ctx, body).catch((error: unknown) => {
    throw error instanceof ServiceError ? locateFaults(error, rows) : error;
  });
  return {
    entry_id: entry.id,
    lines: entry.lines.length,
    total: entry.total,
    open_items: entry.lines.filter(({ openItemId }) => openItemId !== null).length,
  };
}

/** Reads the lines of a file. @throws BadTable, ServiceError validation_failed */
async function readLines(scope: HookScope, file: TableFile) {
  const { header, batches } = await openTable(file, 1000);
  const cells = header.cells.map((cell) =>
    typeof cell === 'string' ? (SIDES[cell.trim().toLowerCase()] ?? cell) : cell,
  );
  const columns = readHeader(LINES, [], { ...header, cells }, 'create');
  const conventions = tableConventions(await loadSettings(scope.trx, 'format'));
  const rows: PreparedRow[] = [];
  for await (const batch of batches) {
    for (const row of batch as readonly SourceRow[]) {
      if (rows.length === MAX_FILE_LINES) {
        const most = MAX_FILE_LINES.toLocaleString('en-US');
        throw badTable('too_many_rows', `has more than ${most} rows; make several entries`, row.line);
      }
      rows.push(prepareRow(columns, row, conventions, file.type !== CSV));
    }
  }
  await resolveReferences(scope, columns, rows, '');
  const check = bodyValidator(LineInput);
  for (const row of rows) {
    if (row.faults.length > 0) continue;
    try {
      check(rowBody(columns, row));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      for (const { pointer, code, message } of error.errors)
        row.faults.push({ column: pointer.slice(1) || null, code, message });
    }
  }
  const errors = rows.flatMap(({ line, faults }) => faults.map((fault): RowError => ({ line, ...fault })));
  if (errors.length > 0) throw new BadTable(errors);
  return { columns, rows };
}

function rowBody(columns: Columns, { values }: PreparedRow): EntryLineInput {
  const members = columns.flatMap((column) => {
    const value = column === null || column.write === 'never' ? null : values[column.name];
    // Some programs write zero on the side without an amount.
    return value === null || value === undefined || value === 0 ? [] : [[column?.name, value]];
  });
  return Object.fromEntries(members) as EntryLineInput;
}

/** Builds the line that balances the others. @throws ServiceError validation_failed */
async function buildBalancingLine(
  trx: Db,
  lines: readonly EntryLineInput[],
  code: string | undefined,
): Promise<EntryLineInput[]> {
  if (code === undefined) return [];
  const account = await Account.query(trx).findOne({ code });
  if (account === undefined) {
    throw invalidMember('/balance_account', 'invalid_reference', 'must be the code of an account');
  }
  const of = (side: 'debit' | 'credit'): Decimal => sum(lines.map((line) => line[side] ?? 0)).toFixed();
  const rest = decimal(of('debit')).minus(of('credit'));
  if (rest.eq(0)) return [];
  return [{ accountId: account.id, [rest.gt(0) ? 'credit' : 'debit']: toNumber(rest.abs().toFixed()) }];
}

/** Replaces pointers to entry lines with lines of the file. */
function locateFaults(error: ServiceError, rows: readonly PreparedRow[]): ServiceError {
  const errors = error.errors.flatMap(({ pointer, code, message }): RowError[] => {
    const [, index, column = null] = /^\/lines\/(\d+)(?:\/(\w+))?/.exec(pointer) ?? [];
    const line = index === undefined ? undefined : rows[Number(index)]?.line;
    return line === undefined ? [] : [{ line, column, code, message }];
  });
  return errors.length === 0 ? error : refused({ ...NOTHING, errors });
}
