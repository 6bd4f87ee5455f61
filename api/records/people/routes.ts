/** Routes of employees beyond the resources of services/records/master-data. */
import { Type } from 'typebox';
import { toNumber } from '../../../domain/money.ts';
import { amount, dataBody, integer, uuid } from '../../../services/platform/validation/schemas.ts';
import { loadVacation } from '../../../services/records/people/vacation.ts';
import { ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';
import { routes as leaveDecisions } from './leave-decisions.ts';

const Vacation = Type.Object(
  {
    employeeId: uuid(),
    year: integer(),
    entitled: amount({
      places: 1,
      description: 'Entitlement by the contracts, in proportion to their days in the year',
    }),
    taken: amount({ places: 1, description: 'Up to today' }),
    planned: amount({ places: 1, description: 'After today' }),
    remaining: amount({ places: 1, description: 'Below zero where it was more' }),
  },
  { title: 'Vacation' },
);

export const routes: Route[] = [
  ...leaveDecisions,
  defineRoute({
    tag: 'People',
    method: 'GET',
    path: '/api/employees/:id/vacation',
    id: 'getVacation',
    summary: 'Days of vacation of an employee',
    description: `In calendar days: \`vacationDays\` of the contract for a whole year.
Approved absences of type vacation count with their \`days\`.
Without \`year\` it is that of today.`,
    access: 'people:read',
    params: Type.Object({ id: uuid() }),
    query: Type.Object({ year: Type.Optional(integer({ minimum: 1900, maximum: 9998 })) }),
    responses: { 200: dataBody(Vacation) },
    async handler({ reader, ctx, params, query }) {
      const { year, ...balance } = await loadVacation(reader, ctx, params.id, query.year);
      const days = Object.entries(balance).map(([name, value]) => [name, toNumber(value)]);
      return ok({ employeeId: params.id, year, ...Object.fromEntries(days) });
    },
  }),
];
