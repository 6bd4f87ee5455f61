/** Makes a model of a table from its columns. */
import { TenantModel } from './base.ts';
import { type Columns, instant, integer, type RowType, uuid } from './columns.ts';

/** A model whose columns are declared: what inserts, updates and reads of it are made from. */
export interface DeclaredTable<C extends Columns = Columns> {
  readonly tableName: string;
  readonly columns: C;
  readonly isGlobal: boolean;
}

/** The row that a declared table holds. */
export type Row<Table extends DeclaredTable> = RowType<Table['columns']>;

type TableModel<C extends Columns> = Omit<typeof TenantModel, 'prototype' | 'columns'> &
  DeclaredTable<C> &
  (new () => TenantModel & RowType<C>);

const ID = { id: uuid() } as const;
/** Columns of what is changed in versions. */
const VERSIONED = { ...ID, version: integer(), createdAt: instant(), updatedAt: instant() } as const;

/**
 * A table whose rows are parts of another entity and have no version.
 * @param columns that the application writes or reads, except id and tenant
 */
export function table<C extends Columns>(tableName: string, columns: C): TableModel<typeof ID & C> {
  return declare(tableName, { ...ID, ...columns });
}

/** A table of what has no id either. */
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
