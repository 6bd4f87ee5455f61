/** Updates an account when its person accepts an invitation. The transaction ends up in the scope of some company. */
import { asSystem } from '../../../db/as-system.ts';
import type { Context } from '../../../db/context.ts';
import { type Db, switchScope } from '../../../db/database.ts';
import { Membership, User } from '../../../db/models/access/access.ts';
import { patchRow } from '../../../db/write.ts';
import { alertAdmins } from '../../messages/notifications/notify.ts';
import { setPassword } from './accounts.ts';

/** Hands an account over to its person. The audit log of the company that owned it records the change. */
export async function claimAccount(trx: Db, ctx: Context, user: User, passwordHash: string): Promise<User> {
  const home: Context = { ...ctx, tenantId: user.homeTenantId ?? ctx.tenantId };
  const changes = { emailVerifiedAt: ctx.now.toISOString() };
  const claimed = await setPassword(trx, home, user, passwordHash, { changes });
  if (home.tenantId !== ctx.tenantId && (await Membership.query(trx).findOne({ user_id: user.id })) !== undefined) {
    await alertAdmins(trx, home, {
      title: `${user.name} has verified their e-mail`,
      body:
        `The account of ${user.name} (${user.email}) is now their own, with a new password. You can still change, lock or end ` +
        `their membership.`,
      es: {
        title: `${user.name} ha verificado su correo`,
        body:
          `La cuenta de ${user.name} (${user.email}) es ahora suya, con una contraseña nueva. Aún puede cambiar, bloquear o terminar ` +
          `su pertenencia a la empresa.`,
      },
      metadata: { user_id: user.id },
    });
  }
  return claimed;
}

/** Reactivates an account that was locked or had left its last company. A lock moves to its memberships. */
export async function reactivateAccount(trx: Db, ctx: Context, user: User): Promise<User> {
  const places = await asSystem(trx, ctx, () => Membership.query(trx).where({ user_id: user.id, active: true }));
  for (const place of places) {
    const there: Context = { ...ctx, tenantId: place.tenantId };
    await switchScope(trx, there);
    await patchRow(trx, there, Membership, place, { active: false });
  }
  const home: Context = { ...ctx, tenantId: user.homeTenantId ?? ctx.tenantId };
  return await patchRow(trx, home, User, user, { active: true });
}
