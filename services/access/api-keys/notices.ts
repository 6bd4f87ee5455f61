/** Tells owners, and the people themselves, what becomes of API keys when whoever answers for them loses rights. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { ApiKey, type User } from '../../../db/models/access/access.ts';
import { lacking } from '../../../domain/access/api-keys/rights.ts';
import { heldPermissions, type StoredRights } from '../../../domain/grants.ts';
import { shortened } from '../../../domain/shorten.ts';
import { counted } from '../../../domain/words.ts';
import { alertOwners } from '../../messages/notifications/notify.ts';

/** Maximum keys that a notification lists by name. */
const MAX_NAMES = 20;

/** Finds the keys of a user who is leaving, and notifies the owners, who can take them over. */
export async function notifyOfRemainingKeys(trx: Db, ctx: Context, user: User): Promise<ApiKey[]> {
  const keys = await findKeys(trx, ctx, user.id);
  if (keys.length === 0) return keys;
  const names = listed(keys);
  await alertOwners(trx, ctx, {
    title: `${user.name} has left and had created ${counted(keys.length, 'API key')}, now suspended`,
    body:
      `An owner can take over what the company needs, by POST /api/api-keys/:id/take-over: ${names.en}. Delete those that ` +
      `${user.name} may know. Look also at the webhooks and plugins that they set up, which go on.`,
    es: {
      title: `${user.name} ha dejado la empresa: se suspenden las claves de API que había creado (${keys.length})`,
      body:
        `Un propietario puede hacerse cargo de las que la empresa necesite, con POST /api/api-keys/:id/take-over: ${names.es}. Elimine ` +
        `las que ${user.name} pueda conocer. Revise también los webhooks y complementos que configuró, que siguen en marcha.`,
    },
    metadata: { user_id: user.id, api_key_ids: keys.map(({ id }) => id) },
  });
  return keys;
}

/**
 * Tells the owners and a person with another role, or locked out, about keys that may do less from now on.
 * @param now null while locked
 */
export async function notifyOfWeakenedKeys(
  trx: Db,
  ctx: Context,
  user: Pick<User, 'id' | 'name'>,
  before: StoredRights,
  now: StoredRights | null,
): Promise<void> {
  const all = await findKeys(trx, ctx, user.id);
  const keys = now === null ? all : all.filter((key) => weakens(key, before, now));
  if (keys.length === 0) return;
  const names = listed(keys);
  const [en, es] =
    now === null
      ? ['are suspended, because their access is locked', 'quedan suspendidas, porque su acceso está bloqueado']
      : [`may only do what their new role (${now.role}) may`, `solo pueden lo que puede su nuevo rol (${now.role})`];
  const also = 'Their automations and scheduled reports pause at the next run that needs more.';
  const alsoEs = 'Sus automatizaciones e informes programados se pausan en la próxima ejecución que necesite más.';
  await alertOwners(
    trx,
    ctx,
    {
      title: `${counted(keys.length, 'API key')} of ${user.name} may do less`,
      body: `The keys ${en}: ${names.en}. ${also}`,
      es: {
        title: `Claves de API de ${user.name} con menos permisos (${keys.length})`,
        body: `Las claves ${es}: ${names.es}. ${alsoEs}`,
      },
      metadata: { user_id: user.id, api_key_ids: keys.map(({ id }) => id) },
    },
    [user.id],
  );
}

/** Whether a key loses something when whoever answers for it changes from one role to another. */
function weakens(key: ApiKey, before: StoredRights, now: StoredRights): boolean {
  const earlier = heldPermissions(before);
  return lacking(heldPermissions(key), heldPermissions(now)).some((each) => earlier.has(each));
}

/** The keys that a user answers for and that have not expired. */
async function findKeys(trx: Db, ctx: Context, userId: string): Promise<ApiKey[]> {
  const all: ApiKey[] = await ApiKey.query(trx)
    .whereRaw('coalesce(taken_over_by, created_by) = ?', [userId])
    .orderBy(['name', 'id']);
  return all.filter(({ expiresAt }) => expiresAt === null || Date.parse(expiresAt) > ctx.now.getTime());
}

function listed(keys: readonly ApiKey[]): { readonly en: string; readonly es: string } {
  const names = keys
    .slice(0, MAX_NAMES)
    .map(({ name, role }) => `${shortened(name, 80)} (${role})`)
    .join(', ');
  const unnamed = keys.length - MAX_NAMES;
  return unnamed > 0
    ? { en: `${names} and ${unnamed} more`, es: `${names} y ${unnamed} más` }
    : { en: names, es: names };
}
