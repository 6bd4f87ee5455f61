/** A description, as data, of what a change will write. */

import type { Area } from '../../domain/ledger/periods/areas.ts';

/** The source of the next number. */
export type NumberSource =
  /** A series of documents, by id: prefix, padding and suffix make the code. */
  | { readonly seriesId: string }
  /** A counter by name, created with its first number. */
  | { readonly counter: string; readonly prefix: string; readonly digits: number };

/** Columns of a row, by their names in the database; absent ones are null. */
export type Columns = Readonly<Record<string, unknown>>;

/** A row that is inserted, changed or deleted. A changed row has only the columns that change. */
export interface DescribedRow {
  readonly action: 'insert' | 'update' | 'remove';
  readonly table: string;
  readonly id: string | null;
  readonly columns: Columns;
}

/** An entry that is created, or a draft that is posted, whose head is then among the other rows. */
export interface DescribedEntry {
  readonly id: string;
  readonly head: Columns | null;
  readonly lines: readonly Columns[];
}

/** A movement with its layer, which has its value. */
export interface DescribedMove {
  readonly movement: Columns;
  readonly layer: Columns | null;
}

/** A period that a change is dated in, and the areas of what it writes there. */
export interface HeldPeriod {
  readonly id: string;
  readonly areas: readonly Area[];
}

export interface ChangeDescription {
  /** The series or counter that gives the number; null if none is taken. */
  readonly number: NumberSource | null;
  /** The periods that must stay open, and for which areas. */
  readonly heldPeriods: readonly HeldPeriod[];
  readonly entries: readonly DescribedEntry[];
  readonly stockMoves: readonly DescribedMove[];
  /** All other rows. */
  readonly rows: readonly DescribedRow[];
  readonly auditRecords: readonly Columns[];
  readonly events: readonly Columns[];
  /** Steps after the rows are written, in their order. */
  readonly followUps: readonly { readonly name: string; readonly input: object }[];
}

/** A change that a preview has written, and the number that it took. */
export interface RecordedChange {
  readonly description: ChangeDescription;
  readonly code: string | null;
}
