/** Finds the members of the company who get a notification, with their language and choices. */
import type { Db } from '../../../db/database.ts';
import { prepared } from '../../../db/sql.ts';
import { heldPermissions, type StoredRights } from '../../../domain/grants.ts';
import { type Formats, formatsFor } from '../../../domain/locale/formats.ts';
import { type NotificationSettings, withDefaultChoices } from '../../../domain/messages/notifications/types.ts';
import type { Permission, Role } from '../../../domain/permissions.ts';
import { loadSettings } from '../../platform/settings/settings.ts';

export interface Recipient {
  readonly userId: string;
  readonly role: string;
  readonly permissions: ReadonlySet<Permission>;
  readonly choices: NotificationSettings;
  /** Whether they have a subscribed browser and want pushes. */
  readonly pushes: boolean;
  /** In their language, or else the company's. */
  readonly formats: Formats;
}

interface FoundMember extends StoredRights {
  readonly userId: string;
  readonly locale: string | null;
  readonly hasBrowser: boolean;
  readonly chosen: Readonly<Record<string, unknown>> | null;
}

/** Finds the active members who have one of the roles or are among the users. */
export async function findRecipients(
  trx: Db,
  { roles, userIds }: { readonly roles: readonly Role[]; readonly userIds: readonly string[] },
): Promise<Recipient[]> {
  const [format, members] = await Promise.all([
    loadSettings(trx, 'format'),
    prepared<FoundMember>(
      trx,
      `select m.user_id as "userId", m.role, m.permissions, u.locale, s.value as chosen,
         exists (select from push_subscriptions p where p.tenant_id = m.tenant_id and p.user_id = m.user_id) as "hasBrowser"
       from memberships m
       join users u on u.id = m.user_id and u.active
       left join notification_settings s on s.tenant_id = m.tenant_id and s.user_id = m.user_id
       where m.active and (m.role = any(:roles::text[]) or m.user_id = any(:userIds::uuid[]))
       order by m.id`,
      { roles: [...roles], userIds: [...userIds] },
    ),
  ]);
  const formats = new Map<string | null, Formats>();
  const memberFormats = (locale: string | null): Formats => {
    const known = formats.get(locale) ?? formatsFor(format, locale);
    formats.set(locale, known);
    return known;
  };
  return members.map((member) => {
    const { userId, role, locale, chosen, hasBrowser } = member;
    const choices = withDefaultChoices(chosen);
    const permissions = heldPermissions(member);
    return {
      userId,
      role,
      permissions,
      choices,
      pushes: hasBrowser && choices.push_enabled,
      formats: memberFormats(locale),
    };
  });
}
