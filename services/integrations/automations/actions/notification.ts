/** notification.create: notifies a user, everybody with a role, or the user that a template names. */
import { isUuid } from '../../../../db/ids.ts';
import { invalidMember } from '../../../../domain/errors.ts';
import type { Role } from '../../../../domain/permissions.ts';
import { shortened } from '../../../../domain/shorten.ts';
import { findRecipients } from '../../../messages/notifications/recipients.ts';
import { writeNotifications } from '../../../messages/notifications/write.ts';
import type { WritingAction } from './action.ts';

/** Maximum lengths: filled-in templates may be longer than notifications. */
const MAX_TITLE = 200;
const MAX_BODY = 2000;

export const createNotification: WritingAction<'notification.create'> = {
  needs: () => [],

  async write(trx, ctx, { action, subject }) {
    const { user_id: userId, role, title, body } = action;
    const isNobody = userId === undefined || !isUuid(userId);
    if (role === undefined && isNobody) {
      throw invalidMember('/user_id', 'invalid_reference', `must be a user, and is “${userId ?? ''}”`);
    }
    const roles = role === undefined ? [] : [role as Role];
    const recipients = await findRecipients(trx, { roles, userIds: isNobody ? [] : [userId] });
    if (recipients.length === 0) {
      throw invalidMember(role === undefined ? '/user_id' : '/role', 'invalid_reference', 'names no active member');
    }
    const { document } = subject;
    const wanting = recipients.filter(({ choices }) => choices.automation_triggered);
    const metadata =
      document === undefined ? undefined : { document_id: document.id, document_type: document.documentType };
    await writeNotifications(
      trx,
      ctx,
      wanting.map((one) => ({
        userId: one.userId,
        pushes: one.pushes,
        type: 'automation_triggered',
        title: shortened(title, MAX_TITLE),
        body: shortened(body, MAX_BODY),
        metadata,
      })),
    );
    return { recipients: wanting.length };
  },
};
