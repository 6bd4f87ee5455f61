/** Records of Veri*factu: what is reported of each invoice (Orden HAC/1177/2024, arts. 10 and 11; lists L1 to L17 of its annex). */
import type { Decimal } from '../../money.ts';

/** F1 full, F2 simplified, F3 full in place of simplified ones; R1 to R5 rectifying, R5 of a simplified one. */
export const INVOICE_TYPES = ['F1', 'F2', 'F3', 'R1', 'R2', 'R3', 'R4', 'R5'] as const;
export type InvoiceType = (typeof INVOICE_TYPES)[number];
/** S1 taxed, S2 reverse charge, N1 not subject, N2 not subject by the rules of place. */
export type Qualification = 'S1' | 'S2' | 'N1' | 'N2';
/** Exempt by LIVA arts. 20 (E1), 21 (E2), 22 (E3), 23 and 24 (E4), 25 (E5), another (E6). */
export type Exemption = 'E1' | 'E2' | 'E3' | 'E4' | 'E5' | 'E6';

/** The identity of an invoice at the tax agency. */
export interface InvoiceKey {
  /** Tax id of the issuer. */
  readonly issuer: string;
  /** Series and number as printed. */
  readonly number: string;
  /** Date of issue. */
  readonly date: string;
}

/** Somebody without a Spanish tax id: 02 EU VAT number, 03 passport, 04 id of the country, 05 residence, 06 other, 07 not in the census. */
export interface OtherId {
  /** ISO code; may be absent for an EU VAT number. */
  readonly country?: string;
  readonly type: '02' | '03' | '04' | '05' | '06' | '07';
  readonly id: string;
}

export interface Party {
  readonly name: string;
  readonly taxId?: string;
  readonly other?: OtherId;
}

/** The sum of what is taxed alike; amounts have two decimals. */
export interface Detail {
  /** 01 VAT, 02 IPSI, 03 IGIC, 05 others. */
  readonly tax: '01' | '02' | '03' | '05';
  /** Key of the regime (lists L8A and L8B), for example 01 general, 02 export. */
  readonly regime?: string;
  readonly qualification?: Qualification;
  readonly exemption?: Exemption;
  readonly rate?: Decimal;
  /** Taxable base, or what is not subject. */
  readonly base: Decimal;
  readonly amount?: Decimal;
  readonly surchargeRate?: Decimal;
  readonly surchargeAmount?: Decimal;
}

/** Amounts of an invoice that another one replaces. */
export interface ReplacedAmounts {
  readonly base: Decimal;
  readonly amount: Decimal;
  readonly surchargeAmount?: Decimal;
}

/** The record of an invoice (registro de alta). */
export interface Registration {
  readonly invoice: InvoiceKey;
  /** Own id of the record, which the agency's answer repeats. */
  readonly reference?: string;
  readonly issuerName: string;
  /** Whether it mends an earlier record of the invoice. */
  readonly correction?: 'S';
  /** Whether the agency refused that record: S, or X if it never had one. */
  readonly rejected?: 'S' | 'X';
  readonly type: InvoiceType;
  /** Whether a rectifying invoice replaces the other's amounts (S), or differs by its own (I). */
  readonly rectification?: 'S' | 'I';
  readonly rectified?: readonly InvoiceKey[];
  readonly substituted?: readonly InvoiceKey[];
  readonly replaced?: ReplacedAmounts;
  /** Date of supply, if another than that of issue. */
  readonly operationDate?: string;
  readonly description: string;
  /** Whether a simplified one names its recipient, to let them deduct (RD 1619/2012, arts. 7.2 and 7.3). */
  readonly qualifiedSimplified?: 'S';
  /** Whether a full one need not name its recipient (RD 1619/2012, art. 6.1.d). */
  readonly withoutRecipient?: 'S';
  /** Whether it is of 100 million or more. */
  readonly large?: 'S';
  /** Who issued it for the company: the recipient (D) or a third party (T). */
  readonly issuedBy?: 'D' | 'T';
  readonly thirdParty?: Party;
  readonly recipients?: readonly Party[];
  readonly details: readonly Detail[];
  /** Taxes and surcharges. */
  readonly taxTotal: Decimal;
  /** Bases and taxes, before withholding. */
  readonly total: Decimal;
}

/** The record of an invoice that should never have been issued (registro de anulación). */
export interface Annulment {
  readonly invoice: InvoiceKey;
  readonly reference?: string;
  /** Whether the agency has no record of the invoice. */
  readonly withoutRecord?: 'S';
  /** Whether it refused an earlier annulment. */
  readonly rejected?: 'S';
}

/** The program, as in its declaración responsable (Orden HAC/1177/2024, art. 15). */
export interface Program {
  readonly makerName: string;
  readonly makerTaxId: string;
  readonly name: string;
  /** Two characters. */
  readonly code: string;
  readonly version: string;
  /** Never used twice for a company. */
  readonly installation: string;
  readonly onlyVerifactu: 'S' | 'N';
  readonly severalCompanies: 'S' | 'N';
  /** Whether it has several companies now. */
  readonly hasSeveral: 'S' | 'N';
}

/** The place of a record in the chain of its company and installation. */
export interface Link {
  /** The record before it; absent for the first one. */
  readonly previous?: InvoiceKey & { readonly hash: string };
  /** Time with seconds and offset: 2026-11-20T10:01:00+01:00. */
  readonly generatedAt: string;
  /** 64 hexadecimal digits, upper case. */
  readonly hash: string;
}

export type Recorded =
  | { readonly kind: 'registration'; readonly record: Registration; readonly link: Link }
  | { readonly kind: 'annulment'; readonly record: Annulment; readonly link: Link };
