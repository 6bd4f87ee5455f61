/** Schedules of reports: which are made when, and for whom. */
import { Type } from 'typebox';
import { fromRow } from '../../../db/models/base.ts';
import { ReportSchedule } from '../../../db/models/platform/tasks.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { visibleTo } from '../../../services/platform/tasks/tasks.ts';
import {
  choice,
  dataBody,
  instant,
  integer,
  nullable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { permissionFor } from '../../../services/reports/engine/declaration.ts';
import { namedReport } from '../../../services/reports/generation/reports.ts';
import {
  changeSchedule,
  createSchedule,
  readSchedule,
  removeSchedule,
  scheduleToJson,
  setActive,
} from '../../../services/reports/schedules/manage.ts';
import { members, ReportScheduleChange, ReportScheduleCreate } from '../../../services/reports/schedules/schemas.ts';
import { RUN_OUTCOMES } from '../../../workflows/reports/schedules/contract.ts';
import { listRoute } from '../../lists/list-route.ts';
import { assertPermission } from '../../permission.ts';
import { taskViewer } from '../../platform/tasks/viewer.ts';
import { created, noContent, ok } from '../../respond.ts';
import { defineRoute, type Route, type RouteRequest } from '../../route.ts';

const TAG = 'Reports';
const COLLECTION = '/api/report-schedules';
const ONE = `${COLLECTION}/:id`;

const Answer = Type.Object(
  {
    id: uuid(),
    ...members,
    pause_reason: nullable(text({ max: 500, description: 'Why it is paused, if not by a request' })),
    next_runs: Type.Array(instant(), { description: 'The next five; none while it is paused' }),
    last_run_at: nullable(instant({ description: 'When it last ran, whatever came of it' })),
    last_outcome: nullable(
      choice(RUN_OUTCOMES, {
        description:
          'started: a task makes the file; empty: no figures; still_running: so was the task of the run before',
      }),
    ),
    last_task_id: nullable(uuid({ description: 'The task of the last run: its result is the file' })),
    created_by: nullable(uuid({ description: 'Its owner: it runs with their rights' })),
    version: integer(),
    created_at: instant(),
    updated_at: instant(),
  },
  { title: 'ReportSchedule' },
);
/** As listed: the next runs are computed for one schedule at a time. */
const Listed = Type.Omit(Answer, ['next_runs'], { title: 'ListedReportSchedule' });

const list: ListDefinition = {
  fields: {
    name: { type: 'text', searchable: true },
    report_name: { type: 'text', searchable: true },
    format: { type: 'text' },
    active: { type: 'boolean' },
    created_by: { type: 'uuid' },
    last_run_at: { type: 'instant' },
    created_at: { type: 'instant' },
    updated_at: { type: 'instant' },
  },
  defaultSort: '-created_at',
};

const one = { tag: TAG, access: 'member', params: Type.Object({ id: uuid() }) } as const;

export const routes: Route[] = [
  listRoute({
    tag: TAG,
    access: 'member',
    path: COLLECTION,
    id: 'listReportSchedules',
    summary: 'List scheduled reports',
    description: 'Your own; owners and administrators see those of everybody.',
    list,
    row: Listed,
    rows: (request) => ({
      from: 'report_schedules',
      where: visibleTo(taskViewer(request)),
      toJson: (row: Record<string, unknown>) => ReportSchedule.toJson({ ...fromRow(ReportSchedule, row) }),
    }),
  }),
  defineRoute({
    tag: TAG,
    access: 'member',
    method: 'POST',
    path: COLLECTION,
    id: 'createReportSchedule',
    summary: 'Schedule a report',
    description:
      'At the times of `cron` a task of yours makes the file, with your rights: needs the permission for the report, now and then.',
    problems: ['forbidden'],
    body: ReportScheduleCreate,
    responses: { 201: dataBody(Answer) },
    async handler(request) {
      assertMay(request, request.body.report_name);
      const schedule = await createSchedule(request.db, request.ctx, request.body);
      return created(`${COLLECTION}/${schedule.id}`, scheduleToJson(schedule, request.ctx.now));
    },
  }),
  defineRoute({
    ...one,
    method: 'GET',
    path: ONE,
    id: 'getReportSchedule',
    summary: 'One scheduled report',
    description: 'With its next runs, and what came of the last.',
    responses: { 200: dataBody(Answer) },
    async handler(request) {
      const schedule = await readSchedule(request.reader, taskViewer(request), request.params.id);
      return ok(scheduleToJson(schedule, request.ctx.now));
    },
  }),
  defineRoute({
    ...one,
    method: 'PATCH',
    path: ONE,
    id: 'changeReportSchedule',
    whenFull: 'reserve',
    summary: 'Change a scheduled report',
    description: 'Members left out stay as they are. Its owner stays the same.',
    problems: ['forbidden', 'invalid_transition'],
    body: ReportScheduleChange,
    responses: { 200: dataBody(Answer) },
    async handler(request) {
      const { db, ctx, params, body, ifMatch } = request;
      if (body.report_name !== undefined) assertMay(request, body.report_name);
      return ok(scheduleToJson(await changeSchedule(db, ctx, taskViewer(request), params.id, body, ifMatch), ctx.now));
    },
  }),
  defineRoute({
    ...one,
    method: 'DELETE',
    path: ONE,
    id: 'deleteReportSchedule',
    summary: 'Delete a scheduled report',
    description: 'Files that were made stay as long as their tasks.',
    responses: { 204: null },
    async handler(request) {
      const { db, ctx, params, ifMatch } = request;
      await removeSchedule(db, ctx, taskViewer(request), params.id, ifMatch);
      return noContent();
    },
  }),
  stateRoute('pause', 'Pause a scheduled report', 'It stays as it is, but does not run.'),
  stateRoute('resume', 'Resume a scheduled report', 'Runs that it has missed are not made up for.'),
];

function stateRoute(verb: 'pause' | 'resume', summary: string, description: string): Route {
  return defineRoute({
    ...one,
    method: 'POST',
    path: `${ONE}/${verb}`,
    id: `${verb}ReportSchedule`,
    whenFull: 'reserve',
    summary,
    description,
    problems: ['invalid_transition'],
    responses: { 200: dataBody(Answer) },
    async handler(request) {
      const { db, ctx, params, ifMatch } = request;
      const active = verb === 'resume';
      return ok(scheduleToJson(await setActive(db, ctx, taskViewer(request), params.id, active, ifMatch), ctx.now));
    },
  });
}

/** @throws ServiceError forbidden for a report that the caller may not see */
function assertMay({ caller }: Pick<RouteRequest<unknown, unknown, unknown>, 'caller'>, name: string): void {
  const report = namedReport(name);
  if (report !== undefined) assertPermission(caller, permissionFor(report));
}
