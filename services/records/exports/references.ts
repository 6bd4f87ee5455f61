/** Looks up codes and names of referenced records, which tables for people show instead of ids. */
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { referredBy } from '../../../domain/locale/labels.ts';

/** Tables that id members refer to, wherever these members occur. */
const TABLES: Readonly<Record<string, string>> = {
  partnerId: 'partners',
  partner_id: 'partners',
  groupId: 'partner_groups',
  priceListId: 'price_lists',
  basisPriceListId: 'price_lists',
  partnerGroupId: 'partner_groups',
  promotionId: 'promotions',
  componentId: 'items',
  supplierId: 'partners',
  salespersonId: 'salespeople',
  employeeId: 'employees',
  paymentTermsId: 'payment_terms',
  itemId: 'items',
  uomId: 'uoms',
  warehouseId: 'warehouses',
  toWarehouseId: 'warehouses',
  zoneId: 'zones',
  toZoneId: 'zones',
  periodId: 'periods',
  projectId: 'projects',
  costCenterId: 'cost_centers',
  bank_account_id: 'bank_accounts',
};

/** The table that an id member refers to by its name, in any record; undefined for others. */
export function referredTable(member: string): string | undefined {
  if (Object.hasOwn(TABLES, member)) return TABLES[member];
  if (/^(sales|purchase)?taxGroupId$/i.test(member)) return 'taxes';
  if (/AccountId$|^accountId$|^account_id$/.test(member)) return 'accounts';
  return member === 'categoryId' ? 'categories' : undefined;
}

/** Columns used as the code in tables without one. */
const CODES: Readonly<Record<string, string>> = {
  bank_accounts: 'iban',
  budgets: 'fiscal_year::text',
  group_companies: 'company_id::text',
};

/** Maximum number of cached rows, which bounds the memory for long tables with many references. */
const MAX_KNOWN = 10_000;

type Row = Record<string, unknown>;

export interface Reference {
  /** Member with the id: groupId. */
  readonly member: string;
  /** Member with code and name of the referenced record: group. */
  readonly base: string;
  readonly table: string;
}

/**
 * Finds the references in rows.
 * @param members the members of the rows
 * @param declared tables by member, where its name is not enough
 */
export function referencesIn(
  members: readonly string[],
  declared: Readonly<Record<string, string | undefined>> = {},
): Reference[] {
  return members.flatMap((member) => {
    const table = declared[member] ?? TABLES[member];
    const base = referredBy(member);
    return table === undefined || members.includes(base) ? [] : [{ member, base, table }];
  });
}

/** Adds code and name of referenced records to rows, a batch at a time. */
export class Lookup {
  readonly #reader: Reader;
  readonly #references: readonly Reference[];
  readonly #known = new Map<string, Row>();

  /** @param references the references to look up */
  constructor(reader: Reader, references: readonly Reference[]) {
    this.#reader = reader;
    this.#references = references;
  }

  async complete(rows: readonly unknown[]): Promise<unknown[]> {
    if (this.#references.length === 0) return [...rows];
    if (this.#known.size > MAX_KNOWN) this.#known.clear();
    for (const table of new Set(this.#references.map((reference) => reference.table))) await this.#find(table, rows);
    return rows.map((row) => {
      const shown = this.#references.map(({ member, base }) => [base, this.#known.get(String((row as Row)[member]))]);
      return { ...(row as Row), ...Object.fromEntries(shown) };
    });
  }

  async #find(table: string, rows: readonly unknown[]): Promise<void> {
    const members = this.#references.filter((reference) => reference.table === table).map(({ member }) => member);
    const ids = new Set(rows.flatMap((row) => members.map((member) => (row as Row)[member])));
    const missing = [...ids].filter((id): id is string => typeof id === 'string' && !this.#known.has(id));
    if (missing.length === 0) return;
    const found = await query<{ id: string }>(
      this.#reader,
      `select id, ${CODES[table] ?? 'code'} as code, name from ${table} where id = any(:ids::uuid[])`,
      { ids: missing },
    );
    for (const row of found) this.#known.set(row.id, row);
  }
}
