/** Data of an invoice that its ledger entry needs. */

import type { Decimal } from '../../money.ts';
import type { MarginTax } from '../../trade/documents/margin.ts';
import type { SelfCharge, TaxOperation } from '../../trade/documents/operations.ts';
import type { Withholding } from '../../trade/documents/totals.ts';
import type { VatUse } from '../../trade/documents/vat.ts';
import type { PendingAccounts } from './cash-basis.ts';

/** The accounts of a tax; missing ones default to the company's. */
export interface TaxAccounts {
  readonly output: string;
  readonly input: string;
  readonly surcharge: string;
  readonly intraEuOutput: string;
  readonly intraEuInput: string;
}

/** How a line's tax is deducted. */
export interface Deduction {
  /** The line's own percentage; 0 if nothing can be deducted. */
  readonly own: Decimal;
  /** Whether the pro rata reduces it further. */
  readonly common: boolean;
}

/** Data that decide how a line is taxed. */
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
  /** Sales under the margin scheme only: the tax that the amount contains. */
  readonly margin?: MarginTax | null;
  /** Account of income or expense. */
  readonly accountId: string;
  /** Purchases only: tax that cannot be deducted. */
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
  /** Decimal places of amounts. */
  readonly places: number;
  readonly partnerId: string;
  readonly partnerAccountId: string;
  readonly total: Decimal;
  readonly lines: readonly Line[];
  /** One per combination of tax, rate and surcharge. */
  readonly taxes: readonly ChargedTax[];
  readonly taxAccounts: ReadonlyMap<string, TaxAccounts>;
  /** Where taxes of the cash basis are pending; null if the invoice is not under it. */
  readonly pending?: PendingAccounts | null;
  /** Income tax withheld, by rate. */
  readonly withholdings: readonly (Withholding & { readonly accountId: string })[];
}
