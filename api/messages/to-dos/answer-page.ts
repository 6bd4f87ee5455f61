/** Answers approvals from the link in a mail. A GET only asks: programs that follow links must not answer. */
import { type Static, Type } from 'typebox';
import type { Context } from '../../../db/context.ts';
import { notFound } from '../../../domain/errors.ts';
import { escapedHtml } from '../../../domain/html.ts';
import { ANSWERS } from '../../../domain/messages/to-dos.ts';
import { answerLinked, type LinkedApproval, loadLinked } from '../../../services/messages/to-dos/linked.ts';
import { ANSWER_PATH, type AnswerLink, answerLink, assertAnswerLink } from '../../../services/messages/to-dos/links.ts';
import { configuredKeys } from '../../../services/platform/encryption/seal.ts';
import { binary, choice, text, uuid } from '../../../services/platform/validation/schemas.ts';
import { type Deps, defineRoute, type Route } from '../../route.ts';
import { smallPage } from '../page.ts';

/** Actor in the audit log: the link identifies its recipient, but not the person who followed it. */
const ACTOR = 'answer_link';

const Link = {
  company: uuid({ description: 'From the link in the mail' }),
  to_do: uuid({ description: 'From the link in the mail' }),
  user: uuid({ description: 'From the link in the mail' }),
  signature: text({ max: 100, description: 'From the link in the mail' }),
};
type Linked = Static<ReturnType<typeof Type.Object<typeof Link>>>;

const shared = {
  path: ANSWER_PATH,
  tag: 'To-dos',
  access: 'public',
  problems: ['not_found'],
  responses: { 200: binary('text/html') },
} as const;

export const answerRoutes: Route[] = [
  defineRoute({
    ...shared,
    method: 'GET',
    id: 'approvalPage',
    summary: 'The page that links to answer an approval open',
    description: 'An HTML page with two buttons that send the POST. The GET itself changes nothing.',
    query: Type.Object(Link),
    handler: async ({ query, deps }) => await page(deps, checked(deps, query)),
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    id: 'answerApprovalByLink',
    summary: 'Answer an approval as the recipient of a mail',
    description: 'The body is ignored. If it was answered before, or in the meantime, the page shows how it ended.',
    query: Type.Object({ ...Link, answer: choice(ANSWERS, { description: 'The answer' }) }),
    transaction: 'none',
    ignoresBody: true,
    async handler({ query, deps, requestId }) {
      const link = checked(deps, query);
      const ctx: Context = { tenantId: link.tenantId, userId: null, actor: ACTOR, requestId, now: deps.now() };
      await answerLinked(deps.database, ctx, link, query.answer);
      return await page(deps, link);
    },
  }),
];

/** @throws ServiceError not_found for a link that the service did not create */
function checked({ config }: Deps, { company: tenantId, to_do: toDoId, user: userId, signature }: Linked): AnswerLink {
  const link = { tenantId, toDoId, userId };
  assertAnswerLink(configuredKeys(config), link, signature);
  return link;
}

async function page({ config, database, now }: Deps, link: AnswerLink) {
  const approval = await database.readTenant(link, (db) => loadLinked(db, link, now()));
  if (approval === null) throw notFound('The approval');
  const { language, title } = approval;
  const about = approval.body === '' ? '' : `<p>${escapedHtml(approval.body).replaceAll('\n', '<br>')}</p>\n`;
  const whose = `<p>${escapedHtml(approval.companyName)}</p>`;
  const address = escapedHtml(answerLink(configuredKeys(config), link));
  return smallPage({ language, title, content: `${whose}\n${about}${answerPart(approval, address)}` });
}

/** The buttons, or how it ended. @param address of the link, as HTML */
function answerPart({ isOpen, status, language }: LinkedApproval, address: string): string {
  const words = WORDS[language];
  if (!isOpen) return `<p role="status">${status === 'open' ? words.expired : words[status]}</p>`;
  const button = (answer: (typeof ANSWERS)[number]) =>
    `<button formaction="${address}&amp;answer=${answer}">${words.buttons[answer]}</button>`;
  return `<form method="post">${ANSWERS.map(button).join(' ')}</form>`;
}

const WORDS = {
  en: {
    buttons: { approved: 'Approve', refused: 'Refuse' },
    done: 'It is done.',
    approved: 'It is approved.',
    refused: 'It is refused.',
    expired: 'The time to answer is over.',
    cancelled: 'Nobody needs the answer any more.',
  },
  es: {
    buttons: { approved: 'Aprobar', refused: 'Rechazar' },
    done: 'Está hecho.',
    approved: 'Está aprobado.',
    refused: 'Está rechazado.',
    expired: 'El plazo para responder ha terminado.',
    cancelled: 'Ya no hace falta responder.',
  },
} as const;
