/** The ledger of one account: each line with the balance after it. */
import { Type } from 'typebox';
import { sum } from '../../../domain/money.ts';
import { pageSpan } from '../../../domain/reports/engine/month-pages.ts';
import { amount, day, type Input, integer, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { defineReport, RANGE } from '../engine/declaration.ts';
import { PAGINATION, pagination } from '../engine/paging.ts';
import { DIMENSION_FILTERS } from './dimension-filters.ts';
import { countLedger, readLedger, readLines, readPage } from './ledger-lines.ts';
import { CLOSING_ENTRIES, countLines, LEDGER_TITLES } from './ledger-parts.ts';
import { lineToRow, openingRow } from './ledger-sql.ts';

const ROW = Type.Object({
  date: day(),
  entry_id: nullable(uuid()),
  entry_number: nullable(integer()),
  description: nullable(text()),
  debit: amount(),
  credit: amount(),
  balance: amount({ description: 'After the line; income and expense begin each fiscal year at zero' }),
  drilldown: nullable(text({ max: 500 })),
});

export const ledger = defineReport({
  name: 'ledger',
  title: { en: 'Ledger', es: 'Libro mayor' },
  description:
    'The lines of one account. The opening entry of the first day is part of the opening balance. Income and expense begin each fiscal ' +
    'year at zero.',
  area: 'accounting',
  parameters: {
    account_id: uuid(),
    ...RANGE,
    partner_id: Type.Optional(uuid()),
    ...DIMENSION_FILTERS,
    ...CLOSING_ENTRIES,
  },
  paged: true,
  problems: ['not_found'],
  data: Type.Object({
    account: Type.Object(
      { id: uuid(), code: text(), name: text(), type: text() },
      { description: 'The account of the ledger' },
    ),
    opening_balance: amount(),
    rows: Type.Array(ROW),
    pagination: PAGINATION,
  }),
  summary: Type.Object({ debit: amount(), credit: amount(), balance: amount() }),
  // Files have a row for the opening balance.
  size: async (request, most) => (await countLedger(request, most)) + 1,
  consistent: true,
  async read(request) {
    const { money, page } = request;
    const ledger = await readLedger(request);
    const { account, opening, months, balance } = ledger;
    const span = page && pageSpan(months, page);
    const { lines, start, until } = span === null ? NO_LINES : await readPage(request, ledger, span);
    const total = (side: 'debit' | 'credit') => sum(months.map((month) => month[side])).toFixed();
    return {
      data: {
        account,
        opening_balance: money(opening),
        rows: lines.map((line) => lineToRow(line, { start, until }, money)),
        pagination: pagination(page, countLines(months)),
      },
      summary: { debit: money(total('debit')), credit: money(total('credit')), balance: money(balance) },
    };
  },
  async *stream(request): AsyncGenerator<readonly Input<typeof ROW>[]> {
    const ledger = await readLedger(request);
    const { opening, resets } = ledger;
    const { money } = request;
    yield [openingRow(opening, request)];
    for await (const lines of readLines(request, ledger)) {
      yield lines.map((line) => lineToRow(line, { start: opening, until: resets[0] }, money));
    }
  },
  file: ({ data: { account }, summary }) => {
    const name = `${account.code} ${account.name}`;
    return {
      tables: [
        {
          title: { en: `Ledger of ${name}`, es: `Libro mayor de ${name}` },
          sheet: { en: `Ledger ${account.code}`, es: `Mayor ${account.code}` },
          row: ROW,
          titles: LEDGER_TITLES,
          rows: [],
          totals: summary,
        },
      ],
    };
  },
});

const NO_LINES = { lines: [], start: '0', until: undefined } as const;
