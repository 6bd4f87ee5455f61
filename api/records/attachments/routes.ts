/** Attachments of records, and files behind signed links. */
import contentDisposition from 'content-disposition';
import { Type } from 'typebox';
import type { Reader } from '../../../db/database.ts';
import { fromRow, type JsonRow } from '../../../db/models/base.ts';
import { Attachment } from '../../../db/models/records/attachments.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { assertLinkHolds } from '../../../services/access/sessions/result-links.ts';
import { configuredKeys } from '../../../services/platform/encryption/seal.ts';
import { readFile } from '../../../services/platform/files/files.ts';
import { assertLink, linkTo } from '../../../services/platform/files/links.ts';
import {
  binary,
  choice,
  dataBody,
  instant,
  integer,
  label,
  nullable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import {
  ATTACHMENTS,
  attachFile,
  findAttachment,
  MAX_ATTACHMENT_BYTES,
  readContent,
  removeAttachment,
  renameAttachment,
} from '../../../services/records/attachments/attachments.ts';
import { contributionSource, findContribution } from '../../../services/records/commentable/contributions.ts';
import { COMMENTABLE_TYPES } from '../../../services/records/commentable/kinds.ts';
import { listRoute } from '../../lists/list-route.ts';
import { ANYTHING } from '../../middleware/upload.ts';
import { created, noContent, ok } from '../../respond.ts';
import { type Deps, defineRoute, type Route, type RouteResponse } from '../../route.ts';
import { attachmentDeps, MAX_NAME_LENGTH, requestedName } from './upload.ts';

const PATH = '/api/files';
const TAG = 'Files';
const one = { tag: TAG, access: 'member', path: `${PATH}/:id`, params: Type.Object({ id: uuid() }) } as const;
const DETAILS = `${one.path}/details`;
/** Last second of the year 9999, in seconds since 1970. */
const LAST_SECOND = 253_402_300_799;
const HOUR = 3600;
const WEEK = 7 * 24 * HOUR;

const name = () => label({ max: MAX_NAME_LENGTH, description: 'The name under which it is downloaded' });
const Answer = Type.Object(
  {
    id: uuid(),
    entityType: choice(COMMENTABLE_TYPES),
    entityId: uuid(),
    name: name(),
    contentType: text({ description: 'Media type, found by its bytes' }),
    size: integer({ description: 'In bytes' }),
    sha256: text({ description: 'Checksum of the content, in hexadecimal digits' }),
    userId: nullable(uuid({ description: 'User who attached it; null for an API key' })),
    author: nullable(text({ description: 'The name of who attached it' })),
    actor: nullable(text({ description: 'Actor who attached it, if not a user: api_key:<id>' })),
    version: integer(),
    createdAt: instant(),
    updatedAt: instant(),
  },
  { title: 'Attachment' },
);

const list: ListDefinition = {
  defaultSort: '',
  key: 'attachments.id',
  fields: {
    id: { type: 'uuid', column: 'attachments.id' },
    entityType: { type: 'choice', column: 'attachments.entity_type', choices: COMMENTABLE_TYPES },
    entityId: { type: 'uuid', column: 'attachments.entity_id' },
    name: { type: 'text', column: 'attachments.name', searchable: true },
    contentType: { type: 'text', column: 'attachments.content_type' },
    size: { type: 'integer', column: 'attachments.size' },
    sha256: { type: 'text', column: 'attachments.sha256', sortable: false },
    userId: { type: 'uuid', column: 'attachments.user_id' },
    createdAt: { type: 'instant', column: 'attachments.created_at' },
  },
};

export const routes: Route[] = [
  listRoute<never, JsonRow>({
    tag: TAG,
    access: 'member',
    path: PATH,
    id: 'listFiles',
    summary: 'Attachments, newest first',
    description: 'Attachments of records that you may read; with `entityType` and `entityId`, those of one record.',
    list,
    row: Answer,
    ids: ['id', 'entityId'],
    rows: ({ caller }) => ({
      ...contributionSource(ATTACHMENTS, caller),
      toJson: (row: JsonRow) => Attachment.toJson({ ...fromRow(Attachment, row) }),
    }),
  }),
  defineRoute({
    tag: TAG,
    access: 'member',
    method: 'POST',
    path: PATH,
    id: 'uploadFile',
    summary: 'Attach a file to a record',
    description:
      'The bytes themselves, or the part `file` of a form. Its media type is found by its bytes; programs are refused.',
    query: Type.Object({
      entityType: choice(COMMENTABLE_TYPES),
      entityId: uuid(),
      name: Type.Optional(name()),
    }),
    upload: { mediaTypes: [ANYTHING], limit: MAX_ATTACHMENT_BYTES },
    problems: ['unavailable'],
    responses: { 201: dataBody(Answer) },
    transaction: 'none',
    async handler({ deps, reader, ctx, caller, query, body }) {
      const named = requestedName(query.name ?? body.name);
      const file = { ...query, name: named, content: body.content };
      const id = await attachFile(attachmentDeps(deps), ctx, caller, file);
      return created(
        `${PATH}/${id}`,
        Attachment.toJson({ ...(await findContribution(reader, ATTACHMENTS, caller, id)) }),
      );
    },
  }),
  defineRoute({
    ...one,
    method: 'GET',
    id: 'getFile',
    summary: 'Download a file',
    description:
      'An attachment of a record that you may read. A signed link (`result_url` of a task, or of `GET /api/files/:id/link`) needs no ' +
      'token: it belongs to one file, and expires.',
    signed: true,
    query: Type.Object({
      company: Type.Optional(uuid({ description: 'For signed links: the company that owns the file' })),
      expires: Type.Optional(
        integer({
          minimum: 0,
          maximum: LAST_SECOND,
          description: 'For signed links: time of expiry, in seconds since 1970',
        }),
      ),
      signature: Type.Optional(text({ description: 'For signed links: signature of the service' })),
    }),
    responses: { 200: binary('*/*') },
    problems: ['not_found', 'unavailable'],
    async handler(request) {
      const { deps, params, query } = request;
      const { company, expires, signature } = query;
      if (signature === undefined) {
        return await attachmentAnswer(
          deps,
          request.reader,
          await findContribution(request.reader, ATTACHMENTS, request.caller, params.id),
        );
      }
      if (company === undefined || expires === undefined) {
        throw new ServiceError('invalid_parameter', 'company and expires must be there, as in the link');
      }
      assertLink(configuredKeys(deps.config), { tenantId: company, fileId: params.id, expires, signature }, deps.now());
      const reader = deps.database.reader({ tenantId: company });
      const attachment = await findAttachment(reader, params.id);
      if (attachment !== undefined) return await attachmentAnswer(deps, reader, attachment);
      await assertLinkHolds(reader, params.id, deps.now());
      const file = await readFile(reader, params.id);
      return download(file, file.content);
    },
  }),
  defineRoute({
    ...one,
    method: 'GET',
    path: DETAILS,
    id: 'getFileDetails',
    summary: 'One attachment, without its content',
    description: 'Its name, type, size and checksum, and who attached it.',
    responses: { 200: dataBody(Answer) },
    async handler({ reader, caller, params }) {
      return ok(Attachment.toJson({ ...(await findContribution(reader, ATTACHMENTS, caller, params.id)) }));
    },
  }),
  defineRoute({
    ...one,
    method: 'GET',
    path: `${one.path}/link`,
    id: 'getFileLink',
    summary: 'A link to an attachment that needs no token',
    description: 'For somebody without an account. It expires, and ends with the file.',
    query: Type.Object({
      seconds: Type.Optional(
        integer({ minimum: 1, maximum: WEEK, default: HOUR, description: 'For how long it is valid' }),
      ),
    }),
    responses: {
      200: dataBody(
        Type.Object(
          { url: text({ max: 2000, description: 'The address, with the name of the service' }), expiresAt: instant() },
          { title: 'FileLink' },
        ),
      ),
    },
    problems: ['unavailable'],
    async handler({ deps, reader, ctx, caller, params, query: { seconds = HOUR } }) {
      const { id } = await findContribution(reader, ATTACHMENTS, caller, params.id);
      const expires = Math.floor(deps.now().getTime() / 1000) + seconds;
      const link = linkTo(configuredKeys(deps.config), { tenantId: ctx.tenantId, fileId: id, expires });
      if (link === null)
        throw new ServiceError('unavailable', 'Links cannot be signed because ENCRYPTION_KEY is not set');
      return ok({ url: `${deps.config.appUrl}${link}`, expiresAt: new Date(expires * 1000).toISOString() });
    },
  }),
  defineRoute({
    ...one,
    method: 'PATCH',
    path: DETAILS,
    id: 'updateFile',
    summary: 'Rename an attachment',
    description: 'One of your own; owners and administrators rename all.',
    problems: ['forbidden'],
    body: Type.Object({ name: Type.Optional(name()) }),
    responses: { 200: dataBody(Answer) },
    async handler({ db, ctx, caller, params, body, ifMatch }) {
      await renameAttachment(db, ctx, caller, params.id, { ...body, ifMatch });
      return ok(Attachment.toJson({ ...(await findContribution(db, ATTACHMENTS, caller, params.id)) }));
    },
  }),
  defineRoute({
    ...one,
    method: 'DELETE',
    id: 'deleteFile',
    summary: 'Delete an attachment',
    description: 'One of your own; owners and administrators delete all. Its content and its links end with it.',
    problems: ['forbidden'],
    responses: { 204: null },
    async handler({ db, ctx, caller, params, ifMatch }) {
      await removeAttachment(db, ctx, caller, params.id, ifMatch);
      return noContent();
    },
  }),
];

async function attachmentAnswer(deps: Deps, reader: Reader, attachment: Attachment): Promise<RouteResponse> {
  const { store } = attachmentDeps(deps);
  return download(attachment, await readContent(reader, store, attachment));
}

/** Browsers never show it within the service's own address. */
function download(
  { name, contentType }: { readonly name: string; readonly contentType: string },
  body: unknown,
): RouteResponse {
  return {
    status: 200,
    body,
    headers: {
      'Content-Type': contentType,
      'Content-Disposition': contentDisposition(name),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "sandbox; default-src 'none'",
    },
  };
}
