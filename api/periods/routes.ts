import { Type } from 'typebox';
import { Period } from '../../db/models/master-data.ts';
import { checkDates, checkPeriodChange, generatePeriods } from '../../services/periods/periods.ts';
import { defineResource } from '../resource.ts';
import { answerSchema, type ResourceFields } from '../resource-fields.ts';
import { defineRoute, type Route } from '../route.ts';
import { choice, day, integer, text } from '../schemas.ts';

const TAG = 'Periods';
const fields: ResourceFields = {
  code: { schema: text({ max: 20 }), required: true, searchable: true },
  name: { schema: text({ min: 0 }), searchable: true },
  from: { schema: day(), required: true },
  to: { schema: day({ description: 'The last day of the period' }), required: true },
  status: { schema: choice(['O', 'C'], { description: 'O open, C closed' }), default: 'O' },
};

export const routes: Route[] = [
  ...defineResource({
    name: 'Period',
    plural: 'Periods',
    path: '/api/periods',
    tag: TAG,
    permission: 'periods',
    model: Period,
    defaultSort: 'from',
    fields,
    async onCreate(_, values) {
      checkDates(values);
      return values;
    },
    async onPatch({ trx, caller }, values, current) {
      await checkPeriodChange(trx, caller.role, values, current);
      return values;
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/periods/generate',
    id: 'generatePeriods',
    summary: 'Make the missing months of a fiscal year',
    description: 'Months that a period covers already, even in part, are left out. Answers the new ones.',
    tag: TAG,
    access: 'periods:create',
    body: Type.Object({
      year: integer({ minimum: 1900, maximum: 9998, description: 'The calendar year in which the fiscal year begins' }),
    }),
    responses: { 201: Type.Object({ data: Type.Array(answerSchema('Period', fields)) }) },
    async handler({ db, ctx, body }) {
      const created = await generatePeriods(db, ctx, body.year);
      return { status: 201, body: { data: created.map((period) => Period.present({ ...period })) } };
    },
  }),
];
