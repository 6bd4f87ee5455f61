/** Background tasks: progress and results; deleting a running one cancels it. */
import { Type } from 'typebox';
import { fromRow, type JsonRow } from '../../../db/models/base.ts';
import { Task } from '../../../db/models/platform/tasks.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import type { Language } from '../../../domain/locale/formats.ts';
import { translate } from '../../../domain/locale/messages.ts';
import { SHOWN_TASK_KINDS, SHOWN_TASK_STATUSES, shownTaskStatus, TASK_TYPES } from '../../../domain/platform/tasks.ts';
import { readTaskFile } from '../../../services/platform/files/task-files.ts';
import { personsLanguage } from '../../../services/platform/tasks/language.ts';
import { findTask, removeTask, visibleTasks } from '../../../services/platform/tasks/tasks.ts';
import {
  choice,
  dataBody,
  instant,
  integer,
  nullable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { type ListRequest, listRoute } from '../../lists/list-route.ts';
import { noContent, ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';
import { taskViewer } from './viewer.ts';

const progress = () => Type.Number({ minimum: 0, maximum: 100 });

const task = Type.Object(
  {
    id: uuid(),
    type: choice(TASK_TYPES),
    kind: choice(SHOWN_TASK_KINDS, { description: 'What it does; types are few, and are those of earlier releases' }),
    status: choice(SHOWN_TASK_STATUSES, { description: 'A task is `waiting` until a worker has taken it' }),
    progress: progress(),
    message: text(),
    result_url: Type.Optional(text({ description: 'Address of the result' })),
    result_link: Type.Optional(
      text({
        max: 1000,
        description: 'The same as a browser opens it: a whole address that needs no token while the file is kept',
      }),
    ),
    error: Type.Optional(text({ description: 'Why it failed' })),
    created_by: nullable(uuid()),
    version: integer(),
    created_at: instant(),
    updated_at: instant(),
    completed_at: Type.Optional(instant()),
  },
  { title: 'Task' },
);

/** SQL of what clients see of a task. */
const KIND = `replace(kind, 'awaited_', '')`;
const STATUS = `case when status = 'running' and taken_at is null then 'waiting' else status end`;

const list: ListDefinition = {
  fields: {
    type: { type: 'choice', choices: TASK_TYPES },
    kind: { type: 'choice', choices: SHOWN_TASK_KINDS, column: KIND },
    status: { type: 'choice', choices: SHOWN_TASK_STATUSES, column: STATUS },
    progress: { type: 'number' },
    message: { type: 'text', searchable: true },
    error: { type: 'text', searchable: true },
    created_by: { type: 'uuid' },
    created_at: { type: 'instant' },
    updated_at: { type: 'instant' },
    completed_at: { type: 'instant' },
  },
  defaultSort: '-created_at',
};

/** The language that the client asks for, or else that of the person. */
async function answerLanguage({
  language,
  reader,
  ctx,
}: Pick<ListRequest<unknown>, 'language' | 'reader' | 'ctx'>): Promise<Language> {
  return language ?? (await personsLanguage(reader, ctx.userId));
}

function toJson(task: Task, language: Language, appUrl: string): JsonRow {
  const { message, error, resultUrl } = task;
  const shown = { ...task, message: translate(message, language), error: error && translate(error, language) };
  // Others need a token, which a browser does not send.
  const isOpen = resultUrl?.startsWith('/api/files/') === true;
  return { ...Task.toJson(shown), ...(isOpen ? { result_link: `${appUrl}${resultUrl}` } : {}) };
}

const params = Type.Object({ id: uuid() });
const shared = { tag: 'Tasks', access: 'member', params } as const;

export const routes: Route[] = [
  listRoute({
    tag: 'Tasks',
    access: 'member',
    path: '/api/tasks',
    id: 'listTasks',
    summary: 'List background tasks',
    description: 'Your own; owners and administrators see those of everybody.',
    list,
    row: task,
    async rows(request) {
      const language = await answerLanguage(request);
      return {
        from: 'tasks',
        where: visibleTasks(taskViewer(request)),
        toJson: (row: Record<string, unknown>) => toJson(fromRow(Task, row), language, request.deps.config.appUrl),
      };
    },
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/api/tasks/:id',
    id: 'getTask',
    summary: 'One background task',
    description: 'With `result_url` if there is a result, and `error` if it failed.',
    // Not `whole`: its texts have a language, which a version does not tell.
    responses: { 200: dataBody(task) },
    async handler(request) {
      const found = await findTask(request.reader, taskViewer(request), request.params.id);
      return ok(toJson(found, await answerLanguage(request), request.deps.config.appUrl));
    },
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/api/tasks/:id/progress',
    id: 'getTaskProgress',
    summary: 'Progress of a background task',
    description: 'The short form, for a progress bar.',
    responses: {
      200: Type.Object(
        { id: uuid(), status: choice(SHOWN_TASK_STATUSES), progress: progress(), message: text() },
        { title: 'TaskProgress' },
      ),
    },
    async handler(request) {
      const task = await findTask(request.reader, taskViewer(request), request.params.id);
      const { id, progress } = task;
      const message = translate(task.message, await answerLanguage(request));
      return { status: 200, body: { id, status: shownTaskStatus(task.status, task.takenAt), progress, message } };
    },
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: '/api/tasks/:id/result',
    id: 'getTaskResult',
    summary: 'Result of a background task',
    description:
      "The file that the task's `result_url` names, in its own media type. It is kept for some days, then `result_url` becomes null.",
    responses: { 200: Type.Unknown() },
    headers: ['Content-Disposition'],
    async handler(request) {
      const { id } = await findTask(request.reader, taskViewer(request), request.params.id);
      const { name, contentType, content } = await readTaskFile(request.reader, id, 'task_result');
      return {
        status: 200,
        body: content,
        headers: { 'Content-Type': contentType, 'Content-Disposition': `attachment; filename="${name}"` },
      };
    },
  }),
  defineRoute({
    ...shared,
    method: 'DELETE',
    path: '/api/tasks/:id',
    id: 'deleteTask',
    summary: 'Delete a background task',
    description: 'A running one is cancelled first: nothing is saved any more. Its files are deleted with it.',
    responses: { 204: null },
    async handler(request) {
      const { db, ctx, ifMatch } = request;
      await removeTask(db, ctx, taskViewer(request), request.params.id, ifMatch);
      return noContent();
    },
  }),
];
