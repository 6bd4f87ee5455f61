/** The VAT book of issued invoices (libro registro de facturas expedidas, RD 1624/1992, art. 63; decision 0326). */
import { Type } from 'typebox';
import {
  issuedType,
  recipient,
  seriesAndNumber,
  soldAs,
  soldFor,
  taxDue,
} from '../../../domain/ledger/tax-returns/vat-books.ts';
import { INVOICE_TYPES } from '../../../domain/ledger/verifactu/records.ts';
import { ISSUED_DESIGN } from '../../../domain/reports/tax-returns/vat-book-designs.ts';
import { type FoundSale, SALES_BOOK } from '../../ledger/tax-returns/vat-book-lines.ts';
import { readBook } from '../../ledger/tax-returns/vat-books.ts';
import { amount, choice, day, type Input, nullable, text } from '../../platform/validation/schemas.ts';
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
  invoice_type: choice(INVOICE_TYPES, {
    description: 'F1 full, F2 simplified, F3 full in place of a simplified one, R1 to R5 rectifying',
  }),
  issued_on: day({ description: 'Day of the invoice' }),
  operation_date: nullable(day({ description: 'Day of supply, if it is another' })),
  series: nullable(text()),
  number: text({ min: 0 }),
  ...PARTNER,
  operation_key: text({ description: '01 general, 02 export, 03 margin scheme, 07 cash basis, 17 Union scheme (OSS)' }),
  qualification: nullable(
    text({ description: 'S1 taxed, S2 reverse charge, N1 not subject, N2 not subject by the rules of place' }),
  ),
  exemption: nullable(text({ description: 'E1 to E6, by the article of the law' })),
  total: nullable(amount({ description: 'Base, tax and surcharge of the line' })),
  base: nullable(amount()),
  rate: nullable(percent()),
  amount: nullable(amount()),
  surcharge_rate: nullable(percent({ description: 'Of the equivalence surcharge' })),
  surcharge: nullable(amount()),
  ...SETTLED,
  tax_due: amount({
    description: 'Tax and surcharge that the return of the period declares; 0 before a payment under the cash basis',
  }),
  ...ORIGIN,
});
type Row = Input<typeof ROW>;

export const vatBookIssued = defineReport({
  name: 'tax/vat-book-issued',
  title: { en: 'VAT book of issued invoices', es: 'Libro registro de facturas expedidas' },
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
    surcharge: amount(),
    tax_due: amount({ description: 'Box 27 of model 303 but for what the company owes on its purchases' }),
  }),
  consistent: true,
  check: checkPeriodic,
  size: ({ reader, ...request }, most) => countUpTo(reader, most, SALES_BOOK.count, { ...bookDays(request) }),
  async read(request) {
    const { reader, page, money } = request;
    const days = bookDays(request);
    const span = { skip: page?.offset ?? 0, limit: page?.limit ?? 0 };
    const { total, sums, lines } = await readBook<FoundSale>(reader, SALES_BOOK, days, span);
    return {
      ...days,
      data: {
        ...requestedPeriod(request),
        rows: lines.map((line) => toRow(line, money)),
        pagination: pagination(page, total),
      },
      summary: {
        total: money(sums.total),
        base: money(sums.base),
        amount: money(sums.amount),
        surcharge: money(sums.surcharge ?? '0'),
        tax_due: money(sums.returned),
      },
    };
  },
  async *stream(request): AsyncGenerator<readonly Row[]> {
    const { reader, money } = request;
    for await (const lines of cursor<FoundSale>(reader, SALES_BOOK.all, { ...bookDays(request) }))
      yield lines.map((line) => toRow(line, money));
  },
  formats: bookFormats(ISSUED_DESIGN),
  file: ({ summary }) => ({ tables: [{ row: ROW, rows: [], totals: summary }] }),
});

function toRow(sale: FoundSale, money: ReportRequest['money']): Row {
  const type = issuedType(sale);
  const { regime = '01', qualification = null, exemption = null } = soldAs(sale);
  const isPayment = sale.phase === 'payment';
  const hasSurcharge = sale.surchargeRate !== null && !isPayment;
  const { series, number } =
    sale.code === null ? { series: null, number: entryNumber(sale) } : seriesAndNumber(sale.code, sale.prefix);
  return {
    ...returnPeriod(sale.date),
    invoice_type: type,
    issued_on: sale.issuedOn,
    operation_date: statedOperationDate(sale),
    series,
    number,
    ...partnerMembers(recipient(sale, type)),
    operation_key: regime,
    qualification,
    exemption,
    ...invoiceFigures(sale, soldFor(sale), money),
    surcharge_rate: hasSurcharge ? Number(sale.surchargeRate) : null,
    surcharge: hasSurcharge ? money(sale.surcharge) : null,
    ...settledMembers(sale, money),
    tax_due: money(taxDue(sale)),
    ...originMembers(sale),
  };
}
