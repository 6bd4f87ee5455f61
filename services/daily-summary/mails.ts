/** Mails of daily summaries: made when they go, with the rights that the reader has then, so that figures are stored nowhere else. */
import type { Config } from '../../config/index.ts';
import type { Context } from '../../db/context.ts';
import type { Database } from '../../db/database.ts';
import type { Email } from '../../db/models/emails.ts';
import { User } from '../../db/models/identity.ts';
import { formatsFor } from '../../domain/locale/formats.ts';
import { summaryDay } from '../../domain/notifications/summary-day.ts';
import { isEmptySummary, summaryText } from '../../domain/notifications/summary-text.ts';
import { permissionsNow } from '../identity/permissions-now.ts';
import type { MailKind, Prepared } from '../mail/kinds.ts';
import { settingsOf } from '../notifications/settings.ts';
import { loadSettings } from '../settings/settings.ts';
import { companyFigures, summaryFor } from './figures.ts';
import { unsubscribeLink } from './links.ts';

const NOT_WANTED = 'They want no daily summaries any more, have left the company, or have another address';

/** What the service mails daily summaries with. */
export function summaryMails({ encryptionKey, appUrl }: Pick<Config, 'encryptionKey' | 'appUrl'>): MailKind {
  const keys = encryptionKey === undefined ? [] : [encryptionKey];
  return {
    async prepare(database: Database, ctx: Context, email: Email): Promise<Prepared> {
      const userId = String(email.entityId);
      const unsubscribe = appUrl + unsubscribeLink(keys, { tenantId: ctx.tenantId, userId });
      return await database.readTenant(ctx, async (db): Promise<Prepared> => {
        const { value: choices } = await settingsOf(db, userId);
        const permissions = await permissionsNow(db, { userId, actor: null }, ctx.now);
        const user = await User.query(db).findById(userId);
        const isTheirs = user !== undefined && user.email === email.addressees;
        if (!choices.email_enabled || permissions.size === 0 || !isTheirs) return { goes: false, reason: NOT_WANTED };
        const format = await loadSettings(db, 'format');
        const queuedAt = new Date(email.createdAt);
        const day = summaryDay(queuedAt, format.timezone) ?? queuedAt.toISOString().slice(0, 10);
        const date = { day, timezone: format.timezone };
        const summary = await summaryFor(db, userId, permissions, date, () => companyFigures(db, date, ctx.now));
        if (isEmptySummary(summary)) return { goes: false, reason: 'Nothing is left to tell' };
        const { name, currency } = await loadSettings(db, 'company');
        const formats = formatsFor(format, user.locale);
        const content = summaryText(summary, { formats, companyName: name, currency, day, appUrl, unsubscribe });
        return { goes: true, content: { ...content, unsubscribe } };
      });
    },
  };
}
