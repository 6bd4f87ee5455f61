/** Routes for the company's templates of mails with documents. */
import { Type } from 'typebox';
import type { JsonRow } from '../../../db/models/base.ts';
import { EmailTemplate } from '../../../db/models/messages/mail.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { LANGUAGES } from '../../../domain/locale/formats.ts';
import { defaultTemplate } from '../../../domain/messages/mail/templates.ts';
import { DOC_TYPES, DOCUMENT_TYPES } from '../../../domain/trade/documents/types.ts';
import { MAX_HTML, type TemplateWarning } from '../../../services/messages/mail/render.ts';
import {
  choice,
  dataBody,
  documentType,
  instant,
  integer,
  nullable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { previewMail } from '../../../services/trade/mail-templates/preview.ts';
import {
  changeTemplate,
  createTemplate,
  readTemplate,
  removeTemplate,
  type Saved,
  templateToJson,
} from '../../../services/trade/mail-templates/templates.ts';
import { listRoute } from '../../lists/list-route.ts';
import { assertPermission } from '../../permission.ts';
import { created, noContent, ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';

const TAG = 'E-mail';
const COLLECTION = '/api/email-templates';
const ONE = `${COLLECTION}/:id`;
const Id = Type.Object({ id: uuid() });
const CLOSED = { additionalProperties: false } as const;
const NAMES =
  'document.title, number, date, dueDate, documentDate, operationDate, validUntil, deliveryDate, reference, supplierReference, notes, ' +
  'currency, subtotal, discountTotal, chargeText, chargeTotal, taxTotal, withholdingAmount, total, paidTotal, outstanding, ' +
  'custom_…, link (of a quotation), ' +
  'lines (number, description, quantity, price, discountPercent, secondDiscountPercent, documentDiscount, documentCharge, taxRate, ' +
  'amount), taxes (code, rate, base, amount); ' +
  'partner.name, code, taxId, email and phone; company.name, email, phone and website';

const words = {
  subject: text({ max: 500, description: `A Liquid template, e.g. {{ document.number }}. Available names: ${NAMES}` }),
  body: text({ max: 10_000, description: 'The text of the mail, a Liquid template like the subject' }),
  bodyHtml: nullable(
    text({
      max: 20_000,
      description: 'The HTML part, with values escaped; by default generated from the text',
    }),
  ),
};
const language = choice(LANGUAGES, { description: 'Language of the partners that get this template' });

const warnings = Type.Optional(
  Type.Array(Type.Object({ pointer: text(), message: text() }), {
    description: 'Unknown names, which are empty in mails, and values that a filter or comparison cannot work with',
  }),
);

const members = {
  id: uuid(),
  docType: choice(DOC_TYPES),
  language,
  ...words,
  version: integer(),
  createdAt: instant(),
  updatedAt: instant(),
};
const Answer = Type.Object({ ...members, warnings }, { title: 'EmailTemplate' });
const Default = Type.Object(
  { docType: choice(DOC_TYPES), language, subject: words.subject, body: words.body },
  { title: 'DefaultEmailTemplate' },
);

const Create = Type.Object(
  {
    docType: documentType(DOC_TYPES),
    language,
    subject: words.subject,
    body: words.body,
    bodyHtml: Type.Optional(words.bodyHtml),
  },
  { ...CLOSED, title: 'EmailTemplateCreate' },
);
const changes = {
  subject: Type.Optional(words.subject),
  body: Type.Optional(words.body),
  bodyHtml: Type.Optional(words.bodyHtml),
};

const list: ListDefinition = {
  fields: {
    docType: { type: 'choice', choices: DOC_TYPES },
    language: { type: 'choice', choices: LANGUAGES },
    subject: { type: 'text', searchable: true },
    createdAt: { type: 'instant' },
    updatedAt: { type: 'instant' },
  },
  defaultSort: 'docType,language',
};

const EXAMPLE = {
  subject: 'Invoice {{ document.number }} of {{ company.name }}',
  body: 'Dear {{ partner.name }},\n\nplease find attached invoice {{ document.number }}, due on {{ document.dueDate }}.',
  bodyHtml: null,
};

export const routes: Route[] = [
  listRoute({
    path: COLLECTION,
    id: 'listEmailTemplates',
    summary: "The company's own mail templates",
    description: "All other mails use the service's templates (GET /api/email-templates/defaults).",
    tag: TAG,
    access: EmailTemplate.access,
    list,
    row: Answer,
    hidden: ['warnings'],
    examples: { answer: EXAMPLE },
    rows: () => ({ from: 'email_templates', toJson: (row: JsonRow) => EmailTemplate.toJson(row) }),
  }),
  defineRoute({
    method: 'GET',
    path: `${COLLECTION}/defaults`,
    id: 'listDefaultEmailTemplates',
    summary: 'Default mail templates',
    description: 'One for each document type and language. They apply until the company creates its own.',
    tag: TAG,
    access: EmailTemplate.access,
    responses: { 200: dataBody(Type.Array(Default)) },
    handler: async () =>
      ok(
        DOC_TYPES.flatMap((docType) =>
          LANGUAGES.map((each) => ({ docType, language: each, ...defaultTemplate(docType, each) })),
        ),
      ),
  }),
  defineRoute({
    method: 'POST',
    path: COLLECTION,
    id: 'createEmailTemplate',
    summary: 'Create a mail template',
    problems: ['duplicate'],
    description:
      'There is one for each document type and language. It is rendered with a sample, and refused if that fails.',
    tag: TAG,
    access: 'config:update',
    body: Create,
    examples: { body: { docType: 'SINV', language: 'en', ...EXAMPLE }, answer: EXAMPLE },
    responses: { 201: dataBody(Answer) },
    async handler({ db, ctx, body }) {
      const saved = await createTemplate(db, ctx, body);
      return created(`${COLLECTION}/${saved.template.id}`, shown(saved));
    },
  }),
  defineRoute({
    method: 'GET',
    path: ONE,
    id: 'getEmailTemplate',
    summary: 'One mail template',
    description: "One of the company's own templates.",
    tag: TAG,
    access: EmailTemplate.access,
    params: Id,
    examples: { answer: EXAMPLE },
    responses: { 200: dataBody(Answer) },
    handler: async ({ reader, params }) => ok(templateToJson(await readTemplate(reader, params.id))),
  }),
  defineRoute({
    method: 'PATCH',
    path: ONE,
    id: 'changeEmailTemplate',
    summary: 'Change a mail template',
    description: 'Mails that are already queued stay as they are.',
    tag: TAG,
    access: 'config:update',
    params: Id,
    body: Type.Object(changes, { ...CLOSED, title: 'EmailTemplateChange' }),
    examples: { body: { subject: EXAMPLE.subject }, answer: EXAMPLE },
    responses: { 200: dataBody(Answer) },
    handler: async ({ db, ctx, params, body, ifMatch }) =>
      ok(shown(await changeTemplate(db, ctx, params.id, body, ifMatch))),
  }),
  defineRoute({
    method: 'DELETE',
    path: ONE,
    id: 'deleteEmailTemplate',
    summary: 'Delete a mail template',
    description: "The service's own template applies from then on.",
    tag: TAG,
    access: 'config:update',
    params: Id,
    responses: { 204: null },
    async handler({ db, ctx, params, ifMatch }) {
      await removeTemplate(db, ctx, params.id, ifMatch);
      return noContent();
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${ONE}/preview`,
    id: 'previewEmailTemplate',
    whenFull: 'works',
    summary: 'Preview a mail',
    description:
      'Rendered with a document, otherwise with the latest of its type, or with a sample if there is none. Nothing is sent or ' +
      'saved: members in the body replace those of the template. The language is that of the template.',
    tag: TAG,
    access: EmailTemplate.access,
    params: Id,
    body: Type.Object({ documentId: Type.Optional(uuid()), ...changes }, { ...CLOSED, title: 'EmailTemplatePreview' }),
    bodyOptional: true,
    examples: { body: {} },
    responses: {
      200: dataBody(
        Type.Object(
          {
            documentId: nullable(uuid({ description: 'null for a sample' })),
            subject: text({ min: 0 }),
            text: text({ min: 0, max: 50_000 }),
            html: text({ max: MAX_HTML }),
            warnings,
          },
          { title: 'EmailPreview' },
        ),
      ),
    },
    async handler({ reader, ctx, caller, params, body }) {
      const template = await readTemplate(reader, params.id);
      assertPermission(caller, `${DOCUMENT_TYPES[template.docType].resource}:read`);
      const { warnings: found, ...preview } = await previewMail(reader, ctx, template, body ?? {});
      return ok({ ...preview, ...given(found) });
    },
  }),
];

function shown({ template, warnings: found }: Saved): JsonRow {
  return { ...templateToJson(template), ...given(found) };
}

function given(found: readonly TemplateWarning[]) {
  return found.length === 0 ? {} : { warnings: [...found] };
}
