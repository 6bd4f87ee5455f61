/** An invoice as the ledger sees it. */
import type { Withholding } from '../documents/totals.ts';
import type { VatUse } from '../documents/vat.ts';
import type { Decimal } from '../money.ts';
import type { Deduction } from './deduction.ts';
import type { TaxOperation } from './operations.ts';

/** The accounts of one tax; those it does not name default to the company's. */
export interface TaxAccounts {
  readonly output: string;
  readonly input: string;
  readonly surcharge: string;
  readonly intraEuOutput: string;
  readonly intraEuInput: string;
}

/** In percent. */
export interface SelfCharge {
  readonly rate: Decimal;
  readonly surchargeRate: Decimal;
}

/** What decides how a line is taxed. */
export interface LineToTreat {
  readonly amount: Decimal;
  readonly operation: TaxOperation;
  /** current, investment, or none (the tax is not deductible). */
  readonly use: VatUse;
  readonly taxGroupId: string;
  /** As charged on the invoice. */
  readonly taxRate: Decimal;
  readonly surchargeRate: Decimal;
  /** The tax that the buyer self-assesses; null if none. */
  readonly selfCharge: SelfCharge | null;
  readonly deduction: Deduction;
}

export interface InvoiceLineToEnter extends LineToTreat {
  /** Account of income or expense. */
  readonly accountId: string;
  /** Of a purchase: the tax that cannot be deducted. */
  readonly lostTax: Decimal;
  readonly projectId: string | null;
  readonly costCenterId: string | null;
}

export interface ChargedTax {
  readonly taxGroupId: string;
  readonly rate: Decimal;
  readonly surchargeRate: Decimal;
  readonly amount: Decimal;
  readonly surchargeAmount: Decimal;
}

export interface InvoiceToEnter<Line extends LineToTreat = InvoiceLineToEnter> {
  readonly side: 'sales' | 'purchase';
  readonly rectifying: boolean;
  /** Decimals of amounts. */
  readonly places: number;
  readonly partnerId: string;
  readonly partnerAccountId: string;
  readonly total: Decimal;
  readonly lines: readonly Line[];
  /** One per tax, rate and surcharge of the lines. */
  readonly taxes: readonly ChargedTax[];
  readonly taxAccounts: ReadonlyMap<string, TaxAccounts>;
  /** Income tax withheld, by rate. */
  readonly withholdings: readonly (Withholding & { readonly accountId: string })[];
}
