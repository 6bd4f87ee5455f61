/** The currency of a payment, with the rate or the amount at which the company entered it. */
import type { Db } from '../../../db/database.ts';
import { rateOn } from '../../../db/queries/exchange-rates.ts';
import { prepared } from '../../../db/sql.ts';
import { Faults } from '../../../domain/faults.ts';
import { currencyPlaces, RATE_PLACES } from '../../../domain/locale/currencies.ts';
import { type Decimal, decimal, decimalPlaces, round } from '../../../domain/money.ts';
import { toCompany } from '../../../domain/trade/documents/company-amounts.ts';
import type { PaymentFacts } from './facts.ts';
import type { PaymentRow } from './payment.ts';

export interface PaymentMoney {
  readonly currency: string;
  /** Null in the company's currency, like `companyAmount`. */
  readonly exchangeRate: Decimal | null;
  readonly companyAmount: Decimal | null;
}

interface Asked {
  readonly currency?: string | undefined;
  readonly exchange_rate?: number | undefined;
  readonly company_amount?: number | undefined;
  readonly amount: number;
  readonly payment_date: string;
}

const RATE_SQL = `select ${rateOn(':currency', ':date::date')} as rate`;

/**
 * Resolves the currency of a payment: given, that of the documents, of the bank account, or the company's; with the given rate, that which
 * follows from `company_amount`, or that of the day.
 * @param ofDocuments currencies of the documents that it names
 * @throws ServiceError validation_failed
 */
export async function paymentMoney(
  trx: Db,
  asked: Asked,
  facts: PaymentFacts,
  ofDocuments: readonly string[],
): Promise<PaymentMoney> {
  const { bankAccount, currency: company } = facts;
  const ofAccount = bankAccount?.currency ?? null;
  const currency = asked.currency ?? ofDocuments[0] ?? ofAccount ?? company;
  const faults = new Faults();
  if (ofAccount !== null && ofAccount !== company && ofAccount !== currency) {
    const message = `must be ${ofAccount}, the currency of the bank account`;
    faults.add(asked.currency === undefined ? '/bank_account_id' : '/currency', 'other_currency', message);
  }
  const { exchange_rate: given, company_amount: entered } = asked;
  if (given !== undefined && entered !== undefined) {
    const message = 'cannot be given together with company_amount because one follows from the other';
    faults.add('/exchange_rate', 'not_allowed', message);
  }
  if (currency === company) {
    const at = given !== undefined ? '/exchange_rate' : entered !== undefined ? '/company_amount' : null;
    const message = `must be left out because the payment is in the company's currency, ${company}`;
    if (at !== null) faults.add(at, 'not_allowed', message);
    faults.throwIfAny();
    return { currency, exchangeRate: null, companyAmount: null };
  }
  if (entered !== undefined && decimalPlaces(entered) > facts.places)
    faults.add('/company_amount', 'too_many_decimals', `must have at most ${facts.places} decimals`);
  const ofDay = given ?? (entered === undefined ? await dayRate(trx, currency, asked.payment_date) : null);
  if (entered === undefined && ofDay === null) {
    const message = `is required because there is no rate of ${currency} for that day or before; add one with POST /api/exchange-rates`;
    faults.add('/exchange_rate', 'no_exchange_rate', message);
  }
  faults.throwIfAny();
  if (entered !== undefined) {
    const exchangeRate = round(decimal(asked.amount).div(entered), RATE_PLACES);
    return { currency, exchangeRate, companyAmount: decimal(entered).toFixed() };
  }
  const exchangeRate = decimal(ofDay ?? 1).toFixed();
  return { currency, exchangeRate, companyAmount: toCompany(asked.amount, exchangeRate, facts.places) };
}

async function dayRate(trx: Db, currency: string, date: string): Promise<Decimal | null> {
  const [found] = await prepared<{ rate: Decimal | null }>(trx, RATE_SQL, { currency, date });
  return found?.rate ?? null;
}

/** The facts for amounts in a payment's currency. */
export function factsIn(
  facts: PaymentFacts,
  { currency, exchangeRate }: Pick<PaymentRow, 'currency' | 'exchangeRate'>,
): PaymentFacts {
  if (currency === facts.currency) return facts;
  const places = currencyPlaces(currency);
  const writeOffLimit = round(decimal(facts.writeOffLimit).times(exchangeRate ?? 1), places);
  return { ...facts, currency, places, writeOffLimit };
}
