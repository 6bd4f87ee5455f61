/** The ledger of all accounts, one after the other: each line with the balance after it (decision 0324). */
import { Type } from 'typebox';
import { sum } from '../../../domain/money.ts';
import { type PagePart, pageParts } from '../../../domain/reports/accounting/general-ledger.ts';
import { amount, day, type Input, integer, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { defineReport, RANGE } from '../engine/declaration.ts';
import { PAGINATION, pagination } from '../engine/paging.ts';
import { DIMENSION_FILTERS } from './dimension-filters.ts';
import {
  type Account,
  type Asked,
  allPartLines,
  countRows,
  type PartLine,
  readAccounts,
  readPartLines,
} from './general-ledger-lines.ts';
import { ACCOUNTS, CLOSING_ENTRIES, LEDGER_TITLES } from './ledger-parts.ts';
import { lineToRow, openingRow } from './ledger-sql.ts';

const ROW = Type.Object({
  account_id: uuid(),
  account_code: text(),
  account_name: text(),
  date: day(),
  entry_id: nullable(uuid({ description: 'null in the row of the opening balance' })),
  entry_number: nullable(integer()),
  description: nullable(text()),
  debit: amount(),
  credit: amount(),
  balance: amount({ description: 'Of the account after the line; income and expense begin each fiscal year at zero' }),
  drilldown: nullable(text({ max: 500 })),
});

export const generalLedger = defineReport({
  name: 'general-ledger',
  title: { en: 'General ledger', es: 'Libro mayor de todas las cuentas' },
  description:
    'Accounts by their codes: the opening balance and each line, with the balance after it. The opening entry of the first day is ' +
    'part of the opening balance. Income and expense begin each fiscal year at zero.',
  area: 'accounting',
  parameters: { ...RANGE, ...ACCOUNTS, ...DIMENSION_FILTERS, ...CLOSING_ENTRIES },
  paged: true,
  data: Type.Object({ rows: Type.Array(ROW), pagination: PAGINATION }),
  summary: Type.Object({ debit: amount(), credit: amount() }),
  size: async (request) => countRows(await readAccounts(request)),
  consistent: true,
  async read(request) {
    const { page, money } = request;
    const accounts = await readAccounts(request);
    const parts = page === null ? [] : pageParts(accounts, page);
    const rows = [];
    for await (const batch of withOpenings(request, parts, [await readPartLines(request, parts)])) rows.push(...batch);
    const total = (side: 'debit' | 'credit') => money(sum(accounts.map((account) => account[side])).toFixed());
    return {
      data: { rows, pagination: pagination(page, countRows(accounts)) },
      summary: { debit: total('debit'), credit: total('credit') },
    };
  },
  async *stream(request): AsyncGenerator<readonly Input<typeof ROW>[]> {
    const accounts = await readAccounts(request);
    const all = pageParts(accounts, { offset: 0, limit: countRows(accounts) });
    yield* withOpenings(request, all, allPartLines(request, all));
  },
  file: ({ summary }) => ({ tables: [{ row: ROW, titles: LEDGER_TITLES, rows: [], totals: summary }] }),
});

/** Adds the rows of opening balances to the lines of parts. @param batches lines in the order of the parts */
async function* withOpenings(
  request: Asked,
  parts: readonly PagePart<Account>[],
  batches: AsyncIterable<readonly PartLine[]> | Iterable<readonly PartLine[]>,
): AsyncGenerator<Input<typeof ROW>[]> {
  let begun = 0;
  const begin = (until: number) =>
    parts.slice(begun, until).flatMap(({ account, opening }) => {
      begun++;
      return opening ? [{ ...named(account), ...openingRow(account.opening, request) }] : [];
    });
  for await (const lines of batches) {
    yield lines.flatMap((line) => {
      const { account } = parts[line.part] as PagePart<Account>;
      const { start = { start: account.opening, until: account.reset } } = line;
      return [...begin(line.part + 1), { ...named(account), ...lineToRow(line, start, request.money) }];
    });
  }
  yield begin(parts.length);
}

function named({ id, code, name }: Account) {
  return { account_id: id, account_code: code, account_name: name };
}
