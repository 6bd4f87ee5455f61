import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { Tenant } from '../../db/models/identity.ts';
import { patchRow } from '../../db/write.ts';
import { invalidMember } from '../../domain/errors.ts';
import { isFiscalYearStart } from '../../domain/seed/fiscal-year.ts';
import type { CompanySettings } from './definitions.ts';
import { replaceSettings } from './settings.ts';

/** What must be given of a company; the rest has defaults. */
export type CompanyInput = Partial<CompanySettings> & Pick<CompanySettings, 'name' | 'taxId'>;

/** @throws ServiceError validation_failed when the fiscal year starts on a day that not every year has */
export function checkCompany(company: Partial<CompanySettings>, at = ''): void {
  if (company.fiscalYearStart !== undefined && !isFiscalYearStart(company.fiscalYearStart)) {
    throw invalidMember(`${at}/fiscalYearStart`, 'invalid_date', 'must be a day of every year, as MM-DD');
  }
}

/**
 * Replaces the company's data, and keeps the tenant's name, tax id, country and currency equal to it.
 * @throws ServiceError stale_version, validation_failed
 */
export async function replaceCompany(
  trx: Db,
  ctx: Context,
  company: CompanyInput,
  expectedVersion: number | null,
): Promise<{ readonly value: CompanySettings; readonly version: number }> {
  checkCompany(company);
  const replaced = await replaceSettings(trx, ctx, 'company', company, expectedVersion);
  const { name, taxId, country, currency } = replaced.value;
  const tenant = await Tenant.query(trx).findById(ctx.tenantId).throwIfNotFound();
  await patchRow(trx, ctx, Tenant, tenant, { name, taxId, country, currency });
  return replaced;
}
