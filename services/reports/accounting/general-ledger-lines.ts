/** Reads the accounts of the general ledger, and their lines. */
import { query } from '../../../db/sql.ts';
import { isOfResult } from '../../../domain/ledger/accounting/results.ts';
import { yearStart, yearsBeginning } from '../../../domain/ledger/periods/fiscal-year.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import type { PagePart } from '../../../domain/reports/accounting/general-ledger.ts';
import { openingBalance } from '../../../domain/reports/accounting/trial-balance.ts';
import { pageSpan } from '../../../domain/reports/engine/month-pages.ts';
import { readCountedBalances } from '../../ledger/accounting/balances/read.ts';
import { cursor } from '../engine/cursor.ts';
import type { ReportRequest } from '../engine/declaration.ts';
import { DIMENSION_CONDITIONS, type DimensionParams, dimensionBindings, dimensionLimits } from './dimension-filters.ts';
import { readLedger, readPage } from './ledger-lines.ts';
import { askedConditions, beginningWith } from './ledger-parts.ts';
import {
  firstLines,
  LINE_COLUMNS,
  LINE_ORDER,
  type Line,
  periodBindings,
  type Start,
  WITHIN_PERIOD,
  YEAR_OF_LINE,
} from './ledger-sql.ts';

export type Asked = ReportRequest<
  {
    readonly accounts?: string | undefined;
    readonly closing_entries?: boolean | undefined;
  } & DimensionParams
>;

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
    ...dimensionLimits(params),
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

/** A line with the index of its part, and what its running sum is added to if that is not the balance of the account. */
export type PartLine = Line & { readonly part: number; readonly start?: Start };

/** Lines of parts that begin with the first line of their account. */
function linesSql(request: Asked): string {
  const lines = [
    'l.account_id = p.account_id',
    WITHIN_PERIOD,
    ...askedConditions(DIMENSION_CONDITIONS, request.params),
  ];
  const year = resets(request).length === 0 ? null : `case when p.yearly then ${YEAR_OF_LINE} else 0 end`;
  return `
    select p.part, ${LINE_COLUMNS}
    from json_to_recordset(:parts::json) p(part integer, account_id uuid, take integer, yearly boolean)
      cross join lateral (${firstLines(lines.join(' and '), year, 'p.take')}) l
      join journal_entries e on e.id = l.entry_id
    order by p.part, ${LINE_ORDER}`;
}

function partBindings(request: Asked, parts: readonly PagePart<Account>[]) {
  return {
    ...periodBindings(request),
    ...dimensionBindings(request.params),
    resets: resets(request),
    parts: JSON.stringify(
      parts.flatMap(({ account, skip, take }, part) =>
        skip > 0 ? [] : [{ part, account_id: account.id, take, yearly: account.reset !== undefined }],
      ),
    ),
  };
}

/**
 * Reads the lines of a page, in the order of its parts. Only the first part can begin amid the lines of its account, which then are found
 * by their months.
 */
export async function readPartLines(request: Asked, parts: readonly PagePart<Account>[]): Promise<PartLine[]> {
  const [first] = parts;
  const amid = first === undefined || first.skip === 0 ? [] : await readAmid(request, first);
  if (parts.every(({ skip }) => skip > 0)) return amid;
  const others = await query<PartLine>(request.reader, linesSql(request), partBindings(request, parts));
  return [...amid, ...others];
}

async function readAmid(request: Asked, { account, skip, take }: PagePart<Account>): Promise<PartLine[]> {
  const page = { number: 1, limit: take, offset: skip };
  const asked = { ...request, page, params: { ...request.params, account_id: account.id } };
  const ledger = await readLedger(asked);
  const span = pageSpan(ledger.months, page);
  if (span === null) return [];
  const { lines, start, until } = await readPage(asked, ledger, span);
  return lines.map((line) => ({ ...line, part: 0, start: { start, until } }));
}

/** Yields the lines of all parts, in batches. */
export function allPartLines(request: Asked, parts: readonly PagePart<Account>[]): AsyncGenerator<PartLine[]> {
  return cursor(request.reader, linesSql(request), partBindings(request, parts));
}
