/** Builds the model of a table from its columns. */
import { TenantModel } from './base.ts';
import { type Columns, instant, integer, type RowType, uuid } from './columns.ts';

/** A model with declared columns, from which its inserts, updates and reads are built. */
export interface DeclaredTable<C extends Columns = Columns> {
  readonly tableName: string;
  readonly columns: C;
  readonly isGlobal: boolean;
}

/** A row of a declared table. */
export type Row<Table extends DeclaredTable> = RowType<Table['columns']>;

type TableModel<C extends Columns> = Omit<typeof TenantModel, 'prototype' | 'columns'> &
  DeclaredTable<C> &
  (new () => TenantModel & RowType<C>);

const ID = { id: uuid() } as const;
/** Columns of versioned rows. */
const VERSIONED = { ...ID, version: integer(), createdAt: instant(), updatedAt: instant() } as const;

/**
 * A table whose rows are parts of another entity and have no version.
 * @param columns that the application writes or reads, except id and tenant
 */
export function table<C extends Columns>(tableName: string, columns: C): TableModel<typeof ID & C> {
  return declare(tableName, { ...ID, ...columns });
}

/** A table whose rows have no id either. */
export function keylessTable<C extends Columns>(tableName: string, columns: C): TableModel<C> {
  return declare(tableName, columns);
}

/**
 * A table of versioned rows, as clients see them.
 * @param columns that the application writes or reads, except id, tenant, version and times
 */
export function versionedTable<C extends Columns>(tableName: string, columns: C): TableModel<typeof VERSIONED & C> {
  return declare(tableName, { ...VERSIONED, ...columns });
}

function declare<C extends Columns>(tableName: string, columns: C): TableModel<C> {
  const exact = Object.keys(columns).filter((member) => columns[member]?.kind === 'decimal');
  abstract class Declared extends TenantModel {
    static override tableName = tableName;
    static columns = columns;
    static override decimals = exact;
  }
  return Declared as unknown as TableModel<C>;
}
