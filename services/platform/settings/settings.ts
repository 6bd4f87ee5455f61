import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { lockName } from '../../../db/locks.ts';
import { Setting } from '../../../db/models/access/access.ts';
import { findRow } from '../../../db/queries/find.ts';
import { assertVersion, insertRow, patchRow } from '../../../db/write.ts';
import { DEFAULT_SETTINGS, type SettingsByName, type SettingsName } from './definitions.ts';

/** Loads settings of the connection's tenant, with defaults for values that were never set. */
export async function loadSettings<N extends SettingsName>(reader: Reader, name: N): Promise<SettingsByName[N]> {
  return (await loadVersionedSettings(reader, name)).value;
}

/** Completes all stored settings with their defaults. */
export function withAllDefaults(stored: Readonly<Partial<Record<SettingsName, object>>>): SettingsByName {
  return {
    company: withDefaults('company', stored.company),
    format: withDefaults('format', stored.format),
    flags: withDefaults('flags', stored.flags),
    branding: withDefaults('branding', stored.branding),
    accounting: withDefaults('accounting', stored.accounting),
    payments: withDefaults('payments', stored.payments),
    tax: withDefaults('tax', stored.tax),
    payroll: withDefaults('payroll', stored.payroll),
    automations: withDefaults('automations', stored.automations),
    verifactu: withDefaults('verifactu', stored.verifactu),
    face: withDefaults('face', stored.face),
  };
}

/** Loads the settings of one name, with their version for the ETag: 0 before the first PUT. */
export async function loadVersionedSettings<N extends SettingsName>(
  reader: Reader,
  name: N,
): Promise<{ readonly value: SettingsByName[N]; readonly version: number }> {
  const row = await findRow(reader, Setting, { name });
  return { value: withDefaults(name, row?.value), version: row?.version ?? 0 };
}

/**
 * Replaces the settings of a name; members left out return to their defaults.
 * @param expectedVersion the version that the caller has seen; null for any
 * @throws ServiceError stale_version
 */
export async function replaceSettings<N extends SettingsName>(
  trx: Db,
  ctx: Context,
  name: N,
  value: Partial<SettingsByName[N]>,
  expectedVersion: number | null = null,
): Promise<{ readonly value: SettingsByName[N]; readonly version: number }> {
  const current = await Setting.query(trx).findOne({ name }).forUpdate();
  assertVersion({ version: current?.version ?? 0 }, expectedVersion);
  // A PUT without `logo` keeps the logo: only deleting `logo` itself removes it.
  const kept = 'logo' in value ? {} : { logo: (current?.value as { logo?: unknown } | undefined)?.logo };
  const next = { value: withDefaults(name, { ...kept, ...value }) as unknown as Record<string, unknown> };
  // Settings that were never set stay unset if they equal the defaults.
  if (current === undefined && isDeepStrictEqual(next.value, withDefaults(name, undefined))) {
    return { value: withDefaults(name, value), version: 0 };
  }
  const row =
    current === undefined
      ? await insertRow(trx, ctx, Setting, { name, ...next })
      : await patchRow(trx, ctx, Setting, current, next);
  return { value: withDefaults(name, row.value), version: row.version };
}

/**
 * Leaves members unset that are sent back with the default that was answered.
 * @param stored the stored value
 * @param used the value as answered
 */
export function keepUnset<T extends object>(value: Partial<T>, stored: T, used: T): Partial<T> {
  const isUnset = (member: keyof T) => stored[member] === null && value[member] === used[member];
  return Object.fromEntries(Object.entries(value).filter(([member]) => !isUnset(member as keyof T))) as Partial<T>;
}

/** Returns the known members that have a value, in a fixed order; other stored members come from another version of the service. */
function withDefaults<N extends SettingsName>(name: N, value: object | undefined): SettingsByName[N] {
  const defaults: object = DEFAULT_SETTINGS[name];
  const given = new Map(Object.entries(value ?? {}));
  const complete = Object.entries(defaults).map(([member, fallback]) => [member, given.get(member) ?? fallback]);
  // Normalized to stored JSON, so that a value sent back unchanged equals the stored one.
  return Object.fromEntries(complete.filter(([, value]) => value !== undefined)) as SettingsByName[N];
}

/** Serializes closing, reopening and moving the company's fiscal years until the transaction ends. */
export async function lockFiscalYears(trx: Db, { tenantId }: Pick<Context, 'tenantId'>): Promise<void> {
  await lockName(trx, `fiscal_years:${tenantId}`);
}
