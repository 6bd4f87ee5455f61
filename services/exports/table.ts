import type { FormatSettings } from '../settings/definitions.ts';
import type { Column } from './columns.ts';

/** A list being written to a file. Rows are pulled one batch at a time, so that memory stays small. */
export interface Table {
  /** Title of the sheet: Partner groups. */
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: AsyncIterable<readonly unknown[]>;
  readonly format: FormatSettings;
  readonly now: Date;
}
