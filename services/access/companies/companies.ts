import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { switchScope } from '../../../db/database.ts';
import { lockName } from '../../../db/locks.ts';
import { Membership, Tenant, type User } from '../../../db/models/access/access.ts';
import { query } from '../../../db/sql.ts';
import { insertRow } from '../../../db/write.ts';
import { regionFor } from '../../../domain/access/companies/regions.ts';
import { freeShortName, MAX_SHORT_NAME, shortNameFrom } from '../../../domain/access/companies/short-name.ts';
import { slugify } from '../../../domain/access/companies/slug.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { isPersonsTaxId } from '../../../domain/identifiers.ts';
import { chartFor } from '../../../domain/ledger/accounting/charts/index.ts';
import { currencyFor } from '../../../domain/locale/country-currencies.ts';
import { taxSetFor } from '../../../domain/trade/documents/tax-sets.ts';
import { checkedCompany, type NewCompany, SPAIN } from '../../platform/settings/company.ts';
import { DEFAULT_SETTINGS } from '../../platform/settings/definitions.ts';
import { replaceSettings } from '../../platform/settings/settings.ts';
import { heldRole } from '../roles/held.ts';
import { seedCompany } from './seed-company.ts';

/**
 * Creates a company with its initial data, but no members. `ctx.tenantId` becomes its id, and the transaction is in its scope afterwards.
 * @param options.founderId the account among whose companies it counts; by default that of `ctx`
 * @param options.at JSON pointer of the company in the request body
 * @throws ServiceError validation_failed
 */
export async function createCompany(
  trx: Db,
  ctx: Context,
  input: NewCompany,
  { founderId = ctx.userId, at = '' }: { readonly founderId?: string | null; readonly at?: string } = {},
): Promise<Tenant> {
  const checked = checkedCompany(input, at);
  const { country, fiscalYearStart, zipCode } = { ...DEFAULT_SETTINGS.company, ...checked };
  const currency = checked.currency ?? currencyFor(country);
  if (currency === undefined)
    throw invalidMember(`${at}/currency`, 'required', `must be given because ${country} has no currency of its own`);
  const company = { ...checked, currency };
  const taxSet = company.taxSet ?? taxSetFor(country, zipCode);
  const { chart = chartFor(country).code } = input;
  const format = { ...DEFAULT_SETTINGS.format, ...(country === SPAIN ? {} : regionFor(country)) };
  await switchScope(trx, 'system');
  const slug = await freeSlug(trx, company.name, ctx.tenantId);
  const { name, taxId } = company;
  const shortName = await findShortName(trx, name);
  const values = { id: ctx.tenantId, name, slug, shortName, taxId, country, currency, founderId };
  const tenant = await insertRow(trx, ctx, Tenant, values);
  await replaceSettings(trx, ctx, 'company', { ...company, taxSet });
  if (isPersonsTaxId(country, taxId)) await replaceSettings(trx, ctx, 'tax', { taxpayer: 'sole_trader' });
  await replaceSettings(trx, ctx, 'format', format);
  await replaceSettings(trx, ctx, 'accounting', { chart });
  await seedCompany(trx, ctx, { fiscalYearStart, country, timezone: format.timezone, chart, taxSet });
  return tenant;
}

/** Makes a user the owner of a company just created. */
export async function addFirstOwner(trx: Db, ctx: Context, user: Pick<User, 'id'>): Promise<Membership> {
  return await insertRow(trx, ctx, Membership, { userId: user.id, ...heldRole('owner'), active: true });
}

/** Derives a free slug from the name, appending the end of the id if it is taken. Locks the slug until the transaction ends. */
async function freeSlug(trx: Db, name: string, tenantId: string): Promise<string> {
  const slug = slugify(name);
  await lockName(trx, `slug:${slug}`);
  const taken = await Tenant.query(trx).findOne({ slug });
  return taken === undefined ? slug : `${slug}-${tenantId.slice(-8)}`;
}

/** Finds a free short name, and locks those that begin alike until the transaction ends. */
async function findShortName(trx: Db, name: string): Promise<string> {
  const wished = shortNameFrom(name);
  // A number replaces the end of a name that is taken: it keeps its beginning.
  const beginning = wished.slice(0, MAX_SHORT_NAME / 2);
  await lockName(trx, `short_name:${beginning}`);
  const rows = await query<{ name: string }>(
    trx,
    `select short_name as name from tenants where short_name like :beginning || '%'`,
    { beginning },
  );
  const taken = new Set(rows.map((row) => row.name));
  return freeShortName(wished, (one) => taken.has(one));
}
