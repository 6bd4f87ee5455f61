/** Makes the record of an invoice that is about to be issued, and says what an invoice lacks (RD 1619/2012, arts. 4, 6, 7 and 15). */
import { hasVatNumber } from '../../identifiers.ts';
import { type Decimal, decimal, sum } from '../../money.ts';
import { shortened } from '../../shorten.ts';
import type { RectificationType } from '../../trade/documents/rectifications.ts';
import type { TaxSet } from '../../trade/documents/tax-sets.ts';
import { besideDetails, breakdown, detailTotals, type Reasons, type StatedTax } from './breakdown.ts';
import type { InvoiceKey, InvoiceType, Party, Registration, ReplacedAmounts } from './records.ts';

/** From this amount on, a record says that it is large (AEAT, validation 1138). */
const LARGE = '100000000';
const MAX_NAME = 120;
const MAX_DESCRIPTION = 500;

export interface InvoiceFacts {
  readonly company: { readonly name: string; readonly taxId: string; readonly taxSet: TaxSet };
  readonly partner: { readonly name: string; readonly taxId: string | null; readonly country: string };
  /** As printed; a placeholder until it is taken. */
  readonly number: string;
  readonly date: string;
  readonly operationDate: string | null;
  /** The texts of its lines. */
  readonly texts: readonly string[];
  readonly taxes: readonly StatedTax[];
  readonly reasons: Reasons;
  /** The invoice that it rectifies, and the type of its record; null if it has no record. */
  readonly rectified: { readonly number: string; readonly date: string; readonly type: InvoiceType | null } | null;
  /** The simplified invoice in whose place it is. */
  readonly simplified?: { readonly number: string; readonly date: string } | null;
  /** Type of a rectifying invoice; none = R1. */
  readonly rectificationType?: RectificationType | null;
  /** Amounts that a rectifying invoice replaces, whose taxes are then all that the other should have charged; none: the difference. */
  readonly replaced?: ReplacedAmounts | null;
}

/** The facts that decide the type of an invoice. */
export interface TypedBy extends Pick<InvoiceFacts, 'rectificationType'> {
  readonly partner: Pick<InvoiceFacts['partner'], 'taxId'>;
  readonly rectified: Pick<NonNullable<InvoiceFacts['rectified']>, 'type'> | null;
  readonly simplified?: object | null;
}

/** Makes the record. Whether the tax agency would take it is checked by `registrationFaults`. */
export function registration(facts: InvoiceFacts): Registration {
  const { company, partner, rectified, simplified = null, replaced = null, date, operationDate } = facts;
  const type = invoiceType(facts);
  const details = breakdown(facts.taxes, facts.reasons, company.taxSet);
  const declared = detailTotals(details);
  const totals = { ...declared, total: sum([declared.total, besideDetails(facts.taxes)]).toFixed(2) };
  const key = ({ number, date }: { readonly number: string; readonly date: string }): InvoiceKey => ({
    issuer: company.taxId,
    number,
    date,
  });
  return {
    invoice: key(facts),
    issuerName: shortened(company.name, MAX_NAME),
    type,
    ...(rectified === null ? {} : { rectification: replaced === null ? 'I' : 'S', rectified: [key(rectified)] }),
    ...(rectified === null || replaced === null ? {} : { replaced }),
    ...(simplified === null ? {} : { substituted: [key(simplified)] }),
    ...(operationDate === null || operationDate === date ? {} : { operationDate }),
    description: describe(facts.texts),
    ...(decimal(totals.total).abs().gte(LARGE) ? { large: 'S' } : {}),
    ...(namesRecipient(type) ? { recipients: [party(partner)] } : {}),
    details,
    ...totals,
  };
}

/** Rectifying invoices follow the kind of the other; customers without a tax id get simplified ones. */
export function invoiceType({ partner, rectified, simplified, rectificationType }: TypedBy): InvoiceType {
  if (simplified) return 'F3';
  if (rectified === null) return partner.taxId === null ? 'F2' : 'F1';
  return isSimplified(rectified.type ?? (partner.taxId === null ? 'F2' : 'F1')) ? 'R5' : (rectificationType ?? 'R1');
}

/** Whether an invoice of this type is simplified. */
export function isSimplified(type: InvoiceType): boolean {
  return type === 'F2' || type === 'R5';
}

function namesRecipient(type: InvoiceType): boolean {
  return !isSimplified(type);
}

/** A recipient or issuer, by their Spanish tax id or another one. */
export function party({ name, taxId, country }: InvoiceFacts['partner']): Party {
  const known = { name: shortened(name, MAX_NAME) };
  if (taxId === null || country === 'ES') return taxId === null ? known : { ...known, taxId };
  return { ...known, other: { country, type: hasVatNumber(country, taxId) ? '02' : '04', id: taxId } };
}

function describe(texts: readonly string[]): string {
  return shortened([...new Set(texts.map((text) => text.trim()))].join('; '), MAX_DESCRIPTION);
}

/** The amounts of an invoice that another replaces, by its taxes; surcharges only if there are any. */
export function replacedAmounts(
  taxes: readonly { readonly base: Decimal; readonly amount: Decimal; readonly surchargeAmount: Decimal }[],
): ReplacedAmounts {
  const total = (member: 'base' | 'amount' | 'surchargeAmount') => sum(taxes.map((tax) => tax[member])).toFixed(2);
  const surchargeAmount = total('surchargeAmount');
  return {
    ...{ base: total('base'), amount: total('amount') },
    ...(decimal(surchargeAmount).eq(0) ? {} : { surchargeAmount }),
  };
}

/** The amount of an invoice with its taxes, whatever its sign. */
export function absoluteTotal({ total }: Pick<Registration, 'total'>): Decimal {
  return decimal(total).abs().toFixed();
}
