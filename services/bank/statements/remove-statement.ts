/** Deletes a statement imported by mistake, unless one of its lines has been accepted. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { BankStatement, BankStatementLine } from '../../../db/models/bank/statements.ts';
import { assertVersion, removeRow, removeRowsWhere } from '../../../db/write.ts';
import { inUse, notFound } from '../../../domain/errors.ts';
import { lockAccounts } from './import.ts';

/**
 * Deletes a statement with its lines, which can be imported again, also from another statement that contains them.
 * @throws ServiceError not_found, stale_version, in_use (accepted lines)
 */
export async function removeStatement(trx: Db, ctx: Context, id: string, ifMatch: number | null): Promise<void> {
  const seen = await BankStatement.query(trx).findById(id);
  if (seen === undefined) throw notFound('This bank statement');
  // Locks accounts before statements and lines, in the same order as imports do.
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
      instead: 'Reopen its accepted lines first.',
    });
  }
  await removeRowsWhere(trx, ctx, BankStatementLine, { statement_id: id });
  await removeRow(trx, ctx, BankStatement, statement);
}
