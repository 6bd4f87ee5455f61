import { Type } from 'typebox';
import { Period } from '../../../db/models/records/master-data.ts';
import { generatePeriods } from '../../../services/ledger/periods/periods.ts';
import { integer } from '../../../services/platform/validation/schemas.ts';
import { periods } from '../../../services/records/master-data/periods.ts';
import { answerSchema } from '../../../services/records/resources/fields.ts';
import { defineRoute, type Route } from '../../route.ts';

export const routes: Route[] = [
  defineRoute({
    method: 'POST',
    path: '/api/periods/generate',
    id: 'generatePeriods',
    summary: 'Generate the missing months of a fiscal year',
    problems: ['overlap', 'invalid_transition', 'duplicate'],
    description: 'Skips months that are covered by a period, even partly. Returns the new periods.',
    tag: periods.tag,
    access: 'periods:create',
    body: Type.Object({
      year: integer({ minimum: 1900, maximum: 9998, description: 'The calendar year in which the fiscal year begins' }),
    }),
    responses: { 201: Type.Object({ data: Type.Array(answerSchema(periods)) }) },
    async handler({ db, ctx, body }) {
      const created = await generatePeriods(db, ctx, body.year);
      return { status: 201, body: { data: created.map((period) => Period.toJson({ ...period })) } };
    },
  }),
];
