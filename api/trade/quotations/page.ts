/** The page that the link of a quotation opens: its PDF, and a form to accept or reject it. A GET only shows. */
import { type Static, Type } from 'typebox';
import type { Context } from '../../../db/context.ts';
import { type ErrorCode, notFound, ServiceError } from '../../../domain/errors.ts';
import { escapedHtml } from '../../../domain/html.ts';
import { type Formats, formatsFor } from '../../../domain/locale/formats.ts';
import { DOCUMENT_STATUS, type DocumentStatus } from '../../../domain/trade/documents/types.ts';
import { configuredKeys } from '../../../services/platform/encryption/seal.ts';
import { loadSettings } from '../../../services/platform/settings/settings.ts';
import { binary, choice, integer, text, uuid } from '../../../services/platform/validation/schemas.ts';
import { loadDocument } from '../../../services/trade/documents/read.ts';
import type { LoadedDocument } from '../../../services/trade/documents/stored.ts';
import { ANSWERS, answerQuotation, hasExpired } from '../../../services/trade/quotations/answer.ts';
import { assertLink, LINK_PATH, linkQuery, type QuotationLink } from '../../../services/trade/quotations/link.ts';
import { noticeOfAnswer } from '../../../services/trade/quotations/notice.ts';
import { findLinkedPartner } from '../../../services/trade/quotations/partner.ts';
import { smallPage } from '../../messages/page.ts';
import { type Deps, defineRoute, type Route } from '../../route.ts';
import { documentFile } from '../documents/pdf.ts';

/** Actor in the audit log: the link identifies the quotation, but not the person who followed it. */
const ACTOR = 'quotation_link';
const MAX_FORM = 20_000;
const MAX_NAME = 200;
const MAX_NOTE = 2000;
/** Refusals of what was answered or changed meanwhile. */
const ENDED: readonly ErrorCode[] = ['invalid_transition', 'stale_version'];

const Link = {
  company: uuid({ description: 'From the link' }),
  document: uuid({ description: 'From the link' }),
  revision: integer({ minimum: 1, description: 'From the link' }),
  expires: integer({ minimum: 0, maximum: 100_000_000_000, description: 'From the link' }),
  signature: text({ max: 100, description: 'From the link' }),
};
type Linked = Static<ReturnType<typeof Type.Object<typeof Link>>>;

const shared = { tag: 'Sales', access: 'public', problems: ['not_found'] } as const;

export const pageRoutes: Route[] = [
  defineRoute({
    ...shared,
    method: 'GET',
    path: LINK_PATH,
    id: 'quotationPage',
    summary: 'The page that the link of a quotation opens',
    description: 'An HTML page with the PDF and a form that sends the POST. The GET itself changes nothing.',
    query: Type.Object(Link),
    responses: { 200: binary('text/html') },
    handler: async ({ query, deps }) => await page(deps, checked(deps, query)),
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: `${LINK_PATH}/pdf`,
    id: 'linkedQuotationPdf',
    summary: 'The PDF of a quotation, by its link',
    description: 'That of the version of the link, as long as there is no later one.',
    query: Type.Object(Link),
    responses: { 200: binary('application/pdf') },
    async handler({ query, deps }) {
      const link = checked(deps, query);
      const { row } = await load(deps, link);
      return await documentFile(deps, { tenantId: link.tenantId, documentId: row.id, docType: row.docType });
    },
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: LINK_PATH,
    id: 'answerQuotationByLink',
    summary: 'Accept or reject a quotation by its link',
    description:
      'A form with `name` and `note`. If it was answered before, or has expired, the page shows that instead of changing anything.',
    query: Type.Object({ ...Link, answer: choice(ANSWERS, { description: 'The answer' }) }),
    transaction: 'none',
    upload: { mediaTypes: ['application/x-www-form-urlencoded'], limit: MAX_FORM },
    responses: { 200: binary('text/html') },
    async handler({ query, body, deps, requestId }) {
      const link = checked(deps, query);
      const form = new URLSearchParams(Buffer.from(body.content).toString('utf8'));
      const said = (member: string, max: number) => (form.get(member) ?? '').trim().slice(0, max) || null;
      const name = said('name', MAX_NAME);
      if (name === null) return await page(deps, link, true);
      const ctx: Context = { tenantId: link.tenantId, userId: null, actor: ACTOR, requestId, now: deps.now() };
      try {
        // What was read is what is answered: it may have been revised meanwhile.
        const ifMatch = (await load(deps, link)).row.version;
        await deps.database.withTenant(ctx, async (trx) => {
          const answering = { name, note: said('note', MAX_NOTE) };
          const answered = await answerQuotation(trx, ctx, link.documentId, query.answer, answering, { ifMatch });
          await noticeOfAnswer(trx, ctx, answered, query.answer, name);
        });
      } catch (error) {
        // The page says how it ended.
        const isEnded = error instanceof ServiceError && ENDED.includes(error.code);
        if (!isEnded) throw error;
      }
      return await page(deps, link);
    },
  }),
];

/** @throws ServiceError not_found for a link that the service did not create, or that has ended */
function checked({ config, now }: Deps, { company, document, revision, expires, signature }: Linked): QuotationLink {
  const link = { tenantId: company, documentId: document, revision, expires };
  assertLink(configuredKeys(config), link, signature, now());
  return link;
}

/** @throws ServiceError not_found unless this version is the current one, and was sent */
async function load({ database }: Deps, link: QuotationLink): Promise<LoadedDocument> {
  const document = await database.readTenant(link, (db) => loadDocument(db, link.documentId));
  const { revision, status } = document.row;
  if (revision !== link.revision || status === DOCUMENT_STATUS.draft) throw notFound('The quotation');
  return document;
}

/** @param nameless whether an answer came without the name of a person */
async function page(deps: Deps, link: QuotationLink, nameless = false) {
  const document = await load(deps, link);
  const { row } = document;
  const { company, formats } = await deps.database.readTenant(link, async (db) => {
    const { language } = await findLinkedPartner(db, row.partner.id);
    const [settings, format] = [await loadSettings(db, 'company'), await loadSettings(db, 'format')];
    return { company: settings.name, formats: formatsFor(format, language) };
  });
  const words = WORDS[formats.language];
  const query = escapedHtml(linkQuery(configuredKeys(deps.config), link));
  const facts = [
    [words.from, company],
    [words.to, row.partner.name],
    [words.total, formats.money(row.total, row.currency)],
    ...(row.validUntil === null ? [] : [[words.validUntil, formats.day(row.validUntil)]]),
  ].map(([name, value]) => `<p>${name}: <strong>${escapedHtml(String(value))}</strong></p>`);
  const file = `<p><a href="${LINK_PATH}/pdf?${query}">${words.pdf}</a></p>`;
  const content = `${facts.join('\n')}\n${file}\n${answerPart(document, deps.now(), formats, query, nameless)}`;
  return smallPage({ language: formats.language, title: `${words.title} ${row.code}`, content });
}

/** The form, or how the quotation was answered. @param query of the link, as HTML */
function answerPart(document: LoadedDocument, now: Date, formats: Formats, query: string, nameless: boolean): string {
  const words = WORDS[formats.language];
  const { status, decidedBy, decidedAt } = document.row;
  if (status !== DOCUMENT_STATUS.open) {
    const by = decidedBy === null ? '' : ` ${escapedHtml(decidedBy)}`;
    const when = decidedAt === null ? '' : `, ${formats.day(decidedAt.slice(0, 10))}`;
    return `<p role="status">${words.ended[status] ?? words.over}${by}${when}</p>`;
  }
  if (hasExpired(document, now)) return `<p role="status">${words.ended.E}</p>`;
  const button = (answer: (typeof ANSWERS)[number]) =>
    `<button formaction="${LINK_PATH}?${query}&amp;answer=${answer}">${words.buttons[answer]}</button>`;
  return `<form method="post">
${nameless ? `<p role="alert">${words.nameless}</p>` : ''}
<p><label>${words.name} <input name="name" required maxlength="${MAX_NAME}" autocomplete="name"></label></p>
<p><label>${words.note} <textarea name="note" maxlength="${MAX_NOTE}"></textarea></label></p>
${ANSWERS.map(button).join(' ')}
</form>`;
}

interface Words {
  readonly title: string;
  readonly from: string;
  readonly to: string;
  readonly total: string;
  readonly validUntil: string;
  readonly pdf: string;
  readonly name: string;
  readonly note: string;
  readonly nameless: string;
  readonly buttons: Readonly<Record<(typeof ANSWERS)[number], string>>;
  readonly ended: Readonly<Partial<Record<DocumentStatus, string>>>;
  readonly over: string;
}

const WORDS: Readonly<Record<Formats['language'], Words>> = {
  en: {
    title: 'Quotation',
    ...{ from: 'From', to: 'For', total: 'Total', validUntil: 'Valid until', pdf: 'Open the PDF' },
    ...{ name: 'Your name', note: 'Comment', nameless: 'Please give your name.' },
    buttons: { accept: 'Accept', reject: 'Reject' },
    ended: { A: 'It is accepted:', R: 'It is rejected:', E: 'It has expired.', X: 'It was withdrawn.' },
    over: 'It is accepted.',
  },
  es: {
    title: 'Presupuesto',
    ...{ from: 'De', to: 'Para', total: 'Total', validUntil: 'Válido hasta', pdf: 'Abrir el PDF' },
    ...{ name: 'Su nombre', note: 'Comentario', nameless: 'Indique su nombre, por favor.' },
    buttons: { accept: 'Aceptar', reject: 'Rechazar' },
    ended: { A: 'Está aceptado:', R: 'Está rechazado:', E: 'Ha caducado.', X: 'Se ha retirado.' },
    over: 'Está aceptado.',
  },
};
