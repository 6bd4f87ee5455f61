/** Settings by name: read and replaced as a whole. */
import { checkSettings } from '../../services/settings/check.ts';
import type { SettingsByName } from '../../services/settings/definitions.ts';
import { loadVersionedSettings, replaceSettings } from '../../services/settings/settings.ts';
import { settings } from '../respond.ts';
import { defineRoute, type Route } from '../route.ts';
import { CONFIG } from './schemas.ts';

const TAG = 'Configuration';
type ConfigName = keyof typeof CONFIG;

/** What every form, table and printed paper follows: every member reads it. */
const COMMON: readonly ConfigName[] = ['format', 'branding', 'flags', 'tax'];

export const routes: Route[] = (Object.keys(CONFIG) as ConfigName[]).flatMap(configRoutes);

function configRoutes(name: ConfigName): Route[] {
  const { input, answer } = CONFIG[name];
  const path = `/api/config/${name}`;
  const Name = `${name[0]?.toUpperCase()}${name.slice(1)}`;
  return [
    defineRoute({
      method: 'GET',
      path,
      id: `get${Name}Settings`,
      summary: `The ${name} settings of the company`,
      description: 'As they count now, defaults included.',
      tag: TAG,
      access: COMMON.includes(name) ? 'member' : 'config:read',
      responses: { 200: answer },
      headers: ['ETag'],
      handler: async ({ db }) => settings(await loadVersionedSettings(db, name)),
    }),
    defineRoute({
      method: 'PUT',
      path,
      id: `replace${Name}Settings`,
      summary: `Replace the ${name} settings`,
      description: 'Members that are left out go back to their defaults.',
      tag: TAG,
      access: 'config:update',
      body: input,
      responses: { 200: answer },
      headers: ['ETag'],
      async handler({ db, ctx, body, ifMatch }) {
        const value = body as Partial<SettingsByName[ConfigName]>;
        checkSettings({ [name]: value });
        return settings(await replaceSettings(db, ctx, name, value, ifMatch));
      },
    }),
  ];
}
