/** Reads a statement file and finds the bank accounts of its statements. */
import type { Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import type { StatementFormat } from '../../../domain/bank/statements/format.ts';
import { BadStatement, type BankStatement } from '../../../domain/bank/statements/statement.ts';
import type { ColumnMapping } from '../../../domain/bank/statements/table-header.ts';
import { invalidMember, type RowError, ServiceError } from '../../../domain/errors.ts';
import { tableConventions } from '../../../domain/records/tables/conventions.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { mappingText } from './columns.ts';
import { type ReadBankFile, readBankFile } from './read-file.ts';

export interface StatementFile {
  readonly content: Uint8Array;
  readonly name: string | undefined;
  /** Detected if missing. */
  readonly format?: StatementFormat | undefined;
  /** Account of the statement; found by its IBAN if missing. */
  readonly bankAccountId?: string | undefined;
  /** Meanings of a table's columns; the account's saved mapping if missing. */
  readonly columns?: ColumnMapping | undefined;
}

/** A statement with its account and its currency. */
export type StatementOfAccount = BankStatement & { readonly bankAccountId: string; readonly currency: string };

/** Statements ready for import. */
export interface ReadStatements {
  readonly format: StatementFormat;
  readonly name: string | null;
  readonly statements: readonly StatementOfAccount[];
  /** Total number of lines. */
  readonly lines: number;
  readonly warnings: readonly RowError[];
}

/**
 * Reads a file.
 * @throws ServiceError validation_failed with `line` and `column` of each fault in the file; invalid_parameter
 */
export async function readStatements(db: Db, file: StatementFile): Promise<ReadStatements> {
  const hints = tableConventions(await loadSettings(db, 'format'));
  const read = (columns?: ColumnMapping) =>
    readBankFile(file.content, hints, { format: file.format, columns }).catch((error: unknown) => {
      throw error instanceof BadStatement ? refused(error.errors) : error;
    });
  const named = file.bankAccountId === undefined ? undefined : await loadNamedAccount(db, file.bankAccountId);
  const said = file.columns ?? named?.columns ?? undefined;
  let found = await read(said);
  let accounts = await findAccounts(db, found.statements, named);
  if (said === undefined && isTable(found)) {
    // The account of the table is known only after reading it.
    const kept = savedMapping(accounts);
    if (kept !== undefined) {
      found = await read(kept);
      accounts = await findAccounts(db, found.statements, named);
    }
  }
  const { format, statements, warnings } = found;
  if (file.columns !== undefined && !isTable(found)) {
    throw new ServiceError('invalid_parameter', `columns is only for tables (CSV, Excel); the file is ${format}`);
  }
  const { currency: company } = await loadSettings(db, 'company');
  statements.forEach((statement, index) => {
    const currency = accounts[index]?.currency ?? company;
    if (statement.currency === null || statement.currency === currency) return;
    const message = `is in ${statement.currency}, but the bank account in ${currency}`;
    throw refused([toFault(statement, 'other_currency', message, index)]);
  });
  return {
    format,
    name: file.name ?? null,
    statements: statements.map((one, index) => {
      const { id, currency } = accounts[index] as Account;
      return { ...one, bankAccountId: id, currency: currency ?? company };
    }),
    lines: statements.reduce((total, { lines }) => total + lines.length, 0),
    warnings,
  };
}

interface Account {
  readonly id: string;
  readonly iban: string;
  /** Null for the company's. */
  readonly currency: string | null;
  readonly columns: ColumnMapping | null;
}

const ACCOUNT = 'select id, iban, currency, statement_columns as columns from bank_accounts';

/** Loads the account named by the client. @throws ServiceError invalid_parameter */
async function loadNamedAccount(db: Db, id: string): Promise<Account> {
  const [account] = await query<Account>(db, `${ACCOUNT} where id = :id::uuid`, { id });
  if (account !== undefined) return account;
  throw new ServiceError('invalid_parameter', 'bank_account_id refers to a bank account that does not exist');
}

/** Lists the bank accounts of a file. */
export function listAccounts({ statements }: ReadStatements): string[] {
  return [...new Set(statements.map(({ bankAccountId }) => bankAccountId))];
}

/** Whether column mappings apply to the file. */
export function isTable({ format }: Pick<ReadBankFile, 'format'>): boolean {
  return format === 'csv' || format === 'excel';
}

/** Finds the mapping saved for the accounts of a table. @throws ServiceError validation_failed when they differ */
function savedMapping(accounts: readonly Account[]): ColumnMapping | undefined {
  const kept = new Map(accounts.map(({ columns }) => [mappingText(columns), columns]));
  if (kept.size <= 1) return accounts[0]?.columns ?? undefined;
  const message = 'has several accounts with different saved columns; send columns to say which to use';
  throw refused([{ line: 1, column: null, code: 'ambiguous_column', message }]);
}

/**
 * Finds the account of each statement.
 * @throws ServiceError validation_failed when the company has no such account, or it is not the named one
 */
async function findAccounts(
  db: Db,
  statements: readonly BankStatement[],
  named: Account | undefined,
): Promise<Account[]> {
  const ibans = statements.flatMap(({ account }) => account.iban ?? []);
  const rows = await query<Account>(db, `${ACCOUNT} where iban = any(:ibans::text[])`, { ibans });
  const byIban = new Map(rows.map((row) => [row.iban, row]));
  return statements.map((statement, index) => {
    const { iban, number } = statement.account;
    const account = iban === null ? named : byIban.get(iban);
    if (account !== undefined && (named === undefined || account.id === named.id)) return account;
    if (iban === null) {
      const whose =
        number === null
          ? 'does not say which account it belongs to'
          : `is of the account ${number}, which is not an IBAN`;
      throw refused([toFault(statement, 'unknown_account', `${whose}; name it with bank_account_id`, index)]);
    }
    const words =
      named === undefined ? 'which the company does not have' : `not ${named.iban}, which bank_account_id names`;
    throw refused([toFault(statement, 'unknown_account', `is of the account ${iban}, ${words}`, index)]);
  });
}

function toFault({ lines }: BankStatement, code: string, message: string, index: number): RowError {
  return {
    line: lines[0]?.line ?? 1,
    column: null,
    code,
    message: index > 0 ? `statement ${index + 1} ${message}` : message,
  };
}

function refused(errors: readonly RowError[]): ServiceError {
  const [first] = errors;
  if (first === undefined) return invalidMember('/file', 'invalid', 'cannot be read');
  const column = first.column === null ? '' : `, ${first.column}`;
  return new ServiceError('validation_failed', `Line ${first.line}${column}: ${first.message}; nothing was imported`, {
    rowErrors: errors,
  });
}
