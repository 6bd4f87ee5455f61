/** Tells the people of a company that a quotation was answered by its link. */
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { DOCUMENT_TYPES } from '../../../domain/trade/documents/types.ts';
import { notifyRoles } from '../../messages/notifications/notify.ts';
import type { DocumentAnswer } from '../documents/to-json.ts';
import type { Answer } from './answer.ts';

/** Notifies owners, administrators, salespeople (or purchasers), and whoever made the quotation. */
export async function noticeOfAnswer(
  trx: Db,
  ctx: Context,
  document: DocumentAnswer,
  answer: Answer,
  name: string,
): Promise<void> {
  const { side, path, name: type } = DOCUMENT_TYPES[document.docType];
  const [en, es] = answer === 'accept' ? ['accepted', 'aceptado'] : ['rejected', 'rechazado'];
  const body = document.partner.name;
  const notice = {
    title: `${name} has ${en} ${document.code}`,
    body,
    actionLabel: 'Show',
    es: { title: `${name} ha ${es} ${document.code}`, body, actionLabel: 'Ver' },
    metadata: { document_type: type, document_id: document.id },
    actionUrl: `${path}/${document.id}`,
  };
  const others = document.createdBy === null ? [] : [document.createdBy];
  const roles = ['owner', 'admin', side === 'sales' ? 'sales' : 'purchasing'] as const;
  await notifyRoles(trx, ctx, roles, 'document_sent', notice, others);
}
