/** The declaration of a model that is filed (decision 0347). */
import type { Reader } from '../../../db/database.ts';
import type { EntryLine } from '../../../domain/ledger/accounting/entries.ts';
import type { BoxValues } from '../../../domain/ledger/tax-returns/boxes.ts';
import type { TaxModel } from '../../../domain/ledger/tax-returns/models.ts';
import type { TaxPeriod } from '../../../domain/ledger/tax-returns/periods.ts';
import type { Entered, SettlementAccounts } from '../../../domain/ledger/tax-returns/settlement.ts';
import type { Decimal } from '../../../domain/money.ts';
import type { TaxSet } from '../../../domain/trade/documents/tax-sets.ts';
import type { Span } from '../accounting/balances/read.ts';
import type { FilingOptions } from './credit-returns.ts';
import type { Details } from './declared.ts';
import type { FiledReturn } from './filed.ts';
import type { AccountTotal } from './taxes.ts';

export interface ComputedReturn {
  readonly boxes: BoxValues;
  readonly type: FiledReturn['type'];
  readonly result: Decimal;
  /** Credit to compensate in later periods. */
  readonly carry: Decimal;
  /** Taxes that the return settles, by account. */
  readonly totals: readonly AccountTotal[];
  readonly details: Details;
}

/** Amounts that returns of a model take from earlier ones, so that they are filed in order and without gaps. */
export interface Carried {
  /** The box by which the first return states what earlier ones, filed elsewhere, carry over to it. */
  readonly box: string;
  /** Whether it begins anew each year. */
  readonly yearly: boolean;
  /** The first month in which the books have something that the model declares; null if there is none. */
  firstActivity(reader: Reader, tenantId: string, days: Span): Promise<string | null>;
}

/** An entry that moves the taxes of a return to what is owed to the agency, or by it. */
export interface Settlement {
  readonly title: string;
  /** @param entered by the earlier returns of the period, if the return rectifies them; else null */
  lines(computed: ComputedReturn, accounts: SettlementAccounts, entered: readonly Entered[] | null): EntryLine[];
}

export interface ModelDefinition {
  /** Periods that it accepts. */
  readonly periods: readonly string[];
  /** Boxes that a person may state, and those of them that contain a number of people. */
  readonly statable: ReadonlySet<string>;
  readonly counts: ReadonlySet<string>;
  /** Whether it declares tax that accrues, also on the cash basis. */
  readonly accrues: boolean;
  /** The entry by which it settles taxes; null if it has none. */
  readonly settlement: Settlement | null;
  /** Whether it may request a refund. */
  readonly refunds: boolean;
  /** Whether only sole traders file it. */
  readonly personal: boolean;
  /** The indirect tax that it is of, which other companies have nothing of; null if it is of none. */
  readonly taxSet: TaxSet | null;
  /** null if returns are independent of one another. */
  readonly carries: Carried | null;
  /** The model whose returns of the year it adds up; null if it is no annual summary. */
  readonly summarizes: TaxModel | null;
  compute(
    reader: Reader,
    tenantId: string,
    period: TaxPeriod,
    options: FilingOptions,
  ): Promise<Partial<ComputedReturn> & Pick<ComputedReturn, 'boxes' | 'type' | 'result'>>;
}
