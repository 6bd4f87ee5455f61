/** Reads what balance sheets of several days are made of, by one statement. */
import { isOfResult } from '../../../domain/ledger/accounting/results.ts';
import { yearStart } from '../../../domain/ledger/periods/fiscal-year.ts';
import { type Decimal, sum } from '../../../domain/money.ts';
import type { BalanceSheetInput } from '../../../domain/reports/accounting/balance-sheet.ts';
import { readBalances, type Span } from '../../ledger/accounting/balances/read.ts';
import type { ReportRequest } from '../engine/declaration.ts';
import { balanceIn, headingAccount } from './annual-accounts.ts';
import { columnNames } from './columns.ts';

/** Reads the balance sheets at the end of some days. The fiscal year of each is shown as before its closing. */
export async function readSheets(
  { reader, ctx, settings }: Pick<ReportRequest, 'reader' | 'ctx' | 'settings'>,
  days: readonly string[],
): Promise<BalanceSheetInput> {
  const [ends, years] = [columnNames('end', days), columnNames('year', days)];
  const spans = Object.fromEntries(
    days.flatMap((to, index): [string, Span][] => [
      [`end${index}`, { to, kinds: 'unclosed' }],
      [`year${index}`, { from: yearStart(settings.company.fiscalYearStart, to), to, kinds: 'normal' }],
    ]),
  ) as Record<(typeof ends)[number] | (typeof years)[number], Span>;
  const balances = await readBalances(reader, { tenantId: ctx.tenantId, spans });
  const ofResult = balances.filter(isOfResult);
  const resultIn = (span: keyof typeof spans) => sum(ofResult.map((account) => balanceIn(account, span))).neg();
  const result = years.map((span) => resultIn(span).toFixed());
  return {
    accounts: balances.filter((balance) => !isOfResult(balance)).map((balance) => headingAccount(balance, ends)),
    result,
    earlier: ends.map((span, column) =>
      resultIn(span)
        .minus(result[column] as Decimal)
        .toFixed(),
    ),
  };
}
