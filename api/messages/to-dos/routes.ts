/** To-dos of people, and the approvals that they are asked for. */
import { Type } from 'typebox';
import { fromRow, type JsonRow } from '../../../db/models/base.ts';
import { ToDo } from '../../../db/models/messages/to-dos.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { type Answer, TO_DO_KINDS, TO_DO_STATUSES } from '../../../domain/messages/to-dos.ts';
import { ROLES, type Role } from '../../../domain/permissions.ts';
import { answerApproval, finishToDo, reopenToDo } from '../../../services/messages/to-dos/end.ts';
import { MAX_BODY, MAX_TITLE, ToDoBody, ToDoEnd, ToDoPatch } from '../../../services/messages/to-dos/schemas.ts';
import {
  assignToDo,
  changeToDo,
  findToDo,
  removeToDo,
  type ToDoViewer,
  visibleToDos,
} from '../../../services/messages/to-dos/to-dos.ts';
import {
  choice,
  dataBody,
  instant,
  integer,
  nullable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { requireUser } from '../../access/sessions/routes.ts';
import { listRoute } from '../../lists/list-route.ts';
import { created, noContent, ok } from '../../respond.ts';
import { type Caller, defineRoute, type Route } from '../../route.ts';
import { answerRoutes } from './answer-page.ts';

const PATH = '/api/to-dos';
const shared = { tag: 'To-dos', access: 'member' } as const;
const params = Type.Object({ id: uuid() });
const roles = Object.keys(ROLES) as Role[];

const Answered = Type.Object(
  {
    id: uuid(),
    kind: choice(TO_DO_KINDS, { description: 'to_do: something to do; approval: somebody waits for a yes or no' }),
    title: text({ max: MAX_TITLE }),
    body: text({ min: 0, max: MAX_BODY }),
    user_id: nullable(uuid({ description: 'The member who must do it; null if anybody with the role may' })),
    role: nullable(choice(roles, { description: 'The role of those of whom one must do it' })),
    due_at: nullable(instant({ description: 'When it must be done; an approval ends then' })),
    status: choice(TO_DO_STATUSES, {
      description: 'expired: nobody has answered in time; cancelled: nobody needs the answer any more',
    }),
    ended_by: nullable(uuid({ description: 'Who has done or answered it; null while it is open, and if nobody has' })),
    ended_at: nullable(instant()),
    comment: nullable(text({ min: 0, description: 'What they said about it' })),
    document_id: nullable(uuid({ description: 'The document that it is about' })),
    run_id: nullable(uuid({ description: 'The run of an automation that made it' })),
    created_by: nullable(uuid()),
    version: integer(),
    created_at: instant(),
    updated_at: instant(),
  },
  { title: 'ToDo' },
);

const list: ListDefinition = {
  fields: {
    kind: { type: 'choice', choices: TO_DO_KINDS },
    status: { type: 'choice', choices: TO_DO_STATUSES },
    title: { type: 'text', searchable: true },
    body: { type: 'text', searchable: true },
    user_id: { type: 'uuid' },
    role: { type: 'choice', choices: roles },
    due_at: { type: 'instant' },
    document_id: { type: 'uuid' },
    run_id: { type: 'uuid' },
    created_by: { type: 'uuid' },
    ended_at: { type: 'instant' },
    created_at: { type: 'instant', notNull: true },
  },
  defaultSort: '-created_at',
};

export const routes: Route[] = [
  ...answerRoutes,
  listRoute({
    ...shared,
    path: PATH,
    id: 'listToDos',
    summary: 'To-dos and approvals, newest first',
    description: "Yours, those of your role and those that you made; owners and administrators see everybody's.",
    list,
    row: Answered,
    rows: ({ caller }) => ({
      from: 'to_dos',
      where: visibleToDos(toViewer(caller)),
      toJson: (row: JsonRow) => toJson(fromRow(ToDo, row)),
    }),
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: PATH,
    id: 'createToDo',
    summary: 'Give somebody something to do',
    description: 'A member, or whoever has a role first; they are notified.',
    body: ToDoBody,
    responses: { 201: dataBody(Answered) },
    async handler({ db, ctx, body }) {
      const { user_id = null, role = null, due_at = null, document_id = null, body: more = '', title } = body;
      const given = { kind: 'to_do', title, body: more, user_id, role, due_at, document_id } as const;
      const { toDo } = await assignToDo(db, ctx, given);
      return created(`${PATH}/${toDo.id}`, toJson(toDo));
    },
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: `${PATH}/:id`,
    id: 'getToDo',
    summary: 'One to-do or approval',
    description: 'One that you may not see does not exist for you.',
    whole: true,
    params,
    responses: { 200: dataBody(Answered) },
    handler: async ({ reader, caller, params: { id } }) => ok(toJson(await findToDo(reader, toViewer(caller), id))),
  }),
  defineRoute({
    ...shared,
    method: 'PATCH',
    path: `${PATH}/:id`,
    id: 'updateToDo',
    summary: 'Change a to-do',
    description:
      'By who made it, or an administrator, while it is open. Whoever it is given to is notified. Approvals stay as they are.',
    params,
    body: ToDoPatch,
    problems: ['invalid_transition', 'forbidden'],
    responses: { 200: dataBody(Answered) },
    handler: async ({ db, ctx, caller, params: { id }, body, ifMatch }) =>
      ok(toJson(await changeToDo(db, ctx, toViewer(caller), id, body, ifMatch))),
  }),
  defineRoute({
    ...shared,
    method: 'DELETE',
    path: `${PATH}/:id`,
    id: 'deleteToDo',
    summary: 'Delete a to-do',
    description: 'By who made it, or an administrator. Approvals cannot be deleted.',
    params,
    problems: ['invalid_transition', 'forbidden'],
    responses: { 204: null },
    async handler({ db, ctx, caller, params: { id }, ifMatch }) {
      await removeToDo(db, ctx, toViewer(caller), id, ifMatch);
      return noContent();
    },
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: `${PATH}/:id/done`,
    id: 'finishToDo',
    whenFull: 'reserve',
    summary: 'Mark a to-do as done',
    description: 'By anybody who sees it.',
    params,
    body: ToDoEnd,
    bodyOptional: true,
    problems: ['invalid_transition'],
    responses: { 200: dataBody(Answered) },
    handler: async ({ db, ctx, caller, params: { id }, body, ifMatch }) =>
      ok(toJson(await finishToDo(db, ctx, toViewer(caller), id, body?.comment ?? null, ifMatch))),
  }),
  defineRoute({
    ...shared,
    method: 'POST',
    path: `${PATH}/:id/reopen`,
    id: 'reopenToDo',
    summary: 'Open a done to-do again',
    description: 'By anybody who sees it.',
    params,
    problems: ['invalid_transition'],
    responses: { 200: dataBody(Answered) },
    handler: async ({ db, ctx, caller, params: { id }, ifMatch }) =>
      ok(toJson(await reopenToDo(db, ctx, toViewer(caller), id, ifMatch))),
  }),
  answering('approve', 'approved', 'Approve what somebody waits for'),
  answering('refuse', 'refused', 'Refuse what somebody waits for'),
];

function answering(action: string, answer: Answer, summary: string): Route {
  return defineRoute({
    ...shared,
    method: 'POST',
    path: `${PATH}/:id/${action}`,
    id: `${action}ToDo`,
    whenFull: 'reserve',
    summary,
    description: 'By those who are asked, until the deadline; the first answer counts. What waits for it goes on.',
    params,
    body: ToDoEnd,
    bodyOptional: true,
    problems: ['invalid_transition', 'forbidden'],
    responses: { 200: dataBody(Answered) },
    async handler({ db, ctx, caller, params: { id }, body, ifMatch }) {
      const viewer = { ...toViewer(caller), userId: requireUser(caller).userId };
      const said = { answer, comment: body?.comment ?? null };
      return ok(toJson(await answerApproval(db, ctx, viewer, id, said, ifMatch)));
    },
  });
}

function toViewer({ userId, role }: Caller): ToDoViewer {
  return { userId, role };
}

function toJson(row: ToDo) {
  return ToDo.toJson({ ...row });
}
