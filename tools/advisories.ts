/** Known vulnerabilities of packages, as the database of osv.dev answers them. */

export interface Advisory {
  readonly id: string;
  /** LOW, MODERATE, HIGH or CRITICAL; undefined if the advisory does not say. */
  readonly severity: string | undefined;
  readonly packages: readonly string[];
}

/** Sends JSON, or only asks if there is none, and returns the answer's. @throws Error if there is none */
export type Ask = (path: string, body?: unknown) => Promise<unknown>;

/** Maximum packages of a question, a limit of the database. */
const PER_QUESTION = 1000;
/** Advisories whose severity is asked for: more at once are a failure anyway. */
const MAX_DETAILS = 100;
const GRAVE: ReadonlySet<string | undefined> = new Set(['HIGH', 'CRITICAL', undefined]);

/**
 * Finds the advisories about packages.
 * @param purls package URLs with versions, such as `pkg:npm/koa@3.0.0`
 * @throws Error when the database does not answer, or not as it should
 */
export async function findAdvisories(ask: Ask, purls: readonly string[]): Promise<Advisory[]> {
  const packages = new Map<string, string[]>();
  for (let first = 0; first < purls.length; first += PER_QUESTION) {
    const asked = purls.slice(first, first + PER_QUESTION);
    const { results } = (await ask('/v1/querybatch', { queries: asked.map((purl) => ({ package: { purl } })) })) as {
      results?: readonly { readonly vulns?: readonly { readonly id: string }[] }[];
    };
    if (results?.length !== asked.length) throw new Error('the answer does not fit the question');
    for (const [index, { vulns = [] }] of results.entries()) {
      for (const { id } of vulns) packages.set(id, [...(packages.get(id) ?? []), asked[index] as string]);
    }
  }
  const advisories: Advisory[] = [];
  for (const [id, affected] of packages) {
    const severity = advisories.length < MAX_DETAILS ? await readSeverity(ask, id) : undefined;
    advisories.push({ id, severity, packages: affected });
  }
  return advisories;
}

/** Whether an advisory fails the audit: high, critical, or nobody knows. */
export function isGrave({ severity }: Advisory): boolean {
  return GRAVE.has(severity);
}

async function readSeverity(ask: Ask, id: string): Promise<string | undefined> {
  const found = (await ask(`/v1/vulns/${encodeURIComponent(id)}`)) as { database_specific?: { severity?: string } };
  return found.database_specific?.severity;
}
