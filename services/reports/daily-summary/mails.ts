/**
 * Mails of daily summaries: rendered when they are sent, with the reader's permissions at that time, so that figures are stored nowhere
 * else.
 */
import type { Config } from '../../../config/index.ts';
import type { Context } from '../../../db/context.ts';
import type { Database } from '../../../db/database.ts';
import { User } from '../../../db/models/access/access.ts';
import type { Email } from '../../../db/models/messages/mail.ts';
import { formatsFor } from '../../../domain/locale/formats.ts';
import { summaryDay } from '../../../domain/messages/notifications/summary-day.ts';
import { isEmptySummary, summaryText } from '../../../domain/messages/notifications/summary-text.ts';
import { loadPermissions } from '../../access/sessions/current-permissions.ts';
import type { MailHandler, Prepared } from '../../messages/mail/handlers.ts';
import { loadChoices } from '../../messages/notifications/settings.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { companyFigures, summaryFor } from './figures.ts';
import { unsubscribeLink } from './links.ts';

const NOT_WANTED = 'They want no daily summaries any more, have left the company, or have another address';

/** Creates the handler that mails daily summaries. */
export function summaryMails({ encryptionKey, appUrl }: Pick<Config, 'encryptionKey' | 'appUrl'>): MailHandler {
  const keys = encryptionKey === undefined ? [] : [encryptionKey];
  return {
    async prepare(database: Database, ctx: Context, email: Email): Promise<Prepared> {
      const userId = String(email.entityId);
      const unsubscribe = appUrl + unsubscribeLink(keys, { tenantId: ctx.tenantId, userId });
      return await database.readTenant(ctx, async (db): Promise<Prepared> => {
        const { value: choices } = await loadChoices(db, userId);
        const permissions = await loadPermissions(db, { userId, actor: null }, ctx.now);
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
