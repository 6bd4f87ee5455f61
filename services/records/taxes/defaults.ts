/** Tax settings of a company, with the taxes of lines without an item: the general rate if none is set. */
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { checkReferences } from '../../../db/queries/references.ts';
import { TODAY } from '../../../db/queries/time-zone.ts';
import { query } from '../../../db/sql.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { generalTaxes } from '../../../domain/ledger/accounting/charts/taxes/index.ts';
import { taxName } from '../../../domain/trade/documents/tax-sets.ts';
import { SPAIN } from '../../platform/settings/company.ts';
import type { TaxSettings } from '../../platform/settings/definitions.ts';
import { keepUnset, loadSettings, loadVersionedSettings, replaceSettings } from '../../platform/settings/settings.ts';

const DEFAULTS = ['defaultSalesTaxGroupId', 'defaultPurchaseTaxGroupId'] as const;

interface Versioned {
  readonly value: TaxSettings;
  readonly version: number;
}

export async function loadTaxSettings(reader: Reader, ctx: Context): Promise<Versioned> {
  return await withUsed(reader, ctx, await loadVersionedSettings(reader, 'tax'));
}

/** Replaces the tax settings. @throws ServiceError validation_failed (unknown tax, no Union scheme), stale_version */
export async function replaceTaxSettings(
  trx: Db,
  ctx: Context,
  value: Partial<TaxSettings>,
  ifMatch: number | null,
): Promise<Versioned> {
  const references = DEFAULTS.flatMap((member) => {
    const id = value[member];
    return id ? [{ pointer: `/${member}`, table: 'taxes', id }] : [];
  });
  await checkReferences(trx, references);
  if (value.ossFrom) await assertUnionScheme(trx);
  const stored = await loadVersionedSettings(trx, 'tax');
  const kept = keepUnset(value, stored.value, (await withUsed(trx, ctx, stored)).value);
  return await withUsed(trx, ctx, await replaceSettings(trx, ctx, 'tax', kept, ifMatch));
}

/** Finds the tax with the general rate valid today; null if the company has removed it, or its indirect tax has none. */
export async function generalTax(reader: Reader, ctx: Context): Promise<string | null> {
  const { taxSet } = await loadSettings(reader, 'company');
  const [tax] = await query<{ id: string }>(
    reader,
    `select id from taxes where code = any(:codes::text[])
     order by array_position(:codes::text[], code),
       daterange(valid_from, valid_to, '[]') @> ${TODAY} desc, valid_from desc nulls last limit 1`,
    { codes: generalTaxes(taxSet), now: ctx.now.toISOString() },
  );
  return tax?.id ?? null;
}

/** @throws ServiceError validation_failed for a company that cannot be under the Union scheme, whose return is in euros */
async function assertUnionScheme(trx: Db): Promise<void> {
  const { country, taxSet, currency } = await loadSettings(trx, 'company');
  const refuse = (why: string) =>
    invalidMember('/ossFrom', 'not_applicable', `must be null because the company ${why}`);
  if (country !== SPAIN) throw refuse(`is in ${country}`);
  if (taxSet !== 'vat') throw refuse(`charges ${taxName(taxSet, 'en')}`);
  if (currency !== 'EUR') throw refuse(`keeps its books in ${currency}`);
}

async function withUsed(reader: Reader, ctx: Context, { value, version }: Versioned): Promise<Versioned> {
  const general = await generalTax(reader, ctx);
  const used = Object.fromEntries(DEFAULTS.map((member) => [member, value[member] ?? general]));
  return { value: { ...value, ...used }, version };
}
