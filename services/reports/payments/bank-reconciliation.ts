/** The bank reconciliation statement: from the balance of the books to that of the bank (decision 0325). */
import { Type } from 'typebox';
import { type Decimal, decimal } from '../../../domain/money.ts';
import { readBalances } from '../../ledger/accounting/balances/read.ts';
import { amount, choice, day, integer, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { cursor } from '../engine/cursor.ts';
import { defineReport } from '../engine/declaration.ts';
import { PAGINATION, pagination } from '../engine/paging.ts';
import {
  type Asked,
  allRows,
  type OpenLine,
  type ReconciledAccount,
  readAccount,
  readBankBalance,
  readPage,
} from './bank-reconciliation-lines.ts';

const ROW = Type.Object({
  kind: choice(['not_at_bank', 'not_in_books'], {
    description:
      'not_at_bank: entered, but not on a statement by that day (in transit); not_in_books: on a statement, but not entered by then',
  }),
  date: day(),
  entry_number: nullable(integer()),
  description: nullable(text({ max: 1000 })),
  partner_name: nullable(text({ max: 500 })),
  amount: amount({ description: 'In the currency of the bank account; above zero for money that comes in' }),
  status: nullable(text({ description: 'Of the line of the bank: open, ignored, or matched with a later entry' })),
  entry_id: nullable(uuid()),
  line_id: nullable(uuid({ description: 'Line of the bank' })),
  drilldown: text({ max: 500 }),
});

const SUMMARY = Type.Object({
  book_balance: amount({ description: 'Of the ledger account' }),
  not_at_bank: amount({ description: 'Taken off the books' }),
  not_in_books: amount({ description: 'Added to the books' }),
  expected_balance: amount({ description: 'Balance that the bank should have' }),
  bank_balance: nullable(amount({ description: 'By its statements; null: they do not say it' })),
  difference: nullable(
    amount({
      description: 'Bank less expected: what the books had before the first statement, or lines that no statement has',
    }),
  ),
});

export const bankReconciliation = defineReport({
  name: 'bank-reconciliation',
  title: { en: 'Bank reconciliation statement', es: 'Conciliación bancaria' },
  description:
    'From the balance of the books to that of the bank: what was entered and is on no statement yet, and what statements have that was ' +
    'not entered, since the first statement. Bank accounts kept on one ledger account are reconciled together.',
  area: 'accounting',
  parameters: { bank_account_id: uuid(), to: Type.Optional(day()) },
  paged: true,
  ofDay: true,
  problems: ['not_found'],
  data: Type.Object({
    account: Type.Object({ id: uuid(), code: text(), name: text() }, { description: 'The ledger account' }),
    bank_accounts: Type.Array(Type.Object({ id: uuid(), name: text(), iban: text() }), {
      description: 'The bank accounts that are kept on it',
    }),
    currency: nullable(text({ description: "null: the company's" })),
    rows: Type.Array(ROW),
    pagination: PAGINATION,
  }),
  summary: SUMMARY,
  consistent: true,
  size: async (request) => (await readPage(request, await readAccount(request), null)).rows,
  async read(request) {
    const { reader, page, money } = request;
    const account = await readAccount(request);
    const open = await readPage(request, account, page);
    const book = account.currency === null ? await readBook(request, account) : open.bookInCurrency;
    const expected = decimal(book).minus(open.notAtBank).plus(open.notInBooks);
    const atBank = await readBankBalance(reader, request, account);
    return {
      from: null,
      data: {
        account: { id: account.id, code: account.code, name: account.name },
        bank_accounts: [...account.banks],
        currency: account.currency,
        rows: open.lines.map((line) => toRow(line, money)),
        pagination: pagination(page, open.rows),
      },
      summary: {
        book_balance: money(book),
        not_at_bank: money(open.notAtBank),
        not_in_books: money(open.notInBooks),
        expected_balance: money(expected.toFixed()),
        bank_balance: atBank === null ? null : money(atBank),
        difference: atBank === null ? null : money(decimal(atBank).minus(expected).toFixed()),
      },
    };
  },
  async *stream(request) {
    const { sql, bindings } = allRows(request, await readAccount(request));
    for await (const lines of cursor<OpenLine>(request.reader, sql, bindings)) {
      yield lines.map((line) => toRow(line, request.money));
    }
  },
  file: ({ data: { account }, summary }) => ({
    tables: [
      {
        title: { en: `Bank reconciliation of ${account.code}`, es: `Conciliación bancaria de ${account.code}` },
        row: ROW,
        rows: [],
      },
      { title: { en: 'Balances', es: 'Saldos' }, row: SUMMARY, rows: [summary] },
    ],
  }),
});

/** The balance of the ledger account; a closed year is as before its closing. */
async function readBook({ reader, ctx, range }: Asked, account: ReconciledAccount): Promise<Decimal> {
  const spans = { now: { to: range.to, kinds: 'unclosed' } } as const;
  const [found] = await readBalances(reader, { tenantId: ctx.tenantId, spans, accountIds: [account.id] });
  return found?.sums.now.balance ?? '0';
}

function toRow(line: OpenLine, money: Asked['money']) {
  return {
    kind: line.kind,
    date: line.date,
    entry_number: line.number,
    description: line.text,
    partner_name: line.partnerName,
    amount: money(line.amount),
    status: line.status,
    entry_id: line.entryId,
    line_id: line.lineId,
    drilldown:
      line.entryId === null ? `/api/bank-statements/${line.statementId}/lines` : `/api/journal-entries/${line.entryId}`,
  };
}
