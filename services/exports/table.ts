import type { FormatSettings } from '../settings/definitions.ts';
import type { Column } from './columns.ts';

/** A list on its way into a file. Rows come as they are asked for, so that memory stays small. */
export interface Table {
  /** In words, for the sheet: Partner groups. */
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: AsyncIterable<readonly unknown[]>;
  readonly format: FormatSettings;
  readonly now: Date;
}
