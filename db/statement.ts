/** The interface of statements that connections run. */
import type { RowForm } from './row-forms.ts';

/** A statement for the driver. Each connection parses and plans a named one only once. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
  /** Form of its rows; defaults to objects with all columns. */
  readonly form?: RowForm;
  /** Whether it changes nothing, so that it can travel with BEGIN, which may fail. */
  readonly onlyReads?: boolean;
  /** Unique constraints whose violation is a lost race: repeating the transaction finds the other row. */
  readonly contested?: readonly string[];
}
