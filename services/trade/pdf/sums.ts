/** The part below the lines: taxes, totals, payment, and legal mentions. */

import { type Decimal, decimal, isZero, sum } from '../../../domain/money.ts';
import { CASH_BASIS_TEXT, legalText } from '../../../domain/trade/documents/legal-texts.ts';
import { mentionsFor } from '../../../domain/trade/documents/mentions.ts';
import { computeWithholdings } from '../../../domain/trade/documents/totals.ts';
import { unionSchemeText } from '../../../domain/trade/documents/union-scheme.ts';
import type { VatRegime } from '../../../domain/trade/documents/vat.ts';
import { discountAmount } from '../../../domain/trade/payments/terms.ts';
import { inCompanyCurrency } from '../documents/in-company-currency.ts';
import type { LineRow } from '../documents/stored.ts';
import { type Fact, isReceipt, nonEmpty, type Paper, presentFacts } from './paper.ts';
import type { PaperData } from './paper-data.ts';

export type TaxView = Readonly<
  Record<'name' | 'base' | 'rate' | 'amount' | 'surchargeRate' | 'surchargeAmount', string>
>;

export function hasSurcharge({ data }: Paper): boolean {
  return data.taxes.some((tax) => !isZero(tax.surchargeAmount));
}

/** Whether a line is under the margin scheme: no invoice may show its tax (LIVA, art. 138.Uno), nor that there is none. */
export function isOnMargin({ row }: PaperData, { vatRegime }: Pick<LineRow, 'vatRegime'>): boolean {
  return (vatRegime ?? row.vatRegime) === 'margin';
}

export function taxTable({ data, formats }: Paper): TaxView[] {
  const untaxed = data.lines.filter((line) => isZero(line.taxRate) && !isOnMargin(data, line));
  const shown = new Set(untaxed.map(({ taxGroupId }) => taxGroupId));
  const taxes = data.taxes.filter(({ taxGroupId, rate }) => !isZero(rate) || shown.has(taxGroupId));
  return taxes.map((tax) => ({
    name: tax.code,
    base: formats.amount(tax.base),
    rate: formats.percent(tax.rate),
    amount: formats.amount(tax.amount),
    surchargeRate: isZero(tax.surchargeRate) ? '' : formats.percent(tax.surchargeRate),
    surchargeAmount: isZero(tax.surchargeRate) ? '' : formats.amount(tax.surchargeAmount),
  }));
}

/** Totals from the gross amount down, without the total itself. */
export function totalsAbove(paper: Paper): Fact[] {
  const { data, formats, texts } = paper;
  const { row, taxes } = data;
  const surcharge = sum(taxes.map((tax) => tax.surchargeAmount));
  const gross = decimal(row.subtotal).plus(row.discountTotal);
  const discounted = !isZero(row.discountTotal);
  const charged = sum(data.lines.map(({ documentCharge }) => documentCharge));
  const taxed = data.lines.length === 0 || data.lines.some((line) => !isOnMargin(data, line));
  const withheld = computeWithholdings(data.lines, row.withholdingRate, row.decimalPrecision).map(
    ({ rate, amount }): [string, string | false] => [
      `${texts.withholding} ${formats.percent(rate)}`,
      !isZero(amount) && formats.amount(decimal(amount).neg().toFixed()),
    ],
  );
  return presentFacts([
    [texts.gross, discounted && formats.amount(gross.toFixed())],
    [discountLabel(paper), discounted && formats.amount(decimal(row.discountTotal).neg().toFixed())],
    [`${texts.including} ${row.chargeText ?? texts.charges}`, !charged.eq(0) && formats.amount(charged.toFixed())],
    [texts.subtotal, taxed && formats.amount(row.subtotal)],
    [texts.taxes, taxed && formats.amount(decimal(row.taxTotal).minus(surcharge).toFixed())],
    [texts.surcharge, !surcharge.eq(0) && formats.amount(surcharge.toFixed())],
    ...withheld,
  ]);
}

/** The name of the sum of discounts, with what the whole document says of them. */
function discountLabel({ data: { row }, formats, texts }: Paper): string {
  if (row.discountPercent !== null && !isZero(row.discountPercent))
    return `${texts.discounts} (${texts.documentDiscount} ${formats.percent(row.discountPercent)})`;
  if (row.discountAmount === null || isZero(row.discountAmount)) return texts.discounts;
  return `${texts.discounts} (${texts.documentDiscount} ${formats.money(row.discountAmount, row.currency)})`;
}

/** Payment instructions for a customer's invoice, or the proforma of one: due date, method and account; none for refunds. */
export function paymentFacts(paper: Paper): Fact[] {
  const { data, type, texts, form } = paper;
  // Of an invoice that takes the place of another, the difference alone is still to be paid.
  const owed = data.substitution?.difference.total ?? data.row.total;
  const isAsked = type.kind === 'invoice' || form === 'proforma';
  if (!isAsked || type.side !== 'sales' || !decimal(owed).gt(0)) return [];
  const { bank } = data;
  const { paymentMethod, iban } = data.partner;
  // Without an agreed method it is a transfer, if there is an account to pay to.
  const method = paymentMethod ?? (bank === null ? null : 'transfer');
  const debited = method === 'direct_debit' && iban;
  const transferred = method === 'transfer' && bank !== null;
  const methods: Readonly<Record<string, string>> = texts.paymentMethods;
  return presentFacts([
    [texts.payment, method && (methods[method] ?? method)],
    ...(form === 'proforma' ? [] : dueFacts(paper)),
    [texts.promptDiscount, promptDiscountText(paper)],
    [texts.account, transferred && nonEmpty([groupByFour(bank.iban), bank.bankName]).join(' · ')],
    [texts.bic, transferred && bank.bic],
    // Just enough for the owner to recognize the account.
    [texts.debitedFrom, debited && `${iban.slice(0, 4)} … ${iban.slice(-4)}`],
  ]);
}

/** Percentage, amount and last day of the prompt payment discount. */
function promptDiscountText({ data: { row }, formats }: Paper): string | null {
  const { promptDiscountPercent: percent, promptDiscountUntil: until, decimalPrecision } = row;
  if (percent === null || until === null) return null;
  const amount = formats.money(discountAmount(row.total, percent, decimalPrecision), row.currency);
  return `${formats.percent(percent)} · ${amount} · ${formats.day(until)}`;
}

/** The due date, or each due date with its part of the total. */
function dueFacts({ data: { row, instalments }, formats, texts }: Paper): [string, string | null][] {
  if (instalments.length === 0) return [[texts.dueDate, row.dueDate && formats.day(row.dueDate)]];
  return instalments.map(({ number, dueDate, amount }) => [
    `${texts.dueDate} ${number}/${instalments.length}`,
    `${formats.day(dueDate)} · ${formats.money(amount, row.currency)}`,
  ]);
}

/** The VAT of an invoice in another currency in the company's, with the rate (RD 1619/2012, art. 12; LIVA art. 79.11). */
function companyCurrencyText({ data, texts, formats }: Paper): string[] {
  const { exchangeRate, companyPlaces, currency } = data.row;
  if (exchangeRate === null) return [];
  const { row } = inCompanyCurrency(data);
  const own = data.settings.company.currency;
  const money = (value: Decimal) => `${formats.decimals(value, { style: 'decimal', places: companyPlaces })} ${own}`;
  const amounts = [
    `${texts.subtotal} ${money(row.subtotal)}`,
    `${texts.taxes} ${money(row.taxTotal)}`,
    `${texts.total} ${money(row.total)}`,
  ];
  return [`${amounts.join(' · ')} (1 ${own} = ${formats.number(exchangeRate)} ${currency})`];
}

/**
 * The legal wording of why a sales invoice bears no VAT, or bears it by the cash basis or that of other states, and its VAT in the
 * company's currency; on a receipt of the farming scheme, where the farmer signs.
 */
export function mentionTexts(paper: Paper): string[] {
  const { data, type, formats, texts } = paper;
  if (isReceipt(type, data)) return [texts.receipt.signature];
  if (type.kind !== 'invoice' || type.side !== 'sales') return [];
  const lines = data.lines.flatMap(({ id, taxRate, vatRegime }) => {
    const extra = data.lineExtras[id];
    return extra === undefined ? [] : [{ ...extra, taxRate, regime: vatRegime as VatRegime | null }];
  });
  const { country, taxSet } = data.settings.company;
  const reader = { language: formats.language, spanish: country === 'ES', taxSet };
  const mentions = mentionsFor(data.row.vatRegime as VatRegime, lines).map(({ mention, article }) =>
    legalText(mention, article, reader),
  );
  const cashBasis = data.row.cashBasis ? [CASH_BASIS_TEXT[formats.language]] : [];
  const unionScheme = unionSchemeText(consumptionStates(data), formats.language) ?? [];
  return [...companyCurrencyText(paper), ...mentions, ...cashBasis].concat(unionScheme);
}

/** The member states whose taxes an invoice bears. */
export function consumptionStates({ lineExtras }: Pick<PaperData, 'lineExtras'>): string[] {
  return Object.values(lineExtras).flatMap(({ consumptionCountry }) => consumptionCountry ?? []);
}

function groupByFour(iban: string): string {
  return iban.replace(/.{4}(?=.)/g, '$& ');
}
