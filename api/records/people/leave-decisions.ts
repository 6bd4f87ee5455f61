/** Routes that decide requests for leave. */
import { Type } from 'typebox';
import type { Absence } from '../../../db/models/records/people.ts';
import { assertVersion } from '../../../db/write.ts';
import { dataBody, label, uuid } from '../../../services/platform/validation/schemas.ts';
import { absences } from '../../../services/records/master-data/absences.ts';
import { approveLeave, refuseLeave } from '../../../services/records/people/leave-decisions.ts';
import type { HookScope } from '../../../services/records/resources/declaration.ts';
import { lockOne } from '../../../services/records/resources/find.ts';
import { loadWrittenRow, writtenSchema } from '../../resource.ts';
import { ok } from '../../respond.ts';
import { defineRoute, type Route, type RouteRequest } from '../../route.ts';

type Decided = RouteRequest<{ readonly id: string }, unknown, unknown>;

const ofOne = { tag: absences.tag, params: Type.Object({ id: uuid() }), access: 'people:update' as const };
const responses = { 200: dataBody(writtenSchema(absences)) };

async function decided(request: Decided, decide: (scope: HookScope, current: Absence) => Promise<Absence>) {
  const { db, ctx, caller, params, ifMatch } = request;
  const current = (await lockOne(db, absences, params)) as Absence;
  assertVersion(current, ifMatch);
  return ok(await loadWrittenRow(absences, request, await decide({ trx: db, ctx, role: caller.role }, current)));
}

export const routes: Route[] = [
  defineRoute({
    ...ofOne,
    method: 'POST',
    path: `${absences.path}/:id/approve`,
    id: 'approveAbsence',
    summary: 'Approve a request for leave',
    description: `From then on it counts. It must still be within the employment. A request is decided once (409 invalid_transition).`,
    problems: ['invalid_transition'],
    responses,
    handler: (request) => decided(request, approveLeave),
  }),
  defineRoute({
    ...ofOne,
    method: 'POST',
    path: `${absences.path}/:id/refuse`,
    id: 'refuseAbsence',
    summary: 'Refuse a request for leave',
    description: `With the reason. Its days are free for another request. A request is decided once (409 invalid_transition).`,
    problems: ['invalid_transition'],
    body: Type.Object(
      { reason: label({ max: 2000, description: 'Why it is refused' }) },
      { additionalProperties: false },
    ),
    responses,
    handler: (request) => decided(request, (scope, current) => refuseLeave(scope, current, request.body.reason)),
  }),
];
