/** Imports statements: each line of an account exactly once. */

import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { BankStatementLine, BankStatement as StoredStatement } from '../../../db/models/bank/statements.ts';
import { query } from '../../../db/sql.ts';
import { insertRow, patchRow } from '../../../db/write.ts';
import { type StatementLine, Warnings } from '../../../domain/bank/statements/statement.ts';
import type { RowError } from '../../../domain/errors.ts';
import { recordRecent } from '../../platform/storage/budget.ts';
import { lineKeys, statementFingerprint } from './line-keys.ts';
import { acceptByRules } from './rules/accept.ts';
import { listAccounts, type ReadStatements } from './statement-file.ts';

interface ImportedStatement {
  readonly id: string;
  /** False for a statement that already existed. */
  readonly created: boolean;
  readonly bank_account_id: string;
  readonly from_date: string;
  readonly to_date: string;
  readonly lines: number;
  readonly new_lines: number;
  readonly duplicates: number;
  /** New lines accepted by rules. */
  readonly accepted: number;
}

/** A statement with the warnings of rules about its lines. */
export interface Imported extends ImportedStatement {
  readonly warnings: readonly RowError[];
}

export interface StatementImport {
  readonly format: string;
  readonly new_lines: number;
  readonly duplicates: number;
  readonly accepted: number;
  readonly statements: readonly ImportedStatement[];
  /** Inconsistencies in the file, and data left out. */
  readonly warnings: readonly RowError[];
}

/** Lines written together. */
const BATCH_SIZE = 1000;
/** About what a line takes until its row is measured. */
const BYTES_OF_A_LINE = 500;

/** Reports the lines of a statement written so far. */
type Progress = (lines: number) => Promise<void>;

/** Imports all statements of a file in one transaction. */
export async function importStatements(trx: Db, ctx: Context, file: ReadStatements): Promise<StatementImport> {
  await lockAccounts(trx, listAccounts(file));
  const imported: Imported[] = [];
  for (const index of file.statements.keys()) imported.push(await importStatement(trx, ctx, file, index));
  return buildReport(file, imported);
}

export function buildReport(
  { format, warnings: ofFile }: ReadStatements,
  imported: readonly Imported[],
): StatementImport {
  const total = (member: 'new_lines' | 'duplicates' | 'accepted') =>
    imported.reduce((sum, one) => sum + one[member], 0);
  const warnings = new Warnings();
  for (const { code, message, line, column } of [...ofFile, ...imported.flatMap((one) => one.warnings)]) {
    warnings.add(code, message, line, column);
  }
  return {
    format,
    new_lines: total('new_lines'),
    duplicates: total('duplicates'),
    accepted: total('accepted'),
    statements: imported.map(({ warnings: _, ...statement }) => statement),
    warnings: warnings.list,
  };
}

/** Serializes imports and deletions for an account; payments on it are not blocked. */
export async function lockAccounts(trx: Db, ids: readonly string[]): Promise<void> {
  await query(trx, 'select id from bank_accounts where id = any(:ids::uuid[]) order by id for no key update', {
    ids: [...ids],
  });
}

/**
 * Imports the lines of a statement that its account does not have yet, even into an existing statement: a deleted
 * statement may have contained them.
 * @param index of the statement, whose account the caller has locked
 */
export async function importStatement(
  trx: Db,
  ctx: Context,
  { format, name, statements }: ReadStatements,
  index: number,
  progress: Progress = async () => undefined,
): Promise<Imported> {
  const statement = statements[index];
  if (statement === undefined) throw new Error('the file has no such statement');
  const { from, to, lines, bankAccountId, currency } = statement;
  await recordRecent(trx, ctx, lines.length * BYTES_OF_A_LINE);
  const keys = lineKeys(lines);
  const fingerprint = statementFingerprint(statement, keys);
  const existing = await existingKeys(trx, bankAccountId, keys);
  const added = lines.flatMap((line, at) => {
    const key = keys[at] as string;
    return existing.has(key) ? [] : [{ key, position: at + 1, line }];
  });
  const known = await StoredStatement.query(trx).findOne({ bank_account_id: bankAccountId, fingerprint });
  const id = known?.id ?? newId();
  if (known === undefined) {
    await insertRow(trx, ctx, StoredStatement, {
      id,
      bankAccountId,
      format,
      fileName: name,
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
  } else await patchRow(trx, ctx, StoredStatement, known, { newLineCount: known.newLineCount + added.length });
  for (let at = 0; at < added.length; at += BATCH_SIZE) {
    const rows = added
      .slice(at, at + BATCH_SIZE)
      .map(({ line, ...place }) => buildRow(line, { ...place, bankAccountId, statementId: id }));
    await new Changes(ctx).createMissing(BankStatementLine, rows, ['bankAccountId', 'key']).write(trx);
    await progress(at + rows.length);
  }
  const { accepted, warnings } = await acceptByRules(trx, ctx, bankAccountId, added);
  return {
    id,
    created: known === undefined,
    bank_account_id: bankAccountId,
    from_date: from,
    to_date: to,
    lines: lines.length,
    new_lines: added.length,
    duplicates: lines.length - added.length,
    accepted,
    warnings,
  };
}

async function existingKeys(trx: Db, id: string, keys: readonly string[]): Promise<Set<string>> {
  const sql = 'select key from bank_statement_lines where bank_account_id = :id::uuid and key = any(:keys::text[])';
  return new Set((await query<{ key: string }>(trx, sql, { id, keys: [...keys] })).map(({ key }) => key));
}

function buildRow(
  line: StatementLine,
  place: Pick<BankStatementLine, 'key' | 'position' | 'bankAccountId' | 'statementId'>,
) {
  const { line: _, returnReason = null, ...values } = line;
  return { ...place, ...values, returnReason, status: 'open' as const };
}
