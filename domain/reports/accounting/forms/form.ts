/** The form of the annual accounts that goes with a chart: the headings of balance sheet and profit and loss account. */
import type { AccountType } from '../../../ledger/accounting/charts/chart.ts';
import type { Texts } from '../../engine/texts.ts';
import { group, type Heading, HeadingIndex, heading } from '../headings.ts';

/** A section of the profit and loss account: headings with accounts, or the sum of sections above. */
export interface Section extends Heading {
  /** Codes of the sections that it adds up. */
  readonly adds?: readonly string[];
}

/** Columns of the statement of changes in equity, by codes of headings; those not named are reserves and results (decision 0361). */
export interface EquityColumns {
  /** The heading of equity: those below it that add up no others are the columns. */
  readonly heading: string;
  /** Subscribed capital and premiums. */
  readonly capital: readonly string[];
  /** Own shares, contributions, interim dividends and other dealings with partners. */
  readonly partners: readonly string[];
  /** Income and expense recognised in equity. */
  readonly recognised: readonly string[];
  /** Beginnings of the accounts in which results and reserves are paid out: partners, the tax withheld from them, and money. */
  readonly paidTo: readonly string[];
}

/** Declared by each form. */
export interface FormHeadings {
  readonly name: Texts;
  readonly assets: Heading;
  /** The code of the heading of intangible assets, which has the goodwill of a group too. */
  readonly intangible: string;
  readonly equityAndLiabilities: Heading;
  /** The year's result: its account, and income and expense not closed yet. */
  readonly result: Heading;
  /** Includes results of earlier years that are not closed yet. */
  readonly earlierResults: Heading;
  readonly equity: EquityColumns;
  /** From the turnover to the result of the year, which is the last. */
  readonly sections: readonly Section[];
  /** Headings of accounts that the form does not name, by their type; shown apart, unless they are part of the form. */
  readonly others: Readonly<Record<AccountType, Heading>>;
  /** Whether an account is on a side of the balance sheet only if its type is. */
  readonly typed?: boolean;
}

/** A form, with its headings by the codes of accounts. */
export interface Form extends FormHeadings {
  readonly onAssets: HeadingIndex;
  readonly onLiabilities: HeadingIndex;
  readonly inResult: HeadingIndex;
}

export function form(headings: FormHeadings): Form {
  return {
    ...headings,
    onAssets: new HeadingIndex([headings.assets]),
    onLiabilities: new HeadingIndex([headings.equityAndLiabilities]),
    inResult: new HeadingIndex(headings.sections),
  };
}

/** A heading in the language of its chart, for every reader, as the names of accounts are. */
export function own(code: string, name: string, accounts = ''): Heading {
  return heading(code, name, name, accounts);
}

/** The same for a heading that adds up others. */
export function ownGroup(code: string, name: string, children: readonly Heading[]): Heading {
  return group(code, name, name, children);
}

/** Headings of accounts that a form does not name, shown apart because the sheet must balance. */
export function unnamed(es: string, en: string): FormHeadings['others'] {
  const [asset, liability, result] = [heading('0', es, en), heading('0', es, en), heading('0', es, en)];
  return { asset, liability, equity: liability, income: result, expense: result };
}
