/** Unsubscribes one person in one company from daily summaries, by the link in a mail. */
import type { Context } from '../../../db/context.ts';
import type { Database } from '../../../db/database.ts';
import { User } from '../../../db/models/access/access.ts';
import type { Language } from '../../../domain/locale/formats.ts';
import { formatsFor } from '../../../domain/locale/formats.ts';
import { changeSettings, loadChoices } from '../../messages/notifications/settings.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import type { Subscriber } from './links.ts';

export interface Reader {
  readonly companyName: string;
  readonly language: Language;
}

/** Loads the company's name and the reader's language for the link's page. */
export async function unsubscribing(database: Database, { tenantId, userId }: Subscriber): Promise<Reader> {
  return await database.readTenant({ tenantId }, async (db) => {
    const { name } = await loadSettings(db, 'company');
    const user = await User.query(db).findById(userId);
    return { companyName: name, language: formatsFor(await loadSettings(db, 'format'), user?.locale ?? null).language };
  });
}

/** Turns `email_enabled` off; does nothing if it is off already. */
export async function endSummaries(database: Database, ctx: Context, userId: string): Promise<void> {
  await database.withTenant(ctx, async (trx) => {
    if (!(await loadChoices(trx, userId)).value.email_enabled) return;
    await changeSettings(trx, ctx, userId, { email_enabled: false }, null);
  });
}
