/** Parts shared by the reports of the VAT books: periods, and members of their lines. */
import { Type } from 'typebox';
import {
  ANNUAL,
  MONTHLY,
  periodContaining,
  periodSpan,
  QUARTERLY,
} from '../../../domain/ledger/tax-returns/periods.ts';
import { type Booked, type BookedPartner, MEANS, paymentMeans } from '../../../domain/ledger/tax-returns/vat-books.ts';
import { isUnionScheme } from '../../../domain/trade/documents/operations.ts';
import { DOCUMENT_TYPES } from '../../../domain/trade/documents/types.ts';
import type { Days } from '../../ledger/tax-returns/taxes.ts';
import type { FoundPurchase, FoundSale } from '../../ledger/tax-returns/vat-book-lines.ts';
import { amount, choice, day, integer, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import type { ReportRequest } from '../engine/declaration.ts';
import { QUARTER_OR_MONTH, requestedPeriod } from './tax-model.ts';

/** Parameters of the books of invoices. */
export const BOOK_PERIOD = {
  year: QUARTER_OR_MONTH.year,
  period: Type.Optional(
    choice([...QUARTERLY, 'T1', 'T2', 'T3', 'T4', ...MONTHLY, ANNUAL], {
      description:
        'A quarter (1T to 4T), a month (01 to 12) or the year (0A); by default the last quarter that is over',
    }),
  ),
};

/** The days of the requested period. */
export function bookDays(request: Pick<ReportRequest, 'params' | 'range'>): Days {
  return periodSpan(requestedPeriod(request));
}

/** Members of the data that say what is asked for. */
export const BOOK_YEAR = { year: integer(), period: text() };

export const RETURN_PERIOD = {
  year: integer({ description: 'Year of the return' }),
  period: text({ description: 'Quarter of the return, by the day of the entry; 0A for investment goods' }),
};
export const PARTNER = {
  id_type: nullable(
    choice(['02', '04'], {
      description: '02: VAT number of the Union; 04: id of another country; null: Spanish tax id, or none',
    }),
  ),
  country: nullable(text({ description: 'Country of an id that is not Spanish' })),
  nif: nullable(text()),
  partner_name: text({ min: 0, max: 500 }),
};
export const SETTLED = {
  settled_on: nullable(day({ description: 'Of an invoice under the cash basis: day of the payment' })),
  settled: nullable(amount({ description: 'What it settled of the invoice; 0 if tax accrued without a payment' })),
  means: nullable(
    choice(MEANS, {
      description:
        '01 transfer, 02 cheque, 03 not paid: accrued at the end of the year after, 04 others, 05 direct debit',
    }),
  ),
  settled_through: nullable(text({ description: 'Bank account of the payment' })),
};
export const ORIGIN = {
  entry_id: uuid(),
  document_id: nullable(uuid({ description: 'The invoice; null for an entry by hand' })),
  drilldown: text({ max: 500 }),
};

type Found = FoundSale | FoundPurchase;
type Money = ReportRequest['money'];

/** The return in which a day is declared; the format knows quarters alone. */
export function returnPeriod(date: string) {
  return periodContaining('1T', date);
}

export function partnerMembers({ idType, country, nif, name }: BookedPartner) {
  return { id_type: idType as '02' | '04' | null, country, nif, partner_name: name };
}

/** Figures of the invoice; nothing in a line of a payment, which repeats what identifies it. */
export function invoiceFigures(found: Booked, total: Found['base'], money: Money) {
  if (found.phase === 'payment') return { total: null, base: null, rate: null, amount: null };
  // Tax of another state is part of the total alone.
  if (isUnionScheme(found.operation)) return { total: money(total), base: money(found.base), rate: null, amount: null };
  return {
    total: money(total),
    base: money(found.base),
    rate: Number(found.rate ?? 0),
    amount: money(found.amount),
  };
}

export function settledMembers(found: Found, money: Money) {
  if (found.phase !== 'payment') return { settled_on: null, settled: null, means: null, settled_through: null };
  return {
    settled_on: found.date,
    settled: money(found.atEnd ? '0' : found.paid),
    means: paymentMeans(found),
    settled_through: found.account,
  };
}

export function originMembers({ entryId, documentId, docType }: Found) {
  const path = docType === null ? `/api/journal-entries/${entryId}` : `${DOCUMENT_TYPES[docType].path}/${documentId}`;
  return { entry_id: entryId, document_id: documentId, drilldown: path };
}

/** The day of supply, if the invoice says another than its own. */
export function statedOperationDate({ operationDate, issuedOn }: Found): string | null {
  return operationDate === issuedOn ? null : operationDate;
}

/** The number of what has no invoice of the service. */
export function entryNumber({ entryNumber: number }: Found): string {
  return number === null ? '' : `Asiento ${number}`;
}
