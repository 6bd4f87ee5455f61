/** An invoice in the terms of EN 16931, from which both of its syntaxes are written. Amounts are positive in credit notes. */
import { Faults } from '../../../faults.ts';
import { groupBy } from '../../../group-by.ts';
import { hasVatNumber } from '../../../identifiers.ts';
import { type Decimal, type DecimalInput, decimal, round, sum } from '../../../money.ts';
import { CASH_BASIS_TEXT, LEGAL_TEXTS, legalText } from '../../documents/legal-texts.ts';
import type { TaxSet } from '../../documents/tax-sets.ts';
import { unionSchemeText } from '../../documents/union-scheme.ts';
import type { PaymentMethod } from '../../payments/types.ts';
import type { InvoiceData, LineData, PartyData, TaxData } from '../invoice.ts';
import { unitCodes } from '../units.ts';

/** 380 invoice, 381 credit note, 384 corrected invoice. */
export type TypeCode = '380' | '381' | '384';

/** VAT category (UNCL 5305): S standard, Z zero rated, L IGIC, M IPSI, and those of `LEGAL_TEXTS`. */
export type Category = 'S' | 'Z' | 'L' | 'M' | 'AE' | 'K' | 'G' | 'E' | 'O';

export interface StandardParty {
  readonly name: string;
  /** VAT number with its prefix; null if it has none, or must not be told. */
  readonly vatNumber: string | null;
  /** Tax id without prefix, which identifies it in its country. */
  readonly legalId: string | null;
  readonly street: string | null;
  readonly zipCode: string | null;
  readonly city: string | null;
  readonly country: string;
}

export interface StandardTax {
  readonly category: Category;
  /** Percentage; null where there is none to tell. */
  readonly rate: Decimal | null;
  readonly base: Decimal;
  readonly amount: Decimal;
  readonly reason: string | null;
  readonly vatex: string | null;
}

export interface StandardLine {
  readonly id: string;
  readonly name: string;
  readonly code: string | null;
  readonly quantity: Decimal;
  /** UN/ECE recommendation 20. */
  readonly unit: string;
  readonly price: Decimal;
  readonly discount: { readonly percent: Decimal | null; readonly amount: Decimal; readonly base: Decimal } | null;
  readonly charge: Decimal | null;
  readonly amount: Decimal;
  readonly category: Category;
  readonly rate: Decimal | null;
}

export interface StandardInvoice {
  readonly type: TypeCode;
  readonly number: string;
  readonly date: string;
  readonly dueDate: string | null;
  /** Day of the supply. */
  readonly deliveryDate: string;
  /** Terms of payment in words; null for none. */
  readonly terms: string | null;
  readonly note: string | null;
  /** BT-8: whether VAT is due as the invoice is paid. */
  readonly taxDueOnPayment: boolean;
  readonly currency: string;
  /** BT-111: tax in the currency in which the seller declares it (BT-6), if that is another. */
  readonly declaredTax: InvoiceData['declaredTax'];
  readonly reference: string | null;
  readonly rectified: InvoiceData['rectified'];
  readonly seller: StandardParty;
  readonly buyer: StandardParty;
  readonly payment: {
    /** UNCL 4461. */
    readonly code: string;
    readonly iban: string | null;
    readonly bic: string | null;
    readonly debitedIban: string | null;
  } | null;
  readonly taxes: readonly StandardTax[];
  readonly lines: readonly StandardLine[];
  readonly totals: Readonly<Record<'net' | 'tax' | 'gross', Decimal>>;
}

/** Payment means: 58 SEPA transfer, 59 SEPA debit, 48 card, 10 cash, 20 cheque, ZZZ as agreed. */
const MEANS: Readonly<Record<PaymentMethod, string>> = {
  transfer: '58',
  direct_debit: '59',
  card: '48',
  cash: '10',
  cheque: '20',
  effects: 'ZZZ',
  voucher: 'ZZZ',
};
/** A transfer that is not SEPA's. */
const CREDIT_TRANSFER = '30';
/** No means of payment is stated: a transfer without an account would not be valid. */
const UNDEFINED_MEANS = '1';

/**
 * Puts an invoice in the terms of the standard.
 * @throws ServiceError validation_failed naming what the standard cannot express
 */
export function standardInvoice(invoice: InvoiceData): StandardInvoice {
  const credit = decimal(invoice.totals.total).lt(0);
  const signed = (value: DecimalInput): Decimal =>
    decimal(value)
      .times(credit ? -1 : 1)
      .toFixed();
  const taxes = standardTaxes(invoice, signed);
  checkExpressible(invoice, taxes);
  const outside = taxes.some(({ category }) => category === 'O');
  const { totals, instalments, operationDate, date } = invoice;
  const due =
    instalments
      .map(({ dueDate }) => dueDate)
      .sort()
      .at(-1) ?? null;
  return {
    type: credit ? '381' : invoice.rectified === null ? '380' : '384',
    number: invoice.number,
    date,
    dueDate: credit ? null : due,
    deliveryDate: operationDate ?? date,
    terms: terms(invoice, credit),
    note: note(invoice),
    taxDueOnPayment: invoice.cashBasis,
    currency: invoice.currency,
    declaredTax: invoice.declaredTax && { ...invoice.declaredTax, amount: signed(invoice.declaredTax.amount) },
    reference: invoice.reference,
    rectified: invoice.rectified,
    seller: party(invoice.seller, outside),
    buyer: party(invoice.buyer, outside),
    payment: credit ? null : payment(invoice),
    taxes,
    lines: invoice.lines.map((line, index) =>
      standardLine(line, { id: String(index + 1), taxSet: invoice.taxSet }, signed),
    ),
    totals: {
      net: signed(totals.net),
      tax: signed(totals.tax),
      gross: signed(sum([totals.net, totals.tax]).toFixed()),
    },
  };
}

function checkExpressible({ withholdings, lines, buyer, seller }: InvoiceData, taxes: readonly StandardTax[]): void {
  const faults = new Faults();
  const instead = 'use Facturae or the PDF';
  if (withholdings.length > 0)
    faults.add('/withholdingRate', 'not_expressible', `cannot be told because EN 16931 has no withholding; ${instead}`);
  if (lines.some(({ surchargeRate }) => !decimal(surchargeRate).eq(0)))
    faults.add(
      '/vatRegime',
      'not_expressible',
      `cannot be told because EN 16931 has no equivalence surcharge; ${instead}`,
    );
  if (taxes.length > 1 && taxes.some(({ category }) => category === 'O'))
    faults.add(
      '/lines',
      'not_expressible',
      'cannot be taxed and not subject to VAT at once by EN 16931; divide them into two invoices',
    );
  if (seller.taxId === null) faults.add('/company', 'required', 'the company must have a tax id');
  const needed = taxes.some(({ category }) => category === 'K' || category === 'AE');
  if (needed && vatNumber(buyer) === null)
    faults.add('/partnerId', 'required', 'the customer must have a VAT number because they owe the VAT');
  faults.throwIfAny();
}

/** The breakdown: one part for each category and rate. */
function standardTaxes(invoice: InvoiceData, signed: (value: DecimalInput) => Decimal): StandardTax[] {
  const groups = groupBy(invoice.taxes, (tax) => `${categoryFor(tax, invoice.taxSet)} ${decimal(tax.rate).toFixed()}`);
  return [...groups.values()].map((group) => {
    const [first] = group as [TaxData];
    const category = categoryFor(first, invoice.taxSet);
    const mentions = group.flatMap(({ mention }) => (mention === null ? [] : [mention]));
    const reasons = new Set(mentions.map(({ mention, article }) => legalText(mention, article, invoice)));
    const codes = new Set(mentions.map(({ mention }) => LEGAL_TEXTS[mention].vatex));
    return {
      category,
      rate: category === 'O' ? null : plain(first.rate),
      base: signed(sum(group.map(({ base }) => base))),
      amount: signed(sum(group.map(({ amount }) => amount))),
      reason: reasons.size === 0 ? null : [...reasons].join('; '),
      // The codes are reasons of the VAT directive.
      vatex: codes.size === 1 && invoice.taxSet === 'vat' ? ([...codes][0] ?? null) : null,
    };
  });
}

function categoryFor({ mention, rate }: Pick<TaxData, 'mention'> & { readonly rate: Decimal }, set: TaxSet): Category {
  if (mention !== null) return LEGAL_TEXTS[mention.mention].category;
  if (set !== 'vat') return set === 'igic' ? 'L' : 'M';
  return decimal(rate).eq(0) ? 'Z' : 'S';
}

/** A price is never negative: the quantity has the sign. Discounts and charges are told where they change a positive line. */
function standardLine(
  line: LineData,
  { id, taxSet }: { readonly id: string; readonly taxSet: TaxSet },
  signed: (value: DecimalInput) => Decimal,
): StandardLine {
  const category = categoryFor({ mention: line.mention, rate: line.taxRate }, taxSet);
  const amount = signed(line.amount);
  const negative = decimal(line.price).lt(0);
  const quantity = decimal(signed(line.quantity))
    .times(negative ? -1 : 1)
    .toFixed();
  const price = decimal(line.price).abs().toFixed();
  const cost = round(decimal(quantity).times(price), 2);
  const charge = signed(line.charge);
  const discount = decimal(cost).plus(charge).minus(amount).toFixed();
  const { discountPercent: percent } = line;
  const changed = percent === null || !decimal(percent).eq(0);
  const told = changed && decimal(charge).gte(0) && decimal(discount).gte(0) && decimal(cost).gt(0);
  const discounted = told && decimal(discount).gt(0);
  const exact = decimal(cost).eq(amount) || decimal(quantity).eq(0);
  const net = exact ? price : decimal(amount).div(quantity).abs().round(8).toFixed();
  return {
    id,
    name: line.description.trim().replace(/\s+/g, ' ') || line.code || id,
    code: line.code,
    quantity,
    unit: unitCodes(line.unit).unece,
    price: told ? price : net,
    discount: discounted ? { percent: percent === null ? null : plain(percent), amount: discount, base: cost } : null,
    charge: told && decimal(charge).gt(0) ? charge : null,
    amount,
    category,
    rate: category === 'O' ? null : plain(line.taxRate),
  };
}

/** Names a party. Invoices outside the scope of VAT must not tell VAT numbers (EN 16931, BR-O-02). */
function party(data: PartyData, outside: boolean): StandardParty {
  const { name, taxId, street, zipCode, city, country } = data;
  return { name, vatNumber: outside ? null : vatNumber(data), legalId: taxId, street, zipCode, city, country };
}

function vatNumber({ taxId, country }: PartyData): string | null {
  if (taxId === null) return null;
  if (country === 'ES') return `ES${taxId}`;
  return hasVatNumber(country, taxId) || taxId.startsWith(country) ? taxId : null;
}

function payment({ currency, payment: { method, iban, bic, debitedIban } }: InvoiceData): StandardInvoice['payment'] {
  const by = method ?? (iban === null ? null : 'transfer');
  if (by === null) return null;
  if (by === 'transfer' && iban === null) return { code: UNDEFINED_MEANS, iban: null, bic: null, debitedIban: null };
  const transferred = by === 'transfer';
  return {
    // SEPA knows the euro alone.
    code: by === 'transfer' && currency !== 'EUR' ? CREDIT_TRANSFER : MEANS[by],
    iban: transferred ? iban : null,
    bic: transferred ? bic : null,
    debitedIban: by === 'direct_debit' ? debitedIban : null,
  };
}

function terms({ instalments, language, currency }: InvoiceData, credit: boolean): string | null {
  if (credit) return language === 'es' ? 'Abono' : 'Credit';
  if (instalments.length < 2) return null;
  return instalments.map(({ dueDate, amount }) => `${dueDate}: ${amount} ${currency}`).join('; ');
}

function note({ notes, reason, qrUrl, cashBasis, consumptionStates, language }: InvoiceData): string | null {
  const schemes = [cashBasis ? CASH_BASIS_TEXT[language] : null, unionSchemeText(consumptionStates, language)];
  const texts = [notes, reason, ...schemes, qrUrl === null ? null : `VERI*FACTU: ${qrUrl}`].filter(
    (text) => text !== null,
  );
  return texts.length === 0 ? null : texts.join('\n');
}

function plain(value: Decimal): Decimal {
  return decimal(value).toFixed();
}
