/** email.send: a mail, with the document's PDF if wanted. Its delivery, with retries and log, is that of all mails. */

import { invalidMember } from '../../../../domain/errors.ts';
import { DOCUMENT_TYPES, type DocType } from '../../../../domain/trade/documents/types.ts';
import { queueMail } from '../../../messages/mail/queue.ts';
import { MAX_HTML, oneLine } from '../../../messages/mail/render.ts';
import type { WritingAction } from './action.ts';

export const sendEmail: WritingAction<'email.send'> = {
  needs: ({ document }) =>
    document === undefined ? [] : [`${DOCUMENT_TYPES[document.docType as DocType].resource}:read`],

  async write(trx, ctx, { action, subject, key }, limits) {
    const { to, body_html: html, attach_pdf: attachDocument = false } = action;
    const documentId = subject.document?.id as string | undefined;
    if (attachDocument && documentId === undefined) {
      throw invalidMember('/attach_pdf', 'not_applicable', 'cannot be done because there is no document');
    }
    if (html.length > MAX_HTML) {
      throw invalidMember('/body_html', 'too_long', `must become at most ${MAX_HTML} characters`);
    }
    const { id } = await queueMail(trx, ctx, limits, {
      id: key,
      kind: 'automation',
      to,
      subject: oneLine(action.subject),
      html,
      ...(documentId === undefined ? {} : { documentId, attachDocument }),
    });
    return { email_id: id };
  },
};
