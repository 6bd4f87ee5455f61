/** Comments on records. */
import { Type } from 'typebox';
import { fromRow, type JsonRow } from '../../../db/models/base.ts';
import { Comment } from '../../../db/models/records/comments.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import {
  choice,
  dataBody,
  instant,
  integer,
  nullable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { contributionSource, findContribution } from '../../../services/records/commentable/contributions.ts';
import { COMMENTABLE_TYPES } from '../../../services/records/commentable/kinds.ts';
import {
  COMMENTS,
  changeComment,
  createComment,
  MAX_COMMENT_LENGTH,
  removeComment,
} from '../../../services/records/comments/comments.ts';
import { listRoute } from '../../lists/list-route.ts';
import { created, noContent, ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';

const PATH = '/api/comments';
const TAG = 'Comments';
const one = { tag: TAG, access: 'member', path: `${PATH}/:id`, params: Type.Object({ id: uuid() }) } as const;
const body = () => text({ max: MAX_COMMENT_LENGTH, description: 'A text; `@ana@example.com` mentions a colleague' });

const Answer = Type.Object(
  {
    id: uuid(),
    entityType: choice(COMMENTABLE_TYPES),
    entityId: uuid(),
    body: body(),
    userId: nullable(uuid({ description: 'The author; null if an API key wrote it' })),
    author: nullable(text({ description: 'The name of the author' })),
    actor: nullable(text({ description: 'The author if it was not a user: api_key:<id>' })),
    mentions: Type.Array(uuid(), { description: 'The users who were mentioned, and may read the record' }),
    version: integer(),
    createdAt: instant(),
    updatedAt: instant(),
  },
  { title: 'Comment' },
);

const list: ListDefinition = {
  defaultSort: '',
  key: 'comments.id',
  fields: {
    entityType: { type: 'choice', column: 'comments.entity_type', choices: COMMENTABLE_TYPES },
    entityId: { type: 'uuid', column: 'comments.entity_id' },
    userId: { type: 'uuid', column: 'comments.user_id' },
    body: { type: 'text', column: 'comments.body', searchable: true, sortable: false },
    createdAt: { type: 'instant', column: 'comments.created_at' },
  },
};

export const routes: Route[] = [
  listRoute<never, JsonRow>({
    path: PATH,
    id: 'listComments',
    summary: 'Comments, newest first',
    description: 'On records that you may read; those of one record with `entityType` and `entityId`.',
    tag: TAG,
    access: 'member',
    list,
    row: Answer,
    ids: ['entityId'],
    rows: ({ caller }) => ({ ...contributionSource(COMMENTS, caller), toJson: shown }),
  }),
  defineRoute({
    method: 'POST',
    path: PATH,
    id: 'createComment',
    summary: 'Comment on a record',
    description:
      'Whom the comment mentions by e-mail address, as `@ana@example.com`, is notified, if they may read the record.',
    tag: TAG,
    access: 'member',
    body: Type.Object({ entityType: choice(COMMENTABLE_TYPES), entityId: uuid(), body: body() }),
    responses: { 201: dataBody(Answer) },
    async handler({ db, ctx, caller, body }) {
      const { id } = await createComment(db, ctx, caller, body);
      return created(`${PATH}/${id}`, Comment.toJson({ ...(await findContribution(db, COMMENTS, caller, id)) }));
    },
  }),
  defineRoute({
    ...one,
    method: 'GET',
    id: 'getComment',
    summary: 'One comment',
    description: 'With its author, and whom it mentions.',
    responses: { 200: dataBody(Answer) },
    async handler({ reader, caller, params }) {
      return ok(Comment.toJson({ ...(await findContribution(reader, COMMENTS, caller, params.id)) }));
    },
  }),
  defineRoute({
    ...one,
    method: 'PATCH',
    id: 'updateComment',
    summary: 'Change a comment',
    description: 'Your own. Who is mentioned for the first time is notified.',
    problems: ['forbidden'],
    body: Type.Object({ body: Type.Optional(body()) }),
    responses: { 200: dataBody(Answer) },
    async handler({ db, ctx, caller, params, body, ifMatch }) {
      await changeComment(db, ctx, caller, params.id, { ...body, ifMatch });
      return ok(Comment.toJson({ ...(await findContribution(db, COMMENTS, caller, params.id)) }));
    },
  }),
  defineRoute({
    ...one,
    method: 'DELETE',
    id: 'deleteComment',
    summary: 'Delete a comment',
    description: 'Your own; owners and administrators delete those of everybody.',
    problems: ['forbidden'],
    responses: { 204: null },
    async handler({ db, ctx, caller, params, ifMatch }) {
      await removeComment(db, ctx, caller, params.id, ifMatch);
      return noContent();
    },
  }),
];

function shown(row: JsonRow): JsonRow {
  return Comment.toJson({ ...fromRow(Comment, row) });
}
