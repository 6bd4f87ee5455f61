/** Warnings about a document that was written anyway (decision 0115). */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import { daysBetween } from '../../../domain/days.ts';
import { accountWarnings } from '../../../domain/ledger/accounting/account-warnings.ts';
import { type Decimal, decimal } from '../../../domain/money.ts';
import { toCompany } from '../../../domain/trade/documents/company-amounts.ts';
import { DOCUMENT_TYPES } from '../../../domain/trade/documents/types.ts';
import type { Warning } from '../../../domain/trade/documents/warnings.ts';
import { DEFAULT_SETTINGS, type FlagSettings } from '../../platform/settings/definitions.ts';
import { isGivenAway } from '../../records/prices/pricing.ts';
import type { References } from '../documents/resolve/references.ts';
import type { DocumentInput } from '../documents/schemas.ts';
import type { DocumentRow, LineRow } from '../documents/stored.ts';
import type { DocumentAnswer } from '../documents/to-json.ts';

/** Adds `warnings` to the answer of a write, if there are any. */
export function withWarnings(answer: DocumentAnswer, warnings: readonly Warning[]): DocumentAnswer {
  return warnings.length === 0 ? answer : { ...answer, warnings };
}

/** Warnings about missing members of the head. */
export function headWarnings({ docType, supplierReference }: DocumentRow): Warning[] {
  if (docType !== 'PINV' || supplierReference !== null) return [];
  const message = "is missing: without the supplier's number the same invoice could be entered twice";
  return [{ pointer: '/supplierReference', code: 'no_supplier_reference', message }];
}

/** Days after which a rate is old: weekends and holidays have none. */
const OLD_RATE_DAYS = 7;

/** Warns of a rate that was not given, and is old. */
export function rateWarnings(
  { exchangeRate, currency }: DocumentRow,
  { dayRate, dayRateOn, rateDay }: Pick<References, 'dayRate' | 'dayRateOn' | 'rateDay'>,
): Warning[] {
  if (exchangeRate === null || dayRate === null || dayRateOn === null || !decimal(exchangeRate).eq(dayRate)) return [];
  const age = daysBetween(dayRateOn, rateDay);
  if (age <= OLD_RATE_DAYS) return [];
  const message = `is that of ${dayRateOn}, ${age} days before: there is no newer rate of ${currency}`;
  return [{ pointer: '/exchangeRate', code: 'old_exchange_rate', message }];
}

/** About an invoice of imported goods, whose VAT is in no return until the customs document is added. */
export const NO_CUSTOMS_DOCUMENT: Warning = {
  pointer: '/customsDocument',
  code: 'no_customs_document',
  message: 'is missing: the VAT of the imported goods is in no return until it is added',
};

/**
 * Warns of lines that cost nothing without a decision of the client, a base, a price list or a price rule.
 * @param input that was resolved into `lines`, one by one
 */
export function priceWarnings(
  { lines: given }: Pick<DocumentInput, 'lines'>,
  lines: readonly LineRow[],
  { pricing }: Pick<References, 'pricing'>,
): Warning[] {
  return lines.flatMap((line, index) => {
    const priceGiven =
      given[index]?.price !== undefined ||
      given[index]?.priceWithTax !== undefined ||
      line.baseId !== null ||
      isGivenAway(pricing, line.itemId ?? '');
    if (priceGiven || !decimal(line.price).eq(0)) return [];
    const message = 'is 0 because the item has no price, and none was given';
    return [{ pointer: `/lines/${index}/price`, code: 'no_price', message }];
  });
}

/** Warns of lines of an invoice by the accounts that they name. */
export function assignmentWarnings(
  row: DocumentRow,
  lines: readonly LineRow[],
  { accounts }: Pick<References, 'accounts'>,
): Warning[] {
  const { side, kind } = DOCUMENT_TYPES[row.docType];
  if (kind !== 'invoice' || row.rectifying) return [];
  const accounted = lines.flatMap((line, index) => {
    const account = accounts.get(line.accountId ?? '');
    if (account?.isSpanish !== true) return [];
    const amount =
      row.exchangeRate === null ? line.amount : toCompany(line.amount, row.exchangeRate, row.decimalPrecision);
    return [{ ...line, index, account: account.code, vatRegime: line.vatRegime ?? row.vatRegime, amount }];
  });
  return accountWarnings(side, accounted);
}

/** The previous number, if it is dated later. */
export interface LaterNumber {
  readonly code: string;
  readonly date: string;
  /** Whether its date is even after this document's period. */
  readonly afterPeriod: boolean;
}

/** The customer's credit terms. */
export interface CreditTerms {
  readonly name: string;
  readonly creditLimit: Decimal;
  readonly currency: string;
  readonly mode: FlagSettings['creditLimit'];
}

export interface WarningFacts {
  readonly later: LaterNumber | null;
  /** null if there is no limit. */
  readonly terms: CreditTerms | null;
}

/** Uses the index of numbers to find the previous one. */
const FACTS_SQL = `select
  (select json_build_object('code', l.code, 'date', l.date, 'afterPeriod', l.date > p."to")
   from (select code, date from documents where series_id = :seriesId
     and number < (select number from documents where id = :numbered::uuid) order by number desc limit 1) l
   join periods p on p.id = :periodId where l.date > :date::date) as later,
  (select json_build_object('name', p.name, 'creditLimit', p.credit_limit::text,
     'currency', (select currency from tenants where id = :tenant),
     'mode', coalesce((select value ->> 'creditLimit' from settings where name = 'flags'), :mode))
   from partners p where p.id = :customer::uuid and p.credit_limit is not null) as terms`;

/**
 * Loads what warnings about a document depend on. Called right after its write is begun, it takes no round trip of its own.
 * @param takesNumber whether it takes a number with that write
 */
export async function loadWarningFacts(
  trx: Db,
  ctx: Context,
  row: DocumentRow,
  takesNumber: boolean,
): Promise<WarningFacts> {
  if (!takesNumber && !isSale(row)) return { later: null, terms: null };
  const { seriesId, periodId, date, partnerId } = row;
  const [facts] = await prepared<WarningFacts>(trx, FACTS_SQL, {
    ...{ seriesId, periodId, date, tenant: ctx.tenantId },
    numbered: takesNumber ? row.id : null,
    customer: isSale(row) ? partnerId : null,
    mode: DEFAULT_SETTINGS.flags.creditLimit,
  });
  return facts ?? { later: null, terms: null };
}

export function dateWarnings(date: string, later: LaterNumber | null): Warning[] {
  if (later === null) return [];
  return [{ pointer: '/date', code: 'date_before_last', message: `is ${date}, before ${later.code} of ${later.date}` }];
}

/** Whether it increases what a customer may owe: documents that take back do not. */
export function isSale({ docType, rectifying, returns }: DocumentRow): boolean {
  return DOCUMENT_TYPES[docType].side === 'sales' && !rectifying && returns === null;
}
