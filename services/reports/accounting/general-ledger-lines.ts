/** Reads the accounts of the general ledger, and their lines. */
import { query } from '../../../db/sql.ts';
import { isOfResult } from '../../../domain/ledger/accounting/results.ts';
import { yearStart, yearsBeginning } from '../../../domain/ledger/periods/fiscal-year.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import type { PagePart } from '../../../domain/reports/accounting/general-ledger.ts';
import { openingBalance } from '../../../domain/reports/accounting/trial-balance.ts';
import { readCountedBalances } from '../../ledger/accounting/balances/read.ts';
import { cursor } from '../engine/cursor.ts';
import type { ReportRequest } from '../engine/declaration.ts';
import { beginningWith } from './ledger-parts.ts';
import {
  LINE_COLUMNS,
  LINE_ORDER,
  type Line,
  periodBindings,
  runningLines,
  WITHIN_PERIOD,
  YEAR_OF_LINE,
} from './ledger-sql.ts';

export type Asked = ReportRequest<{
  readonly accounts?: string | undefined;
  readonly closing_entries?: boolean | undefined;
}>;

/** An account with its opening balance, and what the period has entered on it. */
export interface Account {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly opening: Decimal;
  readonly debit: Decimal;
  readonly credit: Decimal;
  readonly lines: number;
  /** The first day of the period on which it begins again at zero. */
  readonly reset: string | undefined;
}

/** Reads the accounts that have a balance or lines in the period, by their codes. */
export async function readAccounts(request: Asked): Promise<readonly Account[]> {
  const { reader, ctx, params, range, settings } = request;
  const { from, to } = range;
  const kinds = params.closing_entries === true ? 'all' : 'unclosed';
  const [reset] = resets(request);
  const balances = await readCountedBalances(reader, {
    tenantId: ctx.tenantId,
    spans: {
      before: { before: from },
      beforeFirstYear: { before: yearStart(settings.company.fiscalYearStart, from) },
      opening: { from, to: from, kinds: 'opening' },
      period: { from, to, kinds },
    },
  });
  const accounts = balances.map((account): Account => {
    const { opening, period } = account.sums;
    const entered = (side: 'debit' | 'credit') => decimal(period[side]).minus(opening[side]).toFixed();
    return {
      ...{ id: account.accountId, code: account.code, name: account.name },
      opening: openingBalance(account).toFixed(),
      ...{ debit: entered('debit'), credit: entered('credit') },
      lines: Number(period.lines) - Number(opening.lines),
      reset: isOfResult(account) ? reset : undefined,
    };
  });
  return beginningWith(accounts, params.accounts).filter(({ opening, lines }) => lines > 0 || !decimal(opening).eq(0));
}

/** Days of the period on which income and expense begin again at zero. */
function resets({ settings, range }: Asked): string[] {
  return yearsBeginning(settings.company.fiscalYearStart, range);
}

/** Counts the lines, and for each account the row of its opening balance. */
export function countRows(accounts: readonly Account[]): number {
  return accounts.reduce((rows, { lines }) => rows + lines + 1, 0);
}

/** A line with the index of its part. */
export type PartLine = Line & { readonly part: number };

const linesSql = (days: readonly string[]) => `
  select p.part, ${LINE_COLUMNS}
  from json_to_recordset(:parts::json) p(part integer, account_id uuid, skip integer, take integer, yearly boolean)
    cross join lateral (${runningLines(
      `l.account_id = p.account_id and ${WITHIN_PERIOD}`,
      days.length === 0 ? null : `case when p.yearly then ${YEAR_OF_LINE} else 0 end`,
      'limit p.take offset p.skip',
    )}) l
    join journal_entries e on e.id = l.entry_id
  order by p.part, ${LINE_ORDER}`;

function partBindings(request: Asked, parts: readonly PagePart<Account>[]) {
  return {
    ...periodBindings(request),
    resets: resets(request),
    parts: JSON.stringify(
      parts.map(({ account, skip, take }, index) => {
        return { part: index, account_id: account.id, skip, take, yearly: account.reset !== undefined };
      }),
    ),
  };
}

/** Reads the lines of a page, in the order of its parts. */
export async function readPartLines(request: Asked, parts: readonly PagePart<Account>[]): Promise<PartLine[]> {
  return parts.length === 0 ? [] : await query(request.reader, linesSql(resets(request)), partBindings(request, parts));
}

/** Yields the lines of all parts, in batches. */
export function allPartLines(request: Asked, parts: readonly PagePart<Account>[]): AsyncGenerator<PartLine[]> {
  return cursor(request.reader, linesSql(resets(request)), partBindings(request, parts));
}
