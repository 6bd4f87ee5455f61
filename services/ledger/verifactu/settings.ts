/** Settings of Veri*factu: turning it on begins the chain of the company's records. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { TIME_ZONE, TODAY } from '../../../db/queries/time-zone.ts';
import { query } from '../../../db/sql.ts';
import { invalidMember, ServiceError } from '../../../domain/errors.ts';
import { Faults } from '../../../domain/faults.ts';
import { normalizeTaxId } from '../../../domain/identifiers.ts';
import { mayEndOn } from '../../../domain/ledger/verifactu/sending.ts';
import type { VerifactuSettings } from '../../platform/settings/definitions.ts';
import { loadSettings, replaceSettings } from '../../platform/settings/settings.ts';
import { loadToday } from '../../platform/settings/today.ts';

/**
 * Replaces the settings.
 * @throws ServiceError validation_failed (a company that is not Spanish, or without name or tax id), stale_version, invalid_transition
 * (turned off in a year that has records: Orden HAC/1177/2024, art. 17)
 */
export async function replaceVerifactuSettings(
  trx: Db,
  ctx: Context,
  value: Partial<VerifactuSettings>,
  ifMatch: number | null,
) {
  if (value.endsOn) checkEnd(value.endsOn, await loadToday(trx, ctx));
  if (value.enabled) await beginChain(trx, await issuer(trx, value.outside ?? null));
  else await assertMayEnd(trx, ctx);
  return await replaceSettings(trx, ctx, 'verifactu', value, ifMatch);
}

function checkEnd(endsOn: string, today: string): void {
  if (mayEndOn(endsOn, today)) return;
  throw invalidMember('/endsOn', 'out_of_range', 'must be 31 December of this year or the last');
}

const OUTSIDE_REASONS: Readonly<Record<NonNullable<VerifactuSettings['outside']>, string>> = {
  sii: 'the company keeps its VAT books at the agency (SII), which excludes it from Veri*factu (RD 1007/2023, art. 3.3)',
  basque_country: 'the company invoices by the rules of the Basque Country (TicketBAI)',
  navarre: 'the company invoices by the rules of Navarre',
};

/** The tax id of the company. @throws ServiceError validation_failed naming what it lacks */
async function issuer(trx: Db, outside: VerifactuSettings['outside']): Promise<string> {
  const { name, taxId, country, currency } = await loadSettings(trx, 'company');
  const faults = new Faults();
  const lacks = (code: string, message: string) => faults.add('/enabled', code, `cannot be true because ${message}`);
  const id = normalizeTaxId('ES', taxId);
  if (country !== 'ES') lacks('not_spanish', 'the company is in another country: PUT /api/company');
  else if (id === null) lacks('no_tax_id', 'the company has no valid Spanish tax id: PUT /api/company');
  if (outside !== null) lacks('outside', `${OUTSIDE_REASONS[outside]}; set "outside" to null if it does not`);
  if (name.trim() === '') lacks('no_name', 'the company has no name: PUT /api/company');
  if (currency !== 'EUR')
    lacks('other_currency', `records are in euros, and the accounts of the company in ${currency}`);
  faults.throwIfAny();
  return id as string;
}

async function beginChain(trx: Db, issuer: string): Promise<void> {
  await query(
    trx,
    `insert into verifactu_chains (id, tenant_id, issuer)
     values (:id::uuid, nullif(current_setting('app.tenant_id', true), '')::uuid, :issuer) on conflict (tenant_id, issuer) do nothing`,
    { id: newId(), issuer },
  );
}

async function assertMayEnd(trx: Db, { now }: Context): Promise<void> {
  const [found] = await query<{ year: number }>(
    trx,
    `select extract(year from ${TODAY})::integer as year from verifactu_records
     where extract(year from generated_at at time zone ${TIME_ZONE}) = extract(year from ${TODAY}) limit 1`,
    { now: now.toISOString() },
  );
  if (found === undefined) return;
  throw new ServiceError(
    'invalid_transition',
    `Veri*factu cannot be turned off before the end of ${found.year} because invoices of this year have records`,
  );
}
