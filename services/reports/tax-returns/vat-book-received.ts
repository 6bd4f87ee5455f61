/** The VAT book of received invoices (libro registro de facturas recibidas, RD 1624/1992, art. 64; decision 0326). */
import { Type } from 'typebox';
import {
  type Booked,
  boughtAs,
  boughtFor,
  issuer,
  RECEIVED_TYPES,
  receivedType,
  taxDeducted,
} from '../../../domain/ledger/tax-returns/vat-books.ts';
import { RECEIVED_DESIGN } from '../../../domain/reports/tax-returns/vat-book-designs.ts';
import { type FoundPurchase, PURCHASES_BOOK } from '../../ledger/tax-returns/vat-book-lines.ts';
import { readBook } from '../../ledger/tax-returns/vat-books.ts';
import { amount, choice, day, flag, type Input, nullable, text } from '../../platform/validation/schemas.ts';
import { cursor } from '../engine/cursor.ts';
import { defineReport, percent, type ReportRequest } from '../engine/declaration.ts';
import { PAGINATION, pagination } from '../engine/paging.ts';
import { countUpTo } from '../engine/size.ts';
import { checkPeriodic, requestedPeriod } from './tax-model.ts';
import { bookFormats } from './vat-book-files.ts';
import {
  BOOK_PERIOD,
  BOOK_YEAR,
  bookDays,
  entryNumber,
  invoiceFigures,
  ORIGIN,
  originMembers,
  PARTNER,
  partnerMembers,
  RETURN_PERIOD,
  returnPeriod,
  SETTLED,
  settledMembers,
  statedOperationDate,
} from './vat-books.ts';

const ROW = Type.Object({
  ...RETURN_PERIOD,
  invoice_type: choice(RECEIVED_TYPES, {
    description:
      'F1 full, F2 simplified, F5 customs document, F6 accounting voucher, R1 to R5 rectifying, SF pro rata of the year',
  }),
  issued_on: day({ description: 'Day of the invoice' }),
  operation_date: nullable(day({ description: 'Day of supply, if it is another' })),
  number: text({ min: 0, description: "The supplier's own number, or that of the customs document" }),
  received_on: day({ description: 'Day of the entry' }),
  reception_number: text({ min: 0, description: 'Number that the company gave it' }),
  ...PARTNER,
  operation_key: choice(['01', '02', '03', '07', '09'], {
    description: '01 general, 02 farming scheme, 03 margin scheme, 07 cash basis, 09 purchases in the Union',
  }),
  investment: flag({ description: 'Whether it is of investment goods' }),
  reverse_charge: flag({ description: 'Whether the company owes the tax itself, other than in the Union' }),
  total: nullable(amount({ description: 'Base and tax; the base alone if the company owes the tax itself' })),
  base: nullable(amount()),
  rate: nullable(percent()),
  amount: nullable(amount()),
  deductible: nullable(amount({ description: 'The part of the tax that is deducted' })),
  ...SETTLED,
  tax_deducted: amount({
    description: 'Tax that the return of the period deducts; 0 before a payment under the cash basis',
  }),
  ...ORIGIN,
});
type Row = Input<typeof ROW>;

export const vatBookReceived = defineReport({
  name: 'tax/vat-book-received',
  title: { en: 'VAT book of received invoices', es: 'Libro registro de facturas recibidas' },
  description:
    'A line for each invoice, operation and rate, and one for each payment under the cash basis, by the days of their entries. ' +
    '`format=aeat` and `aeat-csv` have the columns of the tax agency.',
  cents: true,
  area: 'accounting',
  parameters: BOOK_PERIOD,
  paged: true,
  data: Type.Object({ ...BOOK_YEAR, rows: Type.Array(ROW), pagination: PAGINATION }),
  summary: Type.Object({
    total: amount(),
    base: amount(),
    amount: amount(),
    deductible: amount({ description: 'The part of the tax that is deducted' }),
    tax_deducted: amount({ description: 'Box 45 of model 303 but for regularisations of investment goods (43)' }),
  }),
  consistent: true,
  check: checkPeriodic,
  size: ({ reader, ...request }, most) => countUpTo(reader, most, PURCHASES_BOOK.count, { ...bookDays(request) }),
  async read(request) {
    const { reader, page, money } = request;
    const days = bookDays(request);
    const span = { skip: page?.offset ?? 0, limit: page?.limit ?? 0 };
    const { total, sums, lines } = await readBook<FoundPurchase>(reader, PURCHASES_BOOK, days, span);
    return {
      ...days,
      data: {
        ...requestedPeriod(request),
        rows: lines.map((line) => toRow(line, request)),
        pagination: pagination(page, total),
      },
      summary: {
        total: money(sums.total),
        base: money(sums.base),
        amount: money(sums.amount),
        deductible: money(sums.deductible ?? '0'),
        tax_deducted: money(sums.returned),
      },
    };
  },
  async *stream(request): AsyncGenerator<readonly Row[]> {
    for await (const lines of cursor<FoundPurchase>(request.reader, PURCHASES_BOOK.all, { ...bookDays(request) }))
      yield lines.map((line) => toRow(line, request));
  },
  formats: bookFormats(RECEIVED_DESIGN),
  file: ({ summary }) => ({ tables: [{ row: ROW, rows: [], totals: summary }] }),
});

function toRow(
  purchase: FoundPurchase,
  { money, settings: { company } }: Pick<ReportRequest, 'money' | 'settings'>,
): Row {
  const { key, reversed } = boughtAs(purchase);
  const own: Booked['partner'] = { name: company.name, taxId: company.taxId, country: company.country };
  return {
    ...returnPeriod(purchase.date),
    invoice_type: receivedType(purchase),
    issued_on: purchase.issuedOn,
    operation_date: statedOperationDate(purchase),
    number: purchase.customsNumber ?? purchase.supplierReference ?? '',
    received_on: purchase.date,
    reception_number: purchase.code ?? entryNumber(purchase),
    ...partnerMembers(issuer(purchase, own)),
    operation_key: key,
    investment: purchase.investment,
    reverse_charge: reversed,
    ...invoiceFigures(purchase, boughtFor(purchase), money),
    deductible: purchase.phase === 'payment' ? null : money(purchase.deductible),
    ...settledMembers(purchase, money),
    tax_deducted: money(taxDeducted(purchase)),
    ...originMembers(purchase),
  };
}
