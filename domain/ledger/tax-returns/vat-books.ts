/**
 * The VAT books (libros registro; RD 1624/1992, arts. 63 and 64) in the codes of the tax agency's common format for them (18 February
 * 2026; decision 0326): what each line of a book says of an invoice.
 */
import { type Decimal, sum } from '../../money.ts';
import type { ExemptionReason } from '../../trade/documents/exemptions.ts';
import { isUnionScheme, type TaxOperation } from '../../trade/documents/operations.ts';
import type { RectificationType } from '../../trade/documents/rectifications.ts';
import type { SettledBy } from '../../trade/payments/types.ts';
import { salesTreatment, type Treatment } from '../verifactu/breakdown.ts';
import type { InvoiceType } from '../verifactu/records.ts';
import { invoiceType, isSimplified, party } from '../verifactu/registration.ts';

/** A line states an invoice, one under the cash basis before it is paid, or a payment of one. */
export const PHASES = ['invoice', 'pending', 'payment'] as const;

/** F5: import, F6: accounting voucher, SF: yearly adjustment of the pro rata. */
export const RECEIVED_TYPES = ['F1', 'F2', 'F5', 'F6', 'R1', 'R2', 'R3', 'R4', 'R5', 'SF'] as const;

/** An invoice or entry, and the tax of it that a line states. */
export interface Booked {
  readonly phase: (typeof PHASES)[number];
  readonly operation: TaxOperation;
  /** Whether it corrects an earlier declaration. */
  readonly rectifying: boolean;
  readonly groupId: string | null;
  /** In percent; null for a payment, which has none of its own. */
  readonly rate: Decimal | null;
  readonly base: Decimal;
  readonly amount: Decimal;
  /** Whether it is an invoice of the service, not a manual entry. */
  readonly isDocument: boolean;
  readonly partner: { readonly name: string; readonly taxId: string | null; readonly country: string } | null;
  /** null unless the invoice corrects another. */
  readonly rectified: { readonly taxId: string | null } | null;
  readonly rectificationType: RectificationType | null;
}

export interface BookedSale extends Booked {
  /** Type of the invoice's record for the tax agency. */
  readonly recordType: InvoiceType | null;
  /** Whether a full invoice was given in exchange for it. */
  readonly exchanged: boolean;
  readonly reason: ExemptionReason | null;
  readonly surcharge: Decimal;
  /** The part of the price of a sale under the margin scheme that bears no tax. */
  readonly untaxed: Decimal;
}

export interface BookedPurchase extends Booked {
  readonly deductible: Decimal;
}

/** How a partner is identified; nothing for Spanish tax ids, 02 for VAT numbers of the Union, 04 for ids of other countries. */
export interface BookedPartner {
  readonly idType: string | null;
  readonly country: string | null;
  readonly nif: string | null;
  readonly name: string;
}

/** Names that the format prescribes where nobody is identified. */
const CONSUMERS = 'VENTAS A CONSUMIDOR FINAL';
const PRO_RATA = 'AJUSTE PRORRATA DEFINITIVA';

/** The type of an issued invoice: that of its record, if it has one. */
export function issuedType(sale: BookedSale): InvoiceType {
  const { recordType, exchanged, rectified, partner, rectifying, isDocument } = sale;
  if (recordType !== null) return recordType;
  const taxId = partner?.taxId ?? null;
  const corrects = rectified !== null || (!isDocument && rectifying);
  return invoiceType({
    partner: { taxId },
    rectified: corrects ? { type: rectified !== null && rectified.taxId === null ? 'F2' : null } : null,
    simplified: exchanged ? {} : null,
    rectificationType: sale.rectificationType,
  });
}

/** The recipient of an invoice; simplified ones name nobody. */
export function recipient({ partner }: Pick<Booked, 'partner'>, type: InvoiceType): BookedPartner {
  return partner === null || isSimplified(type) ? nobody(CONSUMERS) : identified(partner);
}

/** Key of the regime, and qualification or exemption, as in the invoice's record. */
export function soldAs({ operation, reason }: BookedSale): Treatment {
  return salesTreatment(operation, reason);
}

/** Base, tax and surcharge, with what bears no tax under the margin scheme. */
export function soldFor({ base, amount, surcharge, untaxed }: BookedSale): Decimal {
  return sum([base, amount, surcharge, untaxed]).toFixed();
}

/**
 * Tax that a line adds to that due in the return of its period: nothing before a payment under the cash basis, and none of other
 * states.
 */
export function taxDue({ phase, operation, amount, surcharge }: BookedSale): Decimal {
  return phase === 'pending' || isUnionScheme(operation) ? '0' : sum([amount, surcharge]).toFixed();
}

/** The type of a received invoice. Invoices of suppliers without a tax id are taken as simplified. */
export function receivedType(purchase: BookedPurchase): (typeof RECEIVED_TYPES)[number] {
  const { partner, rectified, rectifying, rectificationType, isDocument, operation } = purchase;
  if (isProRataAdjustment(purchase)) return 'SF';
  if (operation === 'import') return 'F5';
  const isKnown = partner !== null && partner.taxId !== null;
  if (rectified !== null || (!isDocument && rectifying)) return isKnown ? (rectificationType ?? 'R1') : 'R5';
  if (isKnown) return 'F1';
  return isDocument ? 'F2' : 'F6';
}

/** The adjustment of a year's deductions to its definitive pro rata: it has neither base nor rate. */
function isProRataAdjustment({ phase, operation, groupId, rate, base }: BookedPurchase): boolean {
  const isEmpty = Number(rate ?? 0) === 0 && Number(base) === 0;
  return phase === 'invoice' && operation === 'domestic' && groupId === null && isEmpty;
}

/** The issuer of an invoice; imports are documents of the company itself. */
export function issuer(purchase: BookedPurchase, company: NonNullable<Booked['partner']>): BookedPartner {
  const type = receivedType(purchase);
  if (type === 'SF') return nobody(PRO_RATA);
  if (type === 'F5') return identified(company);
  return purchase.partner === null ? nobody('') : identified(purchase.partner);
}

/** Purchases under the farming scheme, whose compensation is deducted, under the margin scheme, and on the cash basis. */
const BOUGHT_KEYS: Partial<Record<TaxOperation, '02' | '03' | '07'>> = {
  agricultural: '02',
  margin: '03',
  cash_basis: '07',
};

/** Key of the regime of a purchase, and whether the company owes its tax itself, other than in the Union. */
export function boughtAs({ operation }: Booked): {
  readonly key: '01' | '02' | '03' | '07' | '09';
  readonly reversed: boolean;
} {
  const isUnion = operation === 'intra_eu_goods' || operation === 'intra_eu_services';
  const reversed = operation === 'reverse_charge' || operation === 'services_from_abroad';
  return { key: BOUGHT_KEYS[operation] ?? (isUnion ? '09' : '01'), reversed };
}

/** Base and tax; the base alone if the company owes the tax itself. */
export function boughtFor(purchase: BookedPurchase): Decimal {
  const { key, reversed } = boughtAs(purchase);
  return reversed || key === '09' ? purchase.base : sum([purchase.base, purchase.amount]).toFixed();
}

/** Tax that a line adds to the deductions of the return of its period. */
export function taxDeducted({ phase, deductible }: BookedPurchase): Decimal {
  return phase === 'pending' ? '0' : deductible;
}

function nobody(name: string): BookedPartner {
  return { idType: null, country: null, nif: null, name };
}

/** How a partner is identified. */
export function identified(partner: NonNullable<Booked['partner']>): BookedPartner {
  const { taxId = null, other } = party(partner);
  if (other !== undefined)
    return { idType: other.type, country: other.country ?? null, nif: other.id, name: partner.name };
  return { idType: null, country: null, nif: taxId, name: partner.name };
}

/** Means of payment under the cash basis: transfer, cheque, none (it accrued by the end of the year after), others, direct debit. */
export const MEANS = ['01', '02', '03', '04', '05'] as const;
const MEANS_BY_METHOD: Partial<Record<SettledBy, '01' | '02' | '05'>> = {
  transfer: '01',
  cheque: '02',
  direct_debit: '05',
};

/** The means of a payment. @param atEnd whether its tax accrued without one, at the end of the year after the operation */
export function paymentMeans({
  method,
  atEnd,
}: {
  readonly method: SettledBy | null;
  readonly atEnd: boolean;
}): (typeof MEANS)[number] {
  return atEnd ? '03' : ((method && MEANS_BY_METHOD[method]) ?? '04');
}

/** Divides a printed number into series and number. */
export function seriesAndNumber(
  code: string,
  prefix: string,
): { readonly series: string | null; readonly number: string } {
  if (prefix.trim() === '' || !code.startsWith(prefix) || code === prefix) return { series: null, number: code };
  return { series: prefix.trim(), number: code.slice(prefix.length) };
}
