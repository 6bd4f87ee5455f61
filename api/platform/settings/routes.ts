/** Settings by name: read and replaced as a whole. */
import type { Context } from '../../../db/context.ts';
import type { Db, Reader } from '../../../db/database.ts';
import { replaceVerifactuSettings } from '../../../services/ledger/verifactu/settings.ts';
import { checkSettings } from '../../../services/platform/settings/check.ts';
import type {
  SettingsByName,
  TaxSettings,
  VerifactuSettings,
} from '../../../services/platform/settings/definitions.ts';
import { loadVersionedSettings, replaceSettings } from '../../../services/platform/settings/settings.ts';
import { loadTaxSettings, replaceTaxSettings } from '../../../services/records/taxes/defaults.ts';
import { settings } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';
import { CONFIG } from './schemas.ts';

const TAG = 'Configuration';
type ConfigName = keyof typeof CONFIG;

/** Settings used by every form, table and printed document: every member may read them. */
const COMMON: readonly ConfigName[] = ['format', 'branding', 'flags', 'tax'];

export const routes: Route[] = (Object.keys(CONFIG) as ConfigName[]).flatMap(configRoutes);

function configRoutes(name: ConfigName): Route[] {
  const { input, answer } = CONFIG[name];
  const { load, replace } = settingsStore(name);
  const path = `/api/config/${name}`;
  const Name = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  return [
    defineRoute({
      method: 'GET',
      path,
      id: `get${Name}Settings`,
      summary: `The ${name} settings of the company`,
      description: 'The effective values, including defaults.',
      // Tax settings show the defaults in use, which change with the taxes.
      whole: name !== 'tax',
      tag: TAG,
      access: COMMON.includes(name) ? 'member' : 'config:read',
      responses: { 200: answer },
      headers: ['ETag'],
      handler: async ({ reader, ctx }) => settings(ctx, await load(reader, ctx)),
    }),
    defineRoute({
      method: 'PUT',
      path,
      id: `replace${Name}Settings`,
      whenFull: 'reserve',
      summary: `Replace the ${name} settings`,
      description: 'Members left out return to their defaults.',
      tag: TAG,
      access: 'config:update',
      body: input,
      problems: name === 'verifactu' ? ['invalid_transition'] : [],
      responses: { 200: answer },
      headers: ['ETag'],
      async handler({ db, ctx, body, ifMatch }) {
        checkSettings({ [name]: body });
        return settings(ctx, await replace(db, ctx, body, ifMatch));
      },
    }),
  ];
}

interface Store {
  readonly load: (reader: Reader, ctx: Context) => ReturnType<typeof loadVersionedSettings<ConfigName>>;
  readonly replace: (
    db: Db,
    ctx: Context,
    value: Partial<SettingsByName[ConfigName]>,
    ifMatch: number | null,
  ) => ReturnType<typeof replaceSettings<ConfigName>>;
}

/** Returns the functions that load and replace settings; tax settings show which taxes are used by default. */
function settingsStore(name: ConfigName): Store {
  if (name === 'tax') {
    const replace: Store['replace'] = (db, ctx, value, ifMatch) =>
      replaceTaxSettings(db, ctx, value as Partial<TaxSettings>, ifMatch);
    return { load: loadTaxSettings, replace };
  }
  if (name === 'verifactu') {
    const replace: Store['replace'] = (db, ctx, value, ifMatch) =>
      replaceVerifactuSettings(db, ctx, value as Partial<VerifactuSettings>, ifMatch);
    return { load: (reader) => loadVersionedSettings(reader, name), replace };
  }
  return {
    load: (reader) => loadVersionedSettings(reader, name),
    replace: (db, ctx, value, ifMatch) => replaceSettings<ConfigName>(db, ctx, name, value, ifMatch),
  };
}
