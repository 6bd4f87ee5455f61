/** Entity names of tables in the audit log. */
import { pascalCase } from '../../domain/words.ts';
import * as accounting from './ledger/accounting.ts';
import * as catalogue from './records/catalogue.ts';
import * as masterData from './records/master-data.ts';
import * as stock from './trade/stock.ts';

/** Models whose entity name is not derived from the table's. */
const NAMED = new Map(
  [masterData, catalogue, stock, accounting].flatMap((models) =>
    Object.values(models).map((model): [string, string] => [model.tableName, model.entityType]),
  ),
);

/**
 * Entity type of a table's rows: BusinessPartner for partners, else the singular of the table's name, such as
 * StockMovement.
 */
export function entityType(table: string): string {
  const singular = table.replace(/ies$/, 'y').replace(/s$/, '');
  return NAMED.get(table) ?? pascalCase(singular);
}
