/** The balances of the balance sheet's accounts when a fiscal year begins and ends, as tables of the book of inventories. */
import { Type } from 'typebox';
import { dayBefore } from '../../../domain/days.ts';
import { sum } from '../../../domain/money.ts';
import { type InventoryLine, type InventorySpan, inventory } from '../../../domain/reports/accounting/inventory.ts';
import { onSides } from '../../../domain/reports/accounting/trial-balance.ts';
import type { Span as Days } from '../../../domain/reports/engine/periods.ts';
import type { Texts } from '../../../domain/reports/engine/texts.ts';
import { readBalances, type Span } from '../../ledger/accounting/balances/read.ts';
import { amount, type Input, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import type { ReportRequest, ReportTable } from '../engine/declaration.ts';
import { BALANCE_TITLES } from './ledger-parts.ts';
import { OPEN_YEARS, openYearsPath } from './open-years.ts';

const SIDES = { balance_debit: amount(), balance_credit: amount() };
const ROW = Type.Object({
  account_id: nullable(uuid({ description: 'null for results of years that are not closed' })),
  code: text(),
  name: text({ max: 500 }),
  ...SIDES,
  drilldown: text({ max: 500, description: 'The ledger of the account, or the profit and loss account' }),
});

/** Balances in an answer. */
export const INVENTORY = Type.Object({
  rows: Type.Array(ROW, { description: 'Accounts with a balance, by code' }),
  totals: Type.Object(SIDES, { description: 'Sums of both sides, which are equal' }),
});

const RESULT: Texts = { en: 'Result of the year', es: 'Resultado del ejercicio' };

type Request = Pick<ReportRequest, 'reader' | 'ctx' | 'accountChart' | 'language' | 'money'>;

/** Reads the balances at the beginning of a fiscal year, with its opening entry, and at the end, before its closing. */
export async function readInventories(request: Request, year: Days) {
  const { reader, ctx, accountChart } = request;
  const spans: Record<InventorySpan, Span> = {
    before: { before: year.from },
    opening: { from: year.from, to: year.from, kinds: 'opening' },
    end: { to: year.to, kinds: 'unclosed' },
  };
  const accounts = await readBalances(reader, { tenantId: ctx.tenantId, spans });
  const openYears = await openYearsPath(reader, dayBefore(year.from));
  const on = (when: 'beginning' | 'end') =>
    toJson(inventory(accounts, when, accountChart.roles.yearResult), { ...request, year, openYears });
  return { beginning: on('beginning'), end: on('end') };
}

function toJson(
  lines: readonly InventoryLine[],
  { language, money, year, openYears }: Request & { readonly year: Days; readonly openYears: string },
) {
  const days = `from=${year.from}&to=${year.to}`;
  const shown = {
    account: ({ accountId, name }: InventoryLine) => [name, `/api/reports/ledger?account_id=${accountId}&${days}`],
    open_years: () => [OPEN_YEARS.name[language], openYears],
    result: () => [RESULT[language], `/api/reports/pl?${days}`],
  } as const;
  const sides = lines.map(({ balance }) => onSides(balance).map((side) => side.toFixed()) as [never, never]);
  const rows = lines.map((line, index) => {
    const [name, drilldown] = shown[line.kind](line) as [string, string];
    const [debit, credit] = sides[index] as [never, never];
    const members = { account_id: line.accountId, code: line.code, name };
    return { ...members, balance_debit: money(debit), balance_credit: money(credit), drilldown };
  });
  const total = (side: 0 | 1) => money(sum(sides.map((both) => both[side])).toFixed());
  return { rows, totals: { balance_debit: total(0), balance_credit: total(1) } };
}

/** Builds the table of balances in files. */
export function inventoryTable({ rows, totals }: Input<typeof INVENTORY>, title: Texts): ReportTable {
  return { title, row: ROW, titles: BALANCE_TITLES, rows, totals };
}
