/** An issued invoice as data: what Facturae, UBL and CII are written from. Amounts have the invoice's sign. */
import type { Language } from '../../locale/formats.ts';
import type { Decimal } from '../../money.ts';
import type { Mentioned } from '../documents/mentions.ts';
import type { RectificationType } from '../documents/rectifications.ts';
import type { TaxSet } from '../documents/tax-sets.ts';
import type { PaymentMethod } from '../payments/types.ts';

export interface PartyData {
  readonly name: string;
  /** Normalized; null if unknown. */
  readonly taxId: string | null;
  /** ISO 3166 code of two letters. */
  readonly country: string;
  readonly street: string | null;
  readonly zipCode: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

/** An office of a public body that takes part in an invoice (directory DIR3). */
export interface AdministrativeCentre {
  /** Code in the directory, such as L01280796. */
  readonly code: string;
  /** 01 accounting office, 02 managing body, 03 processing unit, 04 proposing body. */
  readonly role: '01' | '02' | '03' | '04';
}

export interface BuyerData extends PartyData {
  readonly centres: readonly AdministrativeCentre[];
}

export interface LineData {
  readonly code: string | null;
  readonly description: string;
  readonly quantity: Decimal;
  /** Code of its unit as the company names it. */
  readonly unit: string | null;
  readonly price: Decimal;
  /** 0 for none; null: discounts that are no percentage. */
  readonly discountPercent: Decimal | null;
  /** The line's share of a charge for the whole document, without tax. */
  readonly charge: Decimal;
  /** After discounts and charges, without tax. */
  readonly amount: Decimal;
  readonly taxRate: Decimal;
  readonly surchargeRate: Decimal;
  /** 0 for none. */
  readonly withholdingRate: Decimal;
  /** Why it bears no VAT; null if it does. */
  readonly mention: Mentioned | null;
  /** Delivery note that it invoices. */
  readonly note: { readonly number: string; readonly date: string } | null;
}

/** The sum of the lines that are taxed alike. */
export interface TaxData {
  readonly rate: Decimal;
  readonly base: Decimal;
  readonly amount: Decimal;
  readonly surchargeRate: Decimal;
  readonly surchargeAmount: Decimal;
  readonly mention: Mentioned | null;
}

export interface InvoiceData {
  /** As printed. */
  readonly number: string;
  /** The part of the number that its series gives, if it begins with one. */
  readonly prefix: string;
  readonly date: string;
  readonly operationDate: string | null;
  readonly currency: string;
  /** Tax in the currency in which the seller declares it, if that is another. */
  readonly declaredTax: { readonly currency: string; readonly amount: Decimal } | null;
  readonly language: Language;
  /** Whether the seller is in Spain, whose laws are cited. */
  readonly spanish: boolean;
  /** The indirect tax that it charges. */
  readonly taxSet: TaxSet;
  readonly seller: PartyData;
  readonly buyer: BuyerData;
  /** The invoice that it rectifies; null if it is none. */
  readonly rectified: { readonly number: string; readonly prefix: string; readonly date: string } | null;
  readonly reason: string | null;
  readonly rectificationType: RectificationType | null;
  /** Whether it takes the place of the rectified one; otherwise it states the difference. */
  readonly substitutes: boolean;
  /** Reference of the customer's own, such as the number of their order. */
  readonly reference: string | null;
  /** Whether VAT is due as it is paid. */
  readonly cashBasis: boolean;
  /** Other member states whose tax it bears, by the Union scheme. */
  readonly consumptionStates: readonly string[];
  readonly lines: readonly LineData[];
  readonly taxes: readonly TaxData[];
  readonly withholdings: readonly { readonly rate: Decimal; readonly base: Decimal; readonly amount: Decimal }[];
  readonly totals: {
    /** Σ amounts of lines. */
    readonly net: Decimal;
    /** Taxes and surcharges. */
    readonly tax: Decimal;
    readonly withheld: Decimal;
    /** net + tax − withheld */
    readonly total: Decimal;
  };
  readonly instalments: readonly { readonly dueDate: string; readonly amount: Decimal }[];
  readonly payment: {
    readonly method: PaymentMethod | null;
    /** The seller's account, to be paid to. */
    readonly iban: string | null;
    readonly bic: string | null;
    /** The buyer's account, to be debited. */
    readonly debitedIban: string | null;
  };
  readonly notes: string | null;
  /** Where anybody can look it up at the tax agency. */
  readonly qrUrl: string | null;
}
