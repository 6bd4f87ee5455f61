/** Imports statements: each line of an account once. */

import { insertMissingRows } from '../../db/bulk-write.ts';
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { newId } from '../../db/ids.ts';
import { BankStatementLine, BankStatement as StoredStatement } from '../../db/models/bank.ts';
import { query } from '../../db/sql.ts';
import { insertRow } from '../../db/write.ts';
import type { StatementFormat } from '../../domain/bank/format.ts';
import { BadStatement, type BankStatement } from '../../domain/bank/statement.ts';
import { invalidMember, type RowError, ServiceError } from '../../domain/errors.ts';
import { tableConventions } from '../../domain/tables/conventions.ts';
import { loadSettings } from '../settings/settings.ts';
import { fingerprintOf, lineKeys } from './line-keys.ts';
import { readBankFile } from './read-file.ts';

export interface StatementFile {
  readonly content: Uint8Array;
  readonly name: string | undefined;
  /** Found out when absent. */
  readonly format?: StatementFormat | undefined;
  /** Whose statement it is; found by the IBAN when absent. */
  readonly bankAccountId?: string | undefined;
}

export interface ImportedStatement {
  readonly id: string;
  readonly bank_account_id: string;
  readonly from_date: string;
  readonly to_date: string;
  readonly lines: number;
  readonly new_lines: number;
  readonly duplicates: number;
}

interface Account {
  readonly id: string;
  readonly iban: string;
}

/** Lines that are written at once. */
const BATCH = 1000;

/**
 * Imports all statements of a file, or none. Two imports for one account wait for each other.
 * @throws ServiceError validation_failed: with `line` and `column` for what is wrong in the file
 */
export async function importStatements(
  trx: Db,
  ctx: Context,
  file: StatementFile,
): Promise<{ format: StatementFormat; statements: ImportedStatement[]; new_lines: number; duplicates: number }> {
  const settings = await loadSettings(trx, 'format');
  const { format, statements } = await readBankFile(file.content, tableConventions(settings), file.format).catch(
    (error: unknown) => {
      throw error instanceof BadStatement ? refused(error.errors) : error;
    },
  );
  const accounts = await lockAccounts(trx, statements, file.bankAccountId);
  const { currency } = await loadSettings(trx, 'company');
  for (const [index, statement] of statements.entries()) {
    if (statement.currency !== null && statement.currency !== currency) {
      throw refused([
        faultOf(
          statement,
          'other_currency',
          `is in ${statement.currency}; the company keeps its accounts in ${currency}`,
          index,
        ),
      ]);
    }
  }
  const imported: ImportedStatement[] = [];
  for (const [index, statement] of statements.entries()) {
    const account = accounts[index] as Account;
    imported.push(await importOne(trx, ctx, statement, { account, format, currency, name: file.name }));
  }
  const total = (member: 'new_lines' | 'duplicates') => imported.reduce((sum, one) => sum + one[member], 0);
  return { format, statements: imported, new_lines: total('new_lines'), duplicates: total('duplicates') };
}

async function importOne(
  trx: Db,
  ctx: Context,
  statement: BankStatement,
  {
    account,
    format,
    currency,
    name,
  }: { account: Account; format: StatementFormat; currency: string; name: string | undefined },
): Promise<ImportedStatement> {
  const keys = lineKeys(statement.lines);
  const fingerprint = fingerprintOf(statement, keys);
  const { from, to, lines } = statement;
  const answer = { bank_account_id: account.id, from_date: from, to_date: to, lines: lines.length };
  const known = await StoredStatement.query(trx).findOne({ bank_account_id: account.id, fingerprint });
  if (known !== undefined) return { id: known.id, ...answer, new_lines: 0, duplicates: lines.length };
  const present = new Set(
    (
      await query<{ key: string }>(
        trx,
        'select key from bank_statement_lines where bank_account_id = :id::uuid and key = any(:keys::text[])',
        { id: account.id, keys },
      )
    ).map(({ key }) => key),
  );
  const added = lines.flatMap((line, index) => {
    const key = keys[index] as string;
    return present.has(key) ? [] : [{ key, index, line }];
  });
  const id = newId();
  await insertRow(trx, ctx, StoredStatement, {
    id,
    bankAccountId: account.id,
    format,
    fileName: name ?? null,
    reference: statement.reference,
    currency,
    fromDate: from,
    toDate: to,
    openingBalance: statement.opening,
    closingBalance: statement.closing,
    fingerprint,
    lineCount: lines.length,
    newLineCount: added.length,
  });
  for (let at = 0; at < added.length; at += BATCH) {
    const rows = added.slice(at, at + BATCH).map(({ key, index, line }) => ({
      bankAccountId: account.id,
      statementId: id,
      position: index + 1,
      key,
      date: line.date,
      valueDate: line.valueDate,
      amount: line.amount,
      reference: line.reference,
      bankReference: line.bankReference,
      endToEndId: line.endToEndId,
      counterpartyName: line.counterpartyName,
      counterpartyIban: line.counterpartyIban,
      text: line.text,
      reversal: line.reversal,
      status: 'open' as const,
    }));
    await insertMissingRows(trx, ctx, BankStatementLine, rows, ['bankAccountId', 'key']);
  }
  return { id, ...answer, new_lines: added.length, duplicates: lines.length - added.length };
}

/**
 * The account of each statement, locked in the order of their ids.
 * @throws ServiceError validation_failed when the company has no such account, or it is not the one that was named
 */
async function lockAccounts(
  trx: Db,
  statements: readonly BankStatement[],
  given: string | undefined,
): Promise<Account[]> {
  const ibans = statements.flatMap(({ account }) => account.iban ?? []);
  const rows = await query<Account>(
    trx,
    'select id, iban from bank_accounts where id = :given::uuid or iban = any(:ibans::text[]) order by id for update',
    { given: given ?? null, ibans },
  );
  const named = rows.find(({ id }) => id === given?.toLowerCase());
  if (given !== undefined && named === undefined) {
    throw new ServiceError('invalid_parameter', 'bank_account_id refers to a bank account that does not exist');
  }
  return statements.map((statement, index) => {
    const { iban, number } = statement.account;
    const account = iban === null ? named : rows.find((row) => row.iban === iban);
    if (account !== undefined && (named === undefined || account.id === named.id)) return account;
    if (iban === null) {
      const whose =
        number === null ? 'does not say whose statement it is' : `is of the account ${number}, which is no IBAN`;
      throw refused([faultOf(statement, 'unknown_account', `${whose}; name it with bank_account_id`, index)]);
    }
    const words = named === undefined ? 'none of the company' : `not ${named.iban}, which bank_account_id names`;
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
