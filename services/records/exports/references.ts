/** Codes and names of referenced records: tables for people show these where answers have ids. */
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { referredBy } from '../../../domain/locale/labels.ts';

/** The tables that id members refer to, wherever the members occur. */
const TABLES: Readonly<Record<string, string>> = {
  partnerId: 'partners',
  partner_id: 'partners',
  groupId: 'partner_groups',
  priceListId: 'price_lists',
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

/** The column used as code in tables without one. */
const CODES: Readonly<Record<string, string>> = { bank_accounts: 'iban' };

/** Maximum rows cached, which bounds the memory of long tables with many references. */
const MAX_KNOWN = 10_000;

type Row = Record<string, unknown>;

export interface Reference {
  /** The member with the id: groupId. */
  readonly member: string;
  /** The referenced record as a member with code and name: group. */
  readonly base: string;
  readonly table: string;
}

/**
 * The references of rows.
 * @param members of the rows
 * @param declared tables by member, where the name alone does not tell
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

  /** @param references the ones to add */
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
