/** Routes of time records, the daily record of working time. */
import { Type } from 'typebox';
import { TimeRecord } from '../../../db/models/records/people.ts';
import { selectColumns } from '../../../db/models/selected.ts';
import { findRow } from '../../../db/queries/find.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { notFound } from '../../../domain/errors.ts';
import { workedMinutes } from '../../../domain/staff/time/record.ts';
import {
  dataBody,
  day,
  instant,
  integer,
  nullable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import {
  cancelTimeRecord,
  clockIn,
  clockOut,
  correctTimeRecord,
  enterTimeRecord,
} from '../../../services/staff/time/records.ts';
import {
  ClockIn,
  ClockOut,
  TimeRecordBody,
  TimeRecordCancel,
  TimeRecordPatch,
} from '../../../services/staff/time/schemas.ts';
import { listRoute } from '../../lists/list-route.ts';
import { created, ok } from '../../respond.ts';
import { compared, defineRoute, type Route } from '../../route.ts';

const TAG = 'Time records';
const PATH = '/api/time-records';
const Id = Type.Object({ id: uuid() });

const Answer = compared(
  Type.Object(
    {
      id: uuid(),
      employeeId: uuid(),
      day: day({ description: "The day on which it begins, in the company's time zone; it belongs to that day" }),
      startedAt: instant(),
      endedAt: nullable(instant({ description: 'Null while the work goes on' })),
      breakMinutes: integer(),
      workedMinutes: nullable(integer({ description: 'Without breaks; null while the work goes on' })),
      note: nullable(text()),
      lastReason: nullable(
        text({ description: 'Reason of the last correction or cancellation; null if there was none' }),
      ),
      cancelledAt: nullable(instant()),
      version: integer(),
      createdAt: instant(),
      updatedAt: instant(),
    },
    { title: 'TimeRecord' },
  ),
);

type TimeRecordRow = Omit<TimeRecord, keyof import('objection').Model | 'tenantId'>;

function toJson(row: TimeRecordRow) {
  const { id, employeeId, day: on, startedAt, endedAt, breakMinutes, note, lastReason, cancelledAt } = row;
  const { version, createdAt, updatedAt } = row;
  const worked = { workedMinutes: workedMinutes({ startedAt, endedAt, breakMinutes }) };
  const texts = { note, lastReason, cancelledAt, version, createdAt, updatedAt };
  return { id, employeeId, day: on, startedAt, endedAt, breakMinutes, ...worked, ...texts };
}

const list: ListDefinition = {
  defaultSort: '-startedAt',
  key: 't.id',
  fields: {
    employeeId: { type: 'uuid', column: 't.employee_id' },
    day: { type: 'date', column: 't.day', notNull: true },
    startedAt: { type: 'instant', column: 't.started_at', notNull: true },
    endedAt: { type: 'instant', column: 't.ended_at' },
    breakMinutes: { type: 'integer', column: 't.break_minutes', notNull: true },
    note: { type: 'text', column: 't.note', searchable: true },
    lastReason: { type: 'text', column: 't.last_reason', searchable: true },
    cancelledAt: { type: 'instant', column: 't.cancelled_at' },
    createdAt: { type: 'instant', column: 't.created_at', notNull: true },
  },
};

export const routes: Route[] = [
  listRoute<never, TimeRecordRow>({
    path: PATH,
    id: 'listTimeRecords',
    summary: 'Time records, latest first',
    description: 'Cancelled ones are among them; `cancelledAt[empty]=true` leaves them out.',
    tag: TAG,
    access: TimeRecord.access,
    list,
    row: Answer,
    references: { employeeId: 'employees' },
    rows: () => ({ from: 'time_records t', columns: [selectColumns(TimeRecord, 't')], toJson }),
  }),
  defineRoute({
    method: 'POST',
    path: PATH,
    id: 'createTimeRecord',
    summary: 'Enter a time record afterwards',
    description: 'At most 24 hours long, within the employment, and not in the future.',
    tag: TAG,
    access: 'people:create',
    problems: ['overlap'],
    body: TimeRecordBody,
    responses: { 201: dataBody(Answer) },
    async handler({ db, ctx, body }) {
      const row = await enterTimeRecord(db, ctx, body);
      return created(`${PATH}/${row.id}`, toJson(row));
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${PATH}/clock-in`,
    id: 'clockIn',
    whenFull: 'reserve',
    summary: 'Clock in',
    description: 'Begins a time record now.',
    tag: TAG,
    access: 'people:create',
    problems: ['invalid_transition', 'overlap'],
    body: ClockIn,
    responses: { 201: dataBody(Answer) },
    async handler({ db, ctx, body }) {
      const row = await clockIn(db, ctx, body);
      return created(`${PATH}/${row.id}`, toJson(row));
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${PATH}/clock-out`,
    id: 'clockOut',
    whenFull: 'reserve',
    summary: 'Clock out',
    description: 'Ends the open time record now. One that began more than 24 hours ago has to be corrected instead.',
    tag: TAG,
    access: 'people:create',
    problems: ['invalid_transition'],
    body: ClockOut,
    responses: { 200: dataBody(Answer) },
    handler: async ({ db, ctx, body }) => ok(toJson(await clockOut(db, ctx, body))),
  }),
  defineRoute({
    method: 'GET',
    path: `${PATH}/:id`,
    id: 'getTimeRecord',
    summary: 'One time record',
    description: 'Also a cancelled one, with the reason.',
    tag: TAG,
    access: TimeRecord.access,
    params: Id,
    responses: { 200: dataBody(Answer) },
    async handler({ reader, params }) {
      const found = await findRow(reader, TimeRecord, { id: params.id });
      if (found === undefined) throw notFound('This time record');
      return ok(toJson(found));
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: `${PATH}/:id`,
    id: 'correctTimeRecord',
    summary: 'Correct a time record',
    description: 'Needs a reason. The audit log keeps what stood before.',
    tag: TAG,
    access: 'people:update',
    problems: ['invalid_transition', 'overlap'],
    params: Id,
    body: TimeRecordPatch,
    responses: { 200: dataBody(Answer) },
    handler: async ({ db, ctx, params, body, ifMatch }) =>
      ok(toJson(await correctTimeRecord(db, ctx, params.id, body, ifMatch))),
  }),
  defineRoute({
    method: 'POST',
    path: `${PATH}/:id/cancel`,
    id: 'cancelTimeRecord',
    whenFull: 'reserve',
    summary: 'Cancel a time record',
    description: 'It stays, with the reason, and counts no more. Time records are never deleted.',
    tag: TAG,
    access: 'people:update',
    problems: ['invalid_transition'],
    params: Id,
    body: TimeRecordCancel,
    responses: { 200: dataBody(Answer) },
    handler: async ({ db, ctx, params, body, ifMatch }) =>
      ok(toJson(await cancelTimeRecord(db, ctx, params.id, body.reason, ifMatch))),
  }),
];
