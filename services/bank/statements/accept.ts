/**
 * Accepts statement lines: each is explained by payments, existing or newly registered, and by amounts on ledger
 * accounts.
 */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { BankStatementLine } from '../../../db/models/bank/statements.ts';
import { patchRow } from '../../../db/write.ts';
import { invalidMember, ServiceError } from '../../../domain/errors.ts';
import { decimal } from '../../../domain/money.ts';
import type { BudgetWarning } from '../../ledger/budgets/compare.ts';
import { prefixPointers } from '../../platform/validation/refusals.ts';
import { Suggestions } from './auto-accept.ts';
import { LedgerAccounts, linkEntry, postParts } from './ledger-lines.ts';
import { linkPayments, lockNamedPayments, registerPart } from './line-payments.ts';
import { findMoneyElsewhere } from './money-elsewhere.ts';
import { lockOrderPayments } from './ordered.ts';
import { type AcceptedLine, assertOneKind, distribute, listParts, onAccount } from './parts.ts';
import { registerReturn } from './returned.ts';

interface Accepted {
  readonly line_id: string;
  readonly payment_ids: readonly string[];
  readonly entry_id: string | null;
}

export interface AcceptReport {
  readonly accepted: Accepted[];
  readonly refused: { line_id: string; code: string; message: string }[];
  /** About accepted lines. */
  readonly warnings: BudgetWarning[];
}

interface AcceptOptions {
  /** Whether to accept valid lines even if others are refused. */
  readonly partial: boolean;
  readonly leastScore: number;
}

/** Data loaded for all lines together. */
interface Known {
  readonly suggestions: Suggestions;
  readonly accounts: LedgerAccounts;
}

/**
 * Accepts all lines, or only valid ones with `partial`.
 * @throws ServiceError validation_failed, invalid_transition, duplicate, period_closed, budget_exceeded with pointers into `lines`;
 * not with `partial`
 */
export async function acceptLines(
  trx: Db,
  ctx: Context,
  inputs: readonly AcceptedLine[],
  { partial, leastScore }: AcceptOptions,
): Promise<AcceptReport> {
  const ids = inputs.map((input) => input.line_id.toLowerCase());
  const rows = await BankStatementLine.query(trx).whereIn('id', ids).orderBy('id').forUpdate();
  const lines = new Map(rows.map((row) => [row.id, row]));
  const asked = inputs.flatMap(({ suggestion, line_id }) =>
    suggestion ? (lines.get(line_id.toLowerCase()) ?? []) : [],
  );
  const known: Known = {
    suggestions: await Suggestions.load(trx, leastScore, asked),
    accounts: await LedgerAccounts.load(trx, inputs),
  };
  const report: AcceptReport = { accepted: [], refused: [], warnings: [] };
  for (const [index, input] of inputs.entries()) {
    const line = lines.get(ids[index] as string);
    try {
      // A savepoint undoes everything written for a refused line.
      const { warnings, ...accepted } = await trx.transaction(async (inner) => accept(inner, ctx, line, input, known));
      report.accepted.push(accepted);
      report.warnings.push(...warnings.map((one) => ({ ...one, pointer: `/lines/${index}` })));
      if (line !== undefined) line.status = 'matched';
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (!partial) throw prefixPointers(error, `/lines/${index}`, '/line_id');
      report.refused.push({
        line_id: input.line_id,
        code: error.errors[0]?.code ?? error.code,
        message: error.message,
      });
    }
  }
  return report;
}

async function accept(
  trx: Db,
  ctx: Context,
  line: BankStatementLine | undefined,
  input: AcceptedLine,
  { suggestions, accounts }: Known,
): Promise<Accepted & { readonly warnings: readonly BudgetWarning[] }> {
  if (line === undefined) throw invalidMember('/line_id', 'invalid_reference', 'refers to a line that does not exist');
  assertOneKind(input);
  if (decimal(line.amount).eq(0)) throw invalidMember('/line_id', 'out_of_range', 'has no amount; ignore it');
  if (line.status !== 'open') {
    throw new ServiceError('invalid_transition', `The line is ${line.status}; only open lines can be accepted`, {
      errors: [{ pointer: '/line_id', code: line.status, message: `is ${line.status}` }],
    });
  }
  const way = input.suggestion === true ? await suggestions.best(line) : input;
  const { paymentIds, entryId, warnings = [] } = await linkLine(trx, ctx, line, way, accounts);
  await linkPayments(trx, ctx, line.id, paymentIds);
  await patchRow(trx, ctx, BankStatementLine, line, { status: 'matched', entryId, ruleId: way.rule_id ?? null });
  return { line_id: input.line_id, payment_ids: paymentIds, entry_id: entryId, warnings };
}

interface Linked {
  readonly paymentIds: readonly string[];
  readonly entryId: string | null;
  /** The budget that the entry exceeds. */
  readonly warnings?: readonly BudgetWarning[];
}

/** Links the line to its payments and entries. */
async function linkLine(
  trx: Db,
  ctx: Context,
  line: BankStatementLine,
  way: AcceptedLine,
  accounts: LedgerAccounts,
): Promise<Linked> {
  const { entry_id, order_id, return_of } = way;
  if (return_of !== undefined) return { paymentIds: [await registerReturn(trx, ctx, line, way)], entryId: null };
  if (entry_id !== undefined) return { paymentIds: [], entryId: await linkEntry(trx, line, entry_id, accounts) };
  const money = await accounts.currency(line);
  if (order_id !== undefined) {
    return { paymentIds: await lockOrderPayments(trx, ctx, line, { ...way, order_id }, money), entryId: null };
  }
  const parts = listParts(way);
  const shared = distribute(decimal(line.amount).toFixed(), parts, await lockNamedPayments(trx, line, parts, money));
  const paymentIds: string[] = [];
  for (const part of shared.filter((one) => !onAccount(one))) {
    paymentIds.push(part.payment_id?.toLowerCase() ?? (await registerPart(trx, ctx, line, part, money)));
  }
  // Accepted bills, cash deposits and money recorded at another bank move to this line's bank account.
  const named = shared.flatMap(({ payment_id }) => payment_id?.toLowerCase() ?? []);
  const elsewhere =
    named.length === 0
      ? []
      : await findMoneyElsewhere(trx, named, {
          ledgerId: await accounts.bankAccountLedgerId(line.bankAccountId),
          bankAccountId: line.bankAccountId,
        });
  const entered = [...shared.filter(onAccount), ...elsewhere];
  if (entered.length === 0) return { paymentIds, entryId: null };
  const { id: entryId, warnings } = await postParts(trx, ctx, line, entered, accounts);
  return { paymentIds, entryId, warnings };
}
