import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { Tenant } from '../../db/models/identity.ts';
import { patchRow } from '../../db/write.ts';
import { invalidMember, ServiceError } from '../../domain/errors.ts';
import { taxIdOf } from '../../domain/identifiers.ts';
import { isFiscalYearStart } from '../../domain/seed/fiscal-year.ts';
import { type CompanySettings, DEFAULT_SETTINGS } from './definitions.ts';
import { holdFiscalYears, loadSettings, replaceSettings } from './settings.ts';

/** What must be given of a company; the rest has defaults. */
export type CompanyInput = Partial<CompanySettings> & Pick<CompanySettings, 'name' | 'taxId'>;

/**
 * Checks what the schema cannot say, and brings the tax id into its one form.
 * @param at where the company is in the request's body, for pointers
 * @throws ServiceError validation_failed when the fiscal year starts on a day that not every year has, or the tax id is none of the country
 */
export function checkedCompany(company: CompanyInput, at = ''): CompanyInput {
  if (company.fiscalYearStart !== undefined && !isFiscalYearStart(company.fiscalYearStart)) {
    throw invalidMember(`${at}/fiscalYearStart`, 'invalid_date', 'must be a day of every year, as MM-DD');
  }
  const country = company.country ?? DEFAULT_SETTINGS.company.country;
  const taxId = taxIdOf(country, company.taxId);
  if (taxId === null) throw invalidMember(`${at}/taxId`, 'invalid_format', `is no valid tax id of ${country}`);
  return { ...company, taxId };
}

/**
 * Entries belong to the fiscal year that they were made in. Whoever enters something holds its period: it is there when that is looked for, or
 * it waits, and begins again with the new start.
 * @throws ServiceError validation_failed, in_use
 */
async function checkedChange(trx: Db, company: CompanyInput): Promise<CompanyInput> {
  const checked = checkedCompany(company);
  const { fiscalYearStart } = await loadSettings(trx, 'company');
  if ((checked.fiscalYearStart ?? DEFAULT_SETTINGS.company.fiscalYearStart) === fiscalYearStart) return checked;
  await holdFiscalYears(trx);
  await trx('periods').select('id').orderBy('id').forUpdate();
  for (const table of ['journal_entries', 'fiscal_years']) {
    const used: unknown = await trx(table).first('id');
    if (used === undefined) continue;
    throw new ServiceError('in_use', `The fiscal year begins on ${fiscalYearStart}: there are entries by it already`);
  }
  return checked;
}

/**
 * Replaces the company's data, and keeps the tenant's name, tax id, country and currency equal to it.
 * @throws ServiceError stale_version, validation_failed, in_use when another start of the fiscal year would move entries to another year
 */
export async function replaceCompany(
  trx: Db,
  ctx: Context,
  company: CompanyInput,
  expectedVersion: number | null,
): Promise<{ readonly value: CompanySettings; readonly version: number }> {
  const replaced = await replaceSettings(trx, ctx, 'company', await checkedChange(trx, company), expectedVersion);
  const { name, taxId, country, currency } = replaced.value;
  const tenant = await Tenant.query(trx).findById(ctx.tenantId).throwIfNotFound();
  await patchRow(trx, ctx, Tenant, tenant, { name, taxId, country, currency });
  return replaced;
}
