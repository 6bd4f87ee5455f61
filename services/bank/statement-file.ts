/** Reads a statement file and finds the bank accounts of its statements. */
import type { Db } from '../../db/database.ts';
import { query } from '../../db/sql.ts';
import type { StatementFormat } from '../../domain/bank/format.ts';
import { BadStatement, type BankStatement } from '../../domain/bank/statement.ts';
import { invalidMember, type RowError, ServiceError } from '../../domain/errors.ts';
import { tableConventions } from '../../domain/tables/conventions.ts';
import { loadSettings } from '../settings/settings.ts';
import { readBankFile } from './read-file.ts';

export interface StatementFile {
  readonly content: Uint8Array;
  readonly name: string | undefined;
  /** Detected when absent. */
  readonly format?: StatementFormat | undefined;
  /** Account of the statement; found by the IBAN when absent. */
  readonly bankAccountId?: string | undefined;
}

/** Statements ready to import, each with its account. */
export interface ReadStatements {
  readonly format: StatementFormat;
  readonly name: string | null;
  readonly currency: string;
  readonly statements: readonly (BankStatement & { readonly bankAccountId: string })[];
  /** In all statements together. */
  readonly lines: number;
}

/** @throws ServiceError validation_failed: with `line` and `column` of what is wrong in the file; invalid_parameter */
export async function readStatements(db: Db, file: StatementFile): Promise<ReadStatements> {
  const settings = await loadSettings(db, 'format');
  const { format, statements } = await readBankFile(file.content, tableConventions(settings), file.format).catch(
    (error: unknown) => {
      throw error instanceof BadStatement ? refused(error.errors) : error;
    },
  );
  const accounts = await accountsOf(db, statements, file.bankAccountId);
  const { currency } = await loadSettings(db, 'company');
  statements.forEach((statement, index) => {
    if (statement.currency === null || statement.currency === currency) return;
    const message = `is in ${statement.currency}, but the company keeps its accounts in ${currency}`;
    throw refused([faultOf(statement, 'other_currency', message, index)]);
  });
  return {
    format,
    name: file.name ?? null,
    currency,
    statements: statements.map((one, index) => ({ ...one, bankAccountId: accounts[index] as string })),
    lines: statements.reduce((total, { lines }) => total + lines.length, 0),
  };
}

/**
 * The account of each statement.
 * @throws ServiceError validation_failed when the company has no such account, or it is not the one named
 */
async function accountsOf(db: Db, statements: readonly BankStatement[], given: string | undefined): Promise<string[]> {
  const rows = await query<{ id: string; iban: string }>(
    db,
    'select id, iban from bank_accounts where id = :given::uuid or iban = any(:ibans::text[])',
    { given: given ?? null, ibans: statements.flatMap(({ account }) => account.iban ?? []) },
  );
  const named = rows.find(({ id }) => id === given?.toLowerCase());
  if (given !== undefined && named === undefined) {
    throw new ServiceError('invalid_parameter', 'bank_account_id refers to a bank account that does not exist');
  }
  return statements.map((statement, index) => {
    const { iban, number } = statement.account;
    const account = iban === null ? named : rows.find((row) => row.iban === iban);
    if (account !== undefined && (named === undefined || account.id === named.id)) return account.id;
    if (iban === null) {
      const whose =
        number === null
          ? 'does not say which account it belongs to'
          : `is of the account ${number}, which is not an IBAN`;
      throw refused([faultOf(statement, 'unknown_account', `${whose}; name it with bank_account_id`, index)]);
    }
    const words =
      named === undefined ? 'which the company does not have' : `not ${named.iban}, which bank_account_id names`;
    throw refused([faultOf(statement, 'unknown_account', `is of the account ${iban}, ${words}`, index)]);
  });
}

function faultOf({ lines }: BankStatement, code: string, message: string, index: number): RowError {
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
