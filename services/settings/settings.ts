import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { Setting } from '../../db/models/identity.ts';
import { assertVersion, insertRow, patchRow } from '../../db/write.ts';
import { DEFAULT_SETTINGS, type SettingsByName, type SettingsName } from './definitions.ts';

/** The settings of the connection's tenant; what was never set has its default. */
export async function loadSettings<N extends SettingsName>(db: Db, name: N): Promise<SettingsByName[N]> {
  return (await loadVersionedSettings(db, name)).value;
}

/** All settings of the connection's tenant, in one round trip. */
export async function loadAllSettings(db: Db): Promise<SettingsByName> {
  const values = new Map((await Setting.query(db)).map((row) => [row.name, row.value]));
  return {
    company: withDefaults('company', values.get('company')),
    format: withDefaults('format', values.get('format')),
    flags: withDefaults('flags', values.get('flags')),
    branding: withDefaults('branding', values.get('branding')),
    accounting: withDefaults('accounting', values.get('accounting')),
    payments: withDefaults('payments', values.get('payments')),
    tax: withDefaults('tax', values.get('tax')),
  };
}

/** The settings of one name with the version for the ETag; 0 before the first PUT. */
export async function loadVersionedSettings<N extends SettingsName>(
  db: Db,
  name: N,
): Promise<{ readonly value: SettingsByName[N]; readonly version: number }> {
  const row = await Setting.query(db).findOne({ name });
  return { value: withDefaults(name, row?.value), version: row?.version ?? 0 };
}

/**
 * Replaces the settings of a name: members left out go back to their defaults.
 * @param expectedVersion the version the caller has seen; null = any
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
  // A logo is no member that a replacement leaves out: who has it or not says so.
  const kept = 'logo' in value ? {} : { logo: (current?.value as { logo?: unknown } | undefined)?.logo };
  const next = { value: withDefaults(name, { ...kept, ...value }) as unknown as Record<string, unknown> };
  // What was never set and is none now either stays so.
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
 * A value that is sent back as it was answered: members that were answered with what is used where nothing is set stay unset.
 * @param stored as it is set
 * @param used as it is answered
 */
export function keepUnset<T extends object>(value: Partial<T>, stored: T, used: T): Partial<T> {
  const isUnset = (member: keyof T) => stored[member] === null && value[member] === used[member];
  return Object.fromEntries(Object.entries(value).filter(([member]) => !isUnset(member as keyof T))) as Partial<T>;
}

/** The known members that have a value, in their fixed order: what a stored value holds besides is from another version. */
function withDefaults<N extends SettingsName>(name: N, value: object | undefined): SettingsByName[N] {
  const defaults: object = DEFAULT_SETTINGS[name];
  const given = new Map(Object.entries(value ?? {}));
  const complete = Object.entries(defaults).map(([member, fallback]) => [member, given.get(member) ?? fallback]);
  // As JSON keeps it: otherwise what is sent back unchanged would differ from what is stored.
  return Object.fromEntries(complete.filter(([, value]) => value !== undefined)) as SettingsByName[N];
}

/** Waits for whoever closes, reopens or moves fiscal years of the company, and keeps others from it until the transaction ends. */
export async function holdFiscalYears(trx: Db): Promise<void> {
  await trx.raw(
    `select pg_advisory_xact_lock(hashtextextended('fiscal_years:' || current_setting('app.tenant_id'), 0))`,
  );
}
