/** Ends daily summaries from the link in their mails (RFC 8058). A GET only asks: programs that follow links must not unsubscribe. */
import { Type } from 'typebox';
import type { Context } from '../../../db/context.ts';
import { escapedHtml } from '../../../domain/html.ts';
import { configuredKeys } from '../../../services/platform/encryption/seal.ts';
import { binary, text, uuid } from '../../../services/platform/validation/schemas.ts';
import { assertUnsubscribeLink, UNSUBSCRIBE_PATH } from '../../../services/reports/daily-summary/links.ts';
import { endSummaries, type Reader, unsubscribing } from '../../../services/reports/daily-summary/unsubscribe.ts';
import { type Deps, defineRoute, type Route } from '../../route.ts';
import { smallPage } from '../page.ts';

/** Actor in the audit log: the link identifies its recipient, but not the person who followed it. */
const ACTOR = 'unsubscribe_link';

const shared = {
  path: UNSUBSCRIBE_PATH,
  tag: 'Notifications',
  access: 'public',
  problems: ['not_found'],
  query: Type.Object({
    company: uuid({ description: 'From the link in the mail' }),
    user: uuid({ description: 'From the link in the mail' }),
    signature: text({ max: 100, description: 'From the link in the mail' }),
  }),
  responses: { 200: binary('text/html') },
} as const;

interface Link {
  readonly company: string;
  readonly user: string;
  readonly signature: string;
}

export const unsubscribeRoutes: Route[] = [
  defineRoute({
    ...shared,
    method: 'GET',
    id: 'unsubscribePage',
    summary: 'The page that links to end daily summaries open',
    description: 'An HTML page with a button that sends the POST. The GET itself changes nothing.',
    async handler({ query, deps }) {
      const reader = await loadRecipient(deps, query);
      return page(reader, `<form method="post"><button>${WORDS[reader.language].button}</button></form>`);
    },
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    id: 'unsubscribe',
    summary: 'End the daily summaries of the recipient of a mail',
    description:
      'Mail programs send this when their user unsubscribes (RFC 8058): it turns `email_enabled` off for that person in that company. ' +
      'The body is ignored. If it is already off, the answer is the same.',
    transaction: 'none',
    ignoresBody: true,
    async handler({ query, deps, requestId }) {
      const reader = await loadRecipient(deps, query);
      const { company: tenantId, user: userId } = query;
      const ctx: Context = { tenantId, userId: null, actor: ACTOR, requestId, now: deps.now() };
      await endSummaries(deps.database, ctx, userId);
      return page(reader, `<p role="status">${WORDS[reader.language].done}</p>`);
    },
  }),
];

/** Loads the recipient of a link. @throws ServiceError not_found for a link that the service did not create */
async function loadRecipient(
  { config, database }: Deps,
  { company: tenantId, user: userId, signature }: Link,
): Promise<Reader> {
  assertUnsubscribeLink(configuredKeys(config), { tenantId, userId }, signature);
  return await unsubscribing(database, { tenantId, userId });
}

const WORDS = {
  en: {
    title: 'Daily summaries',
    of: 'Daily summaries by e-mail of',
    button: 'Unsubscribe',
    done: 'You will not get them any more. You can turn them on again in your notification settings.',
  },
  es: {
    title: 'Resúmenes diarios',
    of: 'Resúmenes diarios por correo de',
    button: 'No recibir más',
    done: 'No recibirá más. Puede volver a pedirlos en sus preferencias de notificaciones.',
  },
} as const;

/** @param content HTML */
function page({ companyName, language }: Reader, content: string) {
  const words = WORDS[language];
  const whose = `<p>${words.of} ${escapedHtml(companyName)}.</p>`;
  return smallPage({ language, title: words.title, content: `${whose}\n${content}` });
}
