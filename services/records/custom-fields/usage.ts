/** Counts records that have values of a custom field. */
import type { Db } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import type { CustomFieldTable } from '../../../domain/records/custom-fields.ts';
import { DOC_TYPES, DOCUMENT_TYPES } from '../../../domain/trade/documents/types.ts';

const TABLES: Readonly<Partial<Record<CustomFieldTable, string>>> = {
  Item: 'items',
  BusinessPartner: 'partners',
  Warehouse: 'warehouses',
  Employee: 'employees',
};

/** SQL of the records of a kind that have a value under `:key`; undefined for kinds without custom fields. */
function recordsWithValue(table: CustomFieldTable): string | undefined {
  const docType = DOC_TYPES.find((code) => DOCUMENT_TYPES[code].entityType === table);
  if (docType !== undefined) return `documents r where r.doc_type = '${docType}' and jsonb_exists(r.custom, :key)`;
  const master = TABLES[table];
  return master && `${master} r where jsonb_exists(r.custom, :key)`;
}

/** Counts the records that have a value. */
export async function countValues(db: Db, table: CustomFieldTable, key: string): Promise<number> {
  const records = recordsWithValue(table);
  if (records === undefined) return 0;
  const [row] = await query<{ count: number }>(db, `select count(*) as count from ${records}`, { key });
  return Number(row?.count);
}

/** Counts the records that have each of the options. */
export async function countOptions(db: Db, table: CustomFieldTable, key: string): Promise<Map<string, number>> {
  const records = recordsWithValue(table);
  if (records === undefined) return new Map();
  const rows = await query<{ option: string; count: number }>(
    db,
    `select o.option, count(*) as count
     from (select case jsonb_typeof(r.custom -> :key) when 'array' then r.custom -> :key else jsonb_build_array(r.custom -> :key)
       end as chosen
           from ${records}) v
     cross join lateral jsonb_array_elements_text(v.chosen) as o(option) group by 1`,
    { key },
  );
  return new Map(rows.map(({ option, count }) => [option, Number(count)]));
}
