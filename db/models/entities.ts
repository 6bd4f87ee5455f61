/** The audit log's names of what the tables hold. */
import { pascalCase } from '../../domain/words.ts';
import * as accounting from './accounting.ts';
import * as catalogue from './catalogue.ts';
import * as masterData from './master-data.ts';
import * as stock from './stock.ts';

/** Models whose entity name is not derived from the table's. */
const NAMED = new Map(
  [masterData, catalogue, stock, accounting].flatMap((models) =>
    Object.values(models).map((model): [string, string] => [model.tableName, model.entityType]),
  ),
);

/** What a row of a table is called: BusinessPartner of partners, else the table's own name, such as StockMovement. */
export function entityTypeOf(table: string): string {
  const singular = table.replace(/ies$/, 'y').replace(/s$/, '');
  return NAMED.get(table) ?? pascalCase(singular);
}
