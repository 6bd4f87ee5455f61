/** Entries from table files, such as the balances and open invoices with which a company moves in. */
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { JournalEntry } from '../../db/models/accounting.ts';
import { Account } from '../../db/models/master-data.ts';
import { invalidMember, type RowError, ServiceError } from '../../domain/errors.ts';
import { type Decimal, decimal, sum, toNumber } from '../../domain/money.ts';
import { tableConventions } from '../../domain/tables/conventions.ts';
import { type EntryInput, type EntryLineInput, LineInput } from '../accounting/schemas.ts';
import { type Columns, readHeader } from '../imports/columns.ts';
import { Rollback, refused, reportOf } from '../imports/import.ts';
import { type PreparedRow, prepareRow } from '../imports/prepare.ts';
import { openTable } from '../imports/read.ts';
import { resolveReferences } from '../imports/references.ts';
import { NOTHING } from '../imports/report.ts';
import { BadTable, badTable, CSV, type SourceRow, type TableFile } from '../imports/source.ts';
import { declareResource, type HookScope } from '../resources/declaration.ts';
import { loadSettings } from '../settings/settings.ts';
import { amount, day, text, uuid } from '../validation/schemas.ts';
import { bodyValidator } from '../validation/validate.ts';
import { createEntry } from './manual.ts';

/** The most lines of a file. */
export const MAX_FILE_LINES = 10_000;

/** The columns, in the words of imports: Cuenta, Tercero, Vencimiento … */
const LINES = declareResource({
  name: 'EntryLine',
  plural: 'EntryLines',
  path: '/api/journal-entries',
  tag: 'Accounting',
  permission: 'journal_entries',
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
/** How books in Spanish head their two sides. */
const SIDES: Readonly<Record<string, string>> = { debe: 'debit', haber: 'credit' };

export interface EntryFile extends Pick<EntryInput, 'date' | 'kind' | 'description' | 'post'> {
  readonly file: TableFile;
  /** Code of the account that gets the difference of debits and credits. */
  readonly balanceAccount?: string | undefined;
  /** Keep nothing; only check. */
  readonly dryRun?: boolean | undefined;
}

export interface ImportedEntry {
  readonly entry_id: string | null;
  readonly lines: number;
  readonly total: number;
  readonly open_items: number;
}

/**
 * Makes one entry of all rows of a file.
 * @throws ServiceError validation_failed with the line of each fault, or as createEntry
 */
export async function importEntry(scope: HookScope, input: EntryFile): Promise<ImportedEntry> {
  const { columns, rows } = await readLines(scope, input.file).catch((error: unknown) => {
    throw error instanceof BadTable ? refused(reportOf(error)) : error;
  });
  const lines = rows.map((row) => bodyOf(columns, row));
  const { trx, ctx } = scope;
  const body = { ...headOf(input), lines: [...lines, ...(await balancing(trx, lines, input.balanceAccount))] };
  try {
    return await trx.transaction(async (inner) => {
      const done = await enterFile(inner, ctx, body, rows);
      if (input.dryRun === true) throw new Kept(done);
      return done;
    });
  } catch (error) {
    if (error instanceof Kept) return { ...error.done, entry_id: null };
    throw error;
  }
}

/** Thrown to undo a trial. */
class Kept extends Rollback {
  readonly done: ImportedEntry;

  constructor(done: ImportedEntry) {
    super(NOTHING);
    this.done = done;
  }
}

function headOf({ date, kind, description, post }: EntryFile) {
  return { date, ...(kind === undefined ? {} : { kind }), description: description ?? null, post: post ?? false };
}

async function enterFile(
  trx: Db,
  ctx: Context,
  body: EntryInput,
  rows: readonly PreparedRow[],
): Promise<ImportedEntry> {
  const entry = await createEntry(trx, ctx, body).catch((error: unknown) => {
    throw error instanceof ServiceError ? atLines(error, rows) : error;
  });
  return {
    entry_id: entry.id,
    lines: entry.lines.length,
    total: entry.total,
    open_items: entry.lines.filter(({ openItemId }) => openItemId !== null).length,
  };
}

/** @throws BadTable, ServiceError validation_failed */
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
      check(bodyOf(columns, row));
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

function bodyOf(columns: Columns, { values }: PreparedRow): EntryLineInput {
  const members = columns.flatMap((column) => {
    const value = column === null || column.write === 'never' ? null : values[column.name];
    // Programs write the side that has nothing as zero.
    return value === null || value === undefined || value === 0 ? [] : [[column?.name, value]];
  });
  return Object.fromEntries(members) as EntryLineInput;
}

/** The line that balances the others. @throws ServiceError validation_failed */
async function balancing(
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

/** Faults of lines by the lines of the file. */
function atLines(error: ServiceError, rows: readonly PreparedRow[]): ServiceError {
  const errors = error.errors.flatMap(({ pointer, code, message }): RowError[] => {
    const [, index, column = null] = /^\/lines\/(\d+)(?:\/(\w+))?/.exec(pointer) ?? [];
    const line = index === undefined ? undefined : rows[Number(index)]?.line;
    return line === undefined ? [] : [{ line, column, code, message }];
  });
  return errors.length === 0 ? error : refused({ ...NOTHING, errors });
}
