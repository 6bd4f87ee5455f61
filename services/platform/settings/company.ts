import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { Tenant } from '../../../db/models/access/access.ts';
import { Period } from '../../../db/models/records/master-data.ts';
import { patchRow } from '../../../db/write.ts';
import { invalidMember, ServiceError } from '../../../domain/errors.ts';
import { normalizeTaxId } from '../../../domain/identifiers.ts';
import { isFiscalYearStart } from '../../../domain/ledger/periods/fiscal-year.ts';
import { currencyFor } from '../../../domain/locale/country-currencies.ts';
import { type CompanySettings, DEFAULT_SETTINGS } from './definitions.ts';
import { loadSettings, lockFiscalYears, replaceSettings } from './settings.ts';

/** The country whose chart of accounts, taxes and tax models the service has. */
export const SPAIN = 'ES';

/** Settings of a new company: name and tax id are required, the rest has defaults. */
export type CompanyInput = Partial<CompanySettings> & Pick<CompanySettings, 'name' | 'taxId'>;

/** The same, with the code of its chart of accounts: by default that of its country. */
export type NewCompany = CompanyInput & { readonly chart?: string };

/**
 * Checks what the schema cannot express, and normalizes the tax id.
 * @param at the company's pointer in the request body
 * @throws ServiceError validation_failed if the fiscal year starts on a day that not every year has, or the tax id is invalid in the
 * country, or the indirect tax is not of it
 */
export function checkedCompany<Input extends CompanyInput>(company: Input, at = ''): Input {
  if (company.fiscalYearStart !== undefined && !isFiscalYearStart(company.fiscalYearStart)) {
    throw invalidMember(`${at}/fiscalYearStart`, 'invalid_date', 'must be a day that every year has, as MM-DD');
  }
  const country = company.country ?? DEFAULT_SETTINGS.company.country;
  if (company.taxSet !== undefined && company.taxSet !== 'vat' && country !== SPAIN)
    throw invalidMember(`${at}/taxSet`, 'not_applicable', 'must be vat because the company is not in Spain');
  const taxId = normalizeTaxId(country, company.taxId);
  if (taxId === null) throw invalidMember(`${at}/taxId`, 'invalid_format', `must be a valid tax id of ${country}`);
  return { ...company, taxId };
}

/**
 * Checks a change of the fiscal year's start: entries must stay in the fiscal year in which they were posted. A transaction that posts an
 * entry locks its period: either its entry is visible here, or it waits and starts over with the new fiscal year.
 * @throws ServiceError validation_failed, in_use
 */
async function checkedChange(trx: Db, ctx: Context, company: CompanyInput): Promise<CompanyInput> {
  const { fiscalYearStart, currency, taxSet } = await loadSettings(trx, 'company');
  const usual = currencyFor(company.country ?? DEFAULT_SETTINGS.company.country) ?? currency;
  const checked = checkedCompany({ taxSet, currency: usual, ...company });
  if (checked.currency !== currency)
    await assertNoAmounts(
      trx,
      `The currency cannot change from ${currency} because documents, payments or entries have amounts in it`,
    );
  if (checked.taxSet !== taxSet)
    await assertNoAmounts(
      trx,
      `The indirect tax cannot change from ${taxSet} because there are documents, payments or entries`,
    );
  if ((checked.fiscalYearStart ?? DEFAULT_SETTINGS.company.fiscalYearStart) === fiscalYearStart) return checked;
  await lockFiscalYears(trx, ctx);
  await Period.query(trx).select('id').orderBy('id').forUpdate();
  for (const table of ['journal_entries', 'fiscal_years']) {
    const used: unknown = await trx(table).first('id');
    if (used === undefined) continue;
    throw new ServiceError(
      'in_use',
      `The fiscal year cannot start on another day than ${fiscalYearStart} because entries are posted by it`,
    );
  }
  return checked;
}

/** @throws ServiceError in_use, because amounts would change their meaning */
async function assertNoAmounts(trx: Db, message: string): Promise<void> {
  await Period.query(trx).select('id').orderBy('id').forUpdate();
  for (const table of ['journal_entries', 'documents', 'payments']) {
    const used: unknown = await trx(table).first('id');
    if (used === undefined) continue;
    throw new ServiceError('in_use', message);
  }
}

/**
 * Replaces the company's data, and copies name, tax id, country and currency to the tenant.
 * @throws ServiceError stale_version, validation_failed; in_use if another start of the fiscal year would move entries to another year,
 * or another currency or indirect tax would change what amounts mean
 */
export async function replaceCompany(
  trx: Db,
  ctx: Context,
  company: CompanyInput,
  expectedVersion: number | null,
): Promise<{ readonly value: CompanySettings; readonly version: number }> {
  const replaced = await replaceSettings(trx, ctx, 'company', await checkedChange(trx, ctx, company), expectedVersion);
  const { name, taxId, country, currency } = replaced.value;
  const tenant = await Tenant.query(trx).findById(ctx.tenantId).throwIfNotFound();
  await patchRow(trx, ctx, Tenant, tenant, { name, taxId, country, currency });
  return replaced;
}
