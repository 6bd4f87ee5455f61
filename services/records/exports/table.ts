import type { FormatSettings } from '../../platform/settings/definitions.ts';
import type { Column } from './columns.ts';

/** A list being written to a file. Rows are pulled one batch at a time, so that memory stays small. */
export interface Table {
  /** Title of the sheet: Partner groups. */
  readonly title: string;
  /** Name of the sheet, if the title is longer than the 31 characters that Excel allows. */
  readonly sheet?: string | undefined;
  readonly columns: readonly Column[];
  readonly rows: AsyncIterable<readonly unknown[]>;
  readonly format: FormatSettings;
  readonly now: Date;
  /** Totals by column. In Excel they are formulas if they are sums. */
  readonly totals?: Readonly<Record<string, unknown>> | undefined;
  /** Whether the rows are a tree, with members `level` (from 0) and `parts` (indices of the rows that add up to it). */
  readonly tree?: boolean | undefined;
  /** Texts printed at the top of each page in Excel: left, middle, right. */
  readonly heading?: readonly [string, string, string];
}
