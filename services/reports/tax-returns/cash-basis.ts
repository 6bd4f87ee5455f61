/** The VAT of the cash basis: what accrued with each payment, as the VAT books state it, and what is pending (decision 0345). */
import { Type } from 'typebox';
import { MEANS, paymentMeans } from '../../../domain/ledger/tax-returns/vat-books.ts';
import { type Decimal, sum } from '../../../domain/money.ts';
import { DOCUMENT_TYPES } from '../../../domain/trade/documents/types.ts';
import { type Accrual, BOOK_KINDS, type Pending, readCashBasis } from '../../ledger/tax-returns/cash-basis-book.ts';
import { amount, choice, day, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import { defineReport, percent, RANGE } from '../engine/declaration.ts';
import { assertSpanish } from './tax-model.ts';

const INVOICE = {
  kind: choice(BOOK_KINDS, { description: 'Book of issued invoices (repercutido), or of received ones' }),
  document_id: uuid(),
  code: text(),
  supplier_reference: nullable(text({ description: "The supplier's own number" })),
  date: day(),
  operation_date: day(),
  partner_name: text({ max: 500 }),
  nif: nullable(text()),
  rate: percent(),
};
const AMOUNTS = {
  base: amount(),
  amount: amount(),
  surcharge: amount({ description: 'Equivalence surcharge' }),
  drilldown: text({ max: 500 }),
};
const ROW = Type.Object({
  ...INVOICE,
  accrued_on: day({ description: 'Day of the payment' }),
  paid: amount({ description: 'What the payment settled of the invoice; 0 if it accrued without one' }),
  means: choice(MEANS, {
    description:
      '01 transfer, 02 cheque, 03 not paid: accrued at the end of the year after, 04 others, 05 direct debit',
  }),
  account: nullable(text({ description: 'Bank account of the payment' })),
  ...AMOUNTS,
});
const PENDING_ROW = Type.Object({
  ...INVOICE,
  due_on: day({ description: 'Day on which it accrues at the latest' }),
  ...AMOUNTS,
});

export const cashBasisReport = defineReport({
  name: 'tax/cash-basis',
  title: { en: 'VAT on the cash basis', es: 'IVA de criterio de caja' },
  description:
    'What accrued of each invoice with each payment, with the day, amount and means that the VAT books state, and what is pending on the ' +
    'last day.',
  cents: true,
  area: 'accounting',
  parameters: {
    ...RANGE,
    kind: Type.Optional(choice(BOOK_KINDS, { description: 'Only one of the two books' })),
  },
  data: Type.Object({
    rows: Type.Array(ROW),
    pending: Type.Array(PENDING_ROW, { description: 'What is pending on the last day' }),
  }),
  summary: Type.Object({
    output: amount({ description: 'VAT and surcharge charged that accrued' }),
    input: amount({ description: 'VAT borne that accrued' }),
    pending_output: amount({ description: 'VAT and surcharge charged that is pending' }),
    pending_input: amount({ description: 'VAT borne that is pending' }),
  }),
  consistent: true,
  check: assertSpanish,
  async read({ reader, params, range, money }) {
    const { accruals, pending } = await readCashBasis(reader, range, params.kind ?? null);
    const total = (rows: readonly (Accrual | Pending)[], kind: Accrual['kind']) =>
      money(sum(rows.filter((row) => row.kind === kind).flatMap((row) => [row.amount, row.surcharge])).toFixed());
    return {
      data: {
        rows: accruals.map((row) => ({
          ...invoiceMembers(row),
          accrued_on: row.accruedOn,
          paid: money(row.atEnd ? '0' : row.paid),
          means: paymentMeans(row),
          account: row.account,
          ...amounts(row, money),
          drilldown: `/api/journal-entries/${row.entryId}`,
        })),
        pending: pending.map((row) => ({
          ...invoiceMembers(row),
          due_on: row.dueOn,
          ...amounts(row, money),
          drilldown: `${DOCUMENT_TYPES[row.docType].path}/${row.documentId}`,
        })),
      },
      summary: {
        output: total(accruals, 'repercutido'),
        input: total(accruals, 'soportado'),
        pending_output: total(pending, 'repercutido'),
        pending_input: total(pending, 'soportado'),
      },
    };
  },
  file: ({ data }) => ({
    tables: [
      { row: ROW, rows: data.rows },
      { title: { en: 'Pending', es: 'Pendiente' }, row: PENDING_ROW, rows: data.pending },
    ],
  }),
});

function invoiceMembers(row: Accrual | Pending) {
  const { kind, documentId, code, supplierReference, date, operationDate, partnerName, nif, rate } = row;
  const dates = { date, operation_date: operationDate };
  const partner = { partner_name: partnerName, nif, rate: Number(rate) };
  return { kind, document_id: documentId, code, supplier_reference: supplierReference, ...dates, ...partner };
}

function amounts(row: Accrual | Pending, money: (value: Decimal) => number) {
  return { base: money(row.base), amount: money(row.amount), surcharge: money(row.surcharge) };
}
