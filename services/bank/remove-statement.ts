/** Deletes a statement that was imported by mistake, as long as nothing was made of its lines. */
import { removeRows } from '../../db/bulk-write.ts';
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { BankStatement, BankStatementLine } from '../../db/models/bank.ts';
import { assertVersion, removeRow } from '../../db/write.ts';
import { inUse, notFound } from '../../domain/errors.ts';
import { lockAccounts } from './import.ts';

/** Lines that are deleted at once. */
const BATCH = 1000;

/**
 * Deletes a statement with its lines, which may be imported again from then on: in this statement, or in another that has them too.
 * @throws ServiceError not_found, stale_version, in_use (lines that are accepted)
 */
export async function removeStatement(trx: Db, ctx: Context, id: string, ifMatch: number | null): Promise<void> {
  const seen = await BankStatement.query(trx).findById(id);
  if (seen === undefined) throw notFound('This bank statement');
  // Accounts are locked before statements and lines, as imports do.
  await lockAccounts(trx, [seen.bankAccountId]);
  const statement = await BankStatement.query(trx).findById(id).forUpdate();
  if (statement === undefined) throw notFound('This bank statement');
  assertVersion(statement, ifMatch);
  const of = () => BankStatementLine.query(trx).where({ statement_id: id });
  await of().select('id').orderBy('id').forUpdate();
  const matched = await of().where({ status: 'matched' }).resultSize();
  if (matched > 0) {
    throw inUse([{ entityType: 'BankStatementLine', count: matched }], {
      refused: 'The statement cannot be deleted',
      instead: 'Open its accepted lines again first.',
    });
  }
  for (;;) {
    const lines = await of().orderBy('id').limit(BATCH);
    await removeRows(trx, ctx, BankStatementLine, lines);
    if (lines.length < BATCH) break;
  }
  await removeRow(trx, ctx, BankStatement, statement);
}
