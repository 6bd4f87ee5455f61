/** The names of companies in Temporal. They never change, so a process reads each once. */
import type { Database } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { readableId, workflowIdParts } from '../../../workflows/platform/temporal/contract.ts';

/** How a company is named in Temporal. */
export interface CompanyName {
  /** With which the ids of its workflows begin; null for a company of version 1.0.0, whose ids begin with its own. */
  readonly shortName: string | null;
  /** By which its workflows are found. */
  readonly company: string;
}

/** Companies that a process remembers. */
const REMEMBERED = 10_000;

export class CompanyNames {
  readonly #read: (tenantId: string) => Promise<CompanyName | null>;
  readonly #known = new Map<string, CompanyName>();

  constructor(read: (tenantId: string) => Promise<CompanyName | null>) {
    this.#read = read;
  }

  /** @returns null for an unknown company, which may have been deleted */
  async find(tenantId: string): Promise<CompanyName | null> {
    const known = this.#known.get(tenantId);
    if (known !== undefined) return known;
    const name = await this.#read(tenantId);
    if (name === null) return null;
    const [oldest] = this.#known.size >= REMEMBERED ? this.#known.keys() : [];
    if (oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(tenantId, name);
    return name;
  }

  /** The id in Temporal of a workflow with this id of its contract. */
  async workflowId(id: string): Promise<string> {
    const parts = workflowIdParts(id);
    return parts === null ? id : readableId(id, (await this.find(parts.tenantId))?.shortName ?? null);
  }

  /** Whether a workflow with this id in Temporal belongs to the company. */
  async isOwn(workflowId: string, tenantId: string): Promise<boolean> {
    if (workflowId.startsWith(`${tenantId}/`)) return true;
    const shortName = (await this.find(tenantId))?.shortName ?? null;
    return shortName !== null && workflowId.startsWith(`${shortName}/`);
  }
}

/** The names of the companies of this database. */
export function companyNames(database: Database): CompanyNames {
  return new CompanyNames((tenantId) =>
    database.readTenant({ tenantId }, async (db) => {
      const [row] = await query<CompanyName>(
        db,
        'select short_name as "shortName", coalesce(short_name, slug) as company from tenants where id = :tenantId::uuid',
        { tenantId },
      );
      return row ?? null;
    }),
  );
}
