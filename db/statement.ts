/** A statement as connections run it. */
import type { RowForm } from './row-forms.ts';

/** A statement for the driver. Each connection parses and plans a named one only once. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
  /** What its rows are made to; objects with all columns unless given. */
  readonly form?: RowForm;
  /** It can travel with BEGIN then: should that fail, it has changed nothing. */
  readonly onlyReads?: boolean;
  /** Unique constraints whose violation is a lost race: repeating the transaction finds the other row. */
  readonly contested?: readonly string[];
}
