/** The VAT book of investment goods (libro registro de bienes de inversión, RD 1624/1992, art. 65; decision 0326). */
import { Type } from 'typebox';
import { ANNUAL, periodSpan } from '../../../domain/ledger/tax-returns/periods.ts';
import { goodType } from '../../../domain/ledger/tax-returns/vat-book-goods.ts';
import { identified } from '../../../domain/ledger/tax-returns/vat-books.ts';
import { decimal, sum } from '../../../domain/money.ts';
import { INVESTMENT_DESIGN } from '../../../domain/reports/tax-returns/vat-book-designs.ts';
import { DOCUMENT_TYPES } from '../../../domain/trade/documents/types.ts';
import { YEAR } from '../../ledger/tax-returns/schemas.ts';
import { type BookedGood, readGoodsBook } from '../../ledger/tax-returns/vat-book-goods.ts';
import { amount, day, type Input, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { defineReport, percent, type ReportRequest } from '../engine/declaration.ts';
import { assertSpanish } from './tax-model.ts';
import { bookFormats } from './vat-book-files.ts';
import { BOOK_YEAR, PARTNER, partnerMembers, RETURN_PERIOD } from './vat-books.ts';

const ROW = Type.Object({
  ...RETURN_PERIOD,
  good_type: text({ description: 'Kind of the good by its account: 11 land, 12 buildings, 21 machines … 29 others' }),
  identifier: text({ description: 'Code of the asset; else number and line of the purchase' }),
  description: text({ min: 0 }),
  in_use_on: day({ description: 'Of the asset; else the day of the purchase' }),
  issued_on: day({ description: 'Day of the invoice' }),
  number: text({ min: 0, description: "The supplier's own number" }),
  reception_number: text({ description: 'Number that the company gave it' }),
  ...PARTNER,
  base: amount(),
  rate: percent(),
  percent: percent({ description: 'Definitive pro rata of the year in which it was bought' }),
  deductible: amount({ description: 'Tax deducted by it' }),
  regularised_percent: nullable(
    percent({ description: 'Definitive pro rata of the year, if it regularises the deduction' }),
  ),
  regularised_deductible: nullable(amount({ description: 'Tax that this percentage would deduct' })),
  regularised: nullable(amount({ description: 'Tax deducted in addition in the year; below zero paid back' })),
  sold_on: nullable(day({ description: 'Day of its sale; null: it was not sold by the end of the year' })),
  document_id: uuid(),
  drilldown: text({ max: 500 }),
});

export const vatBookInvestmentGoods = defineReport({
  name: 'tax/vat-book-investment-goods',
  title: { en: 'VAT book of investment goods', es: 'Libro registro de bienes de inversión' },
  description:
    'Goods bought or regularised in the year, with the invoice of each and what the year regularised. `format=aeat` and `aeat-csv` have ' +
    'the columns of the tax agency.',
  cents: true,
  area: 'accounting',
  parameters: { year: Type.Optional(YEAR) },
  data: Type.Object({ ...BOOK_YEAR, rows: Type.Array(ROW) }),
  summary: Type.Object({
    base: amount(),
    deductible: amount({ description: 'The part of the tax that is deducted' }),
    regularised: amount({ description: 'Box 43 of model 303' }),
  }),
  check: assertSpanish,
  async read({ reader, params, range, money }) {
    const year = params.year ?? Number(range.to.slice(0, 4)) - 1;
    const rows = (await readGoodsBook(reader, year)).map((good) => toRow(good, year, money));
    const total = (member: 'base' | 'deductible' | 'regularised') =>
      money(sum(rows.map((row) => row[member] ?? 0)).toFixed());
    return {
      ...periodSpan({ year, period: ANNUAL }),
      data: { year, period: ANNUAL, rows },
      summary: { base: total('base'), deductible: total('deductible'), regularised: total('regularised') },
    };
  },
  formats: bookFormats(INVESTMENT_DESIGN),
});

function toRow(good: BookedGood, year: number, money: ReportRequest['money']): Input<typeof ROW> {
  const { invoice, tax } = good;
  const { rate } = invoice;
  const deductedBy = (share: number) => money(decimal(tax).times(share).div(100).toFixed());
  const own = good.regularisations.filter((one) => one.year === year);
  const last = own.at(-1);
  const regularised = last && {
    regularised_percent: last.percent,
    regularised_deductible: deductedBy(last.percent),
    regularised: money(sum(own.map(({ amount: part }) => part)).toFixed()),
  };
  return {
    year,
    period: ANNUAL,
    good_type: goodType(invoice.account),
    identifier: invoice.assetCode ?? `${good.documentCode}-${invoice.lineNumber}`,
    description: good.description,
    in_use_on: invoice.inUseOn ?? good.date,
    issued_on: invoice.issuedOn,
    number: invoice.supplierReference ?? '',
    reception_number: good.documentCode,
    ...partnerMembers(identified(invoice.partner)),
    base: money(decimal(good.base).toFixed()),
    rate: Number(rate),
    percent: good.percent,
    deductible: deductedBy(good.percent),
    ...(regularised ?? { regularised_percent: null, regularised_deductible: null, regularised: null }),
    // A good sold in a later year is in the book of this one as it was.
    sold_on: good.soldOn !== null && good.soldOn <= periodSpan({ year, period: ANNUAL }).to ? good.soldOn : null,
    document_id: good.documentId,
    drilldown: `${DOCUMENT_TYPES.PINV.path}/${good.documentId}`,
  };
}
