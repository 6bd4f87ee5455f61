/** How the company words its mails with documents. */
import { Type } from 'typebox';
import type { JsonRow } from '../../db/models/base.ts';
import { EmailTemplate } from '../../db/models/emails.ts';
import type { ListDefinition } from '../../db/queries/list.ts';
import { DOC_TYPES, DOCUMENT_TYPES } from '../../domain/documents/types.ts';
import { LANGUAGES } from '../../domain/locale/formats.ts';
import { defaultTemplate } from '../../domain/mail/templates.ts';
import { MOST_HTML, type UnknownName } from '../../services/mail/render.ts';
import { previewMail } from '../../services/mail-templates/preview.ts';
import {
  changeTemplate,
  createTemplate,
  readTemplate,
  removeTemplate,
  type Saved,
  templateToJson,
} from '../../services/mail-templates/templates.ts';
import {
  choice,
  dataOf,
  documentType,
  instant,
  integer,
  nullable,
  text,
  uuid,
} from '../../services/validation/schemas.ts';
import { listRoute } from '../list-route.ts';
import { assertPermission } from '../permission.ts';
import { created, noContent, ok } from '../respond.ts';
import { defineRoute, type Route } from '../route.ts';

const TAG = 'E-mail';
const COLLECTION = '/api/email-templates';
const ONE = `${COLLECTION}/:id`;
const Id = Type.Object({ id: uuid() });
const CLOSED = { additionalProperties: false } as const;
const NAMES =
  'document.title, document.number, document.date, document.dueDate, document.total, document.reference, partner.name, ' +
  'company.name, company.email, company.phone and company.website';

const words = {
  subject: text({ max: 500, description: `In Liquid: {{ document.number }}. There are ${NAMES}` }),
  body: text({ max: 10_000, description: 'The text of the mail, in Liquid as the subject' }),
  bodyHtml: nullable(
    text({
      max: 20_000,
      description: 'The HTML part, in which values are escaped; without one it follows from the text',
    }),
  ),
};
const language = choice(LANGUAGES, { description: 'For partners with this language' });

const warnings = Type.Optional(
  Type.Array(Type.Object({ pointer: text(), message: text() }), {
    description: 'Names that documents do not have: they are empty in mails',
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
    summary: 'The templates of mails that the company has written',
    description: 'For all others those of the service apply (GET /api/email-templates/defaults).',
    tag: TAG,
    access: 'config:read',
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
    summary: 'The templates that apply until the company writes its own',
    description: 'For each type of documents and language; a copy of one is a good beginning.',
    tag: TAG,
    access: 'config:read',
    responses: { 200: dataOf(Type.Array(Default)) },
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
    summary: 'Write a template of mails',
    problems: ['duplicate'],
    description:
      'There is one for each type of documents and language. It is filled in with a sample, and refused if that fails.',
    tag: TAG,
    access: 'config:update',
    body: Create,
    examples: { body: { docType: 'SINV', language: 'en', ...EXAMPLE }, answer: EXAMPLE },
    responses: { 201: dataOf(Answer) },
    async handler({ db, ctx, body }) {
      const saved = await createTemplate(db, ctx, body);
      return created(`${COLLECTION}/${saved.template.id}`, shown(saved));
    },
  }),
  defineRoute({
    method: 'GET',
    path: ONE,
    id: 'getEmailTemplate',
    summary: 'One template of mails',
    description: 'As the company has written it.',
    tag: TAG,
    access: 'config:read',
    params: Id,
    examples: { answer: EXAMPLE },
    responses: { 200: dataOf(Answer) },
    handler: async ({ reader, params }) => ok(templateToJson(await readTemplate(reader, params.id))),
  }),
  defineRoute({
    method: 'PATCH',
    path: ONE,
    id: 'changeEmailTemplate',
    summary: 'Change a template of mails',
    description: 'Mails that are queued already do not change.',
    tag: TAG,
    access: 'config:update',
    params: Id,
    body: Type.Object(changes, { ...CLOSED, title: 'EmailTemplateChange' }),
    examples: { body: { subject: EXAMPLE.subject }, answer: EXAMPLE },
    responses: { 200: dataOf(Answer) },
    handler: async ({ db, ctx, params, body, ifMatch }) =>
      ok(shown(await changeTemplate(db, ctx, params.id, body, ifMatch))),
  }),
  defineRoute({
    method: 'DELETE',
    path: ONE,
    id: 'deleteEmailTemplate',
    summary: 'Delete a template of mails',
    description: "From then on the service's own applies.",
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
    summary: 'What a mail would say',
    description:
      'With a document, else with the latest of its type, or with a sample while there is none. Nothing is sent or saved: members given ' +
      'here take the place of those of the template. The language is that of the template.',
    tag: TAG,
    access: 'config:read',
    params: Id,
    body: Type.Object({ documentId: Type.Optional(uuid()), ...changes }, { ...CLOSED, title: 'EmailTemplatePreview' }),
    bodyOptional: true,
    examples: { body: {} },
    responses: {
      200: dataOf(
        Type.Object(
          {
            documentId: nullable(uuid({ description: 'null for a sample' })),
            subject: text(),
            text: text({ max: 50_000 }),
            html: text({ max: MOST_HTML }),
            warnings,
          },
          { title: 'EmailPreview' },
        ),
      ),
    },
    async handler({ reader, caller, params, body }) {
      const template = await readTemplate(reader, params.id);
      assertPermission(caller, `${DOCUMENT_TYPES[template.docType].resource}:read`);
      const { unknown, ...preview } = await previewMail(reader, template, body ?? {});
      return ok({ ...preview, ...warningsOf(unknown) });
    },
  }),
];

function shown({ template, unknown }: Saved): JsonRow {
  return { ...templateToJson(template), ...warningsOf(unknown) };
}

function warningsOf(unknown: readonly UnknownName[]) {
  if (unknown.length === 0) return {};
  return {
    warnings: unknown.map(({ pointer, name }) => ({ pointer, message: `${name} is empty: there is no such name` })),
  };
}
