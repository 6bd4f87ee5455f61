import { Type } from 'typebox';
import { Period } from '../../../db/models/records/master-data.ts';
import { PERIOD_STATUSES } from '../../../domain/ledger/accounting/periods.ts';
import { AREA_LOCKS } from '../../../domain/ledger/periods/areas.ts';
import { toNumber } from '../../../domain/money.ts';
import { readChecklist, SEVERITIES, type Severity } from '../../../services/ledger/closing/checklist.ts';
import { MOST_ITEMS } from '../../../services/ledger/closing/items.ts';
import { generatePeriods } from '../../../services/ledger/periods/periods.ts';
import {
  amount,
  choice,
  currencyCode,
  dataBody,
  day,
  integer,
  nullable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { periods } from '../../../services/records/master-data/periods.ts';
import { answerSchema } from '../../../services/records/resources/fields.ts';
import { ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';

const Checklist = Type.Object(
  {
    period: Type.Object(
      {
        id: uuid(),
        code: text(),
        from: day(),
        to: day(),
        status: choice(PERIOD_STATUSES),
        lockedAreas: Type.Array(choice(AREA_LOCKS), { description: 'Areas that are locked in it' }),
      },
      { title: 'CheckedPeriod' },
    ),
    currency: currencyCode('Of the amounts'),
    blocking: integer({ description: 'Checks that keep it from being closed' }),
    warning: integer({ description: 'Other checks that have found something' }),
    checks: Type.Array(
      Type.Object(
        {
          code: text({ description: 'Stable, for programs' }),
          title: text(),
          count: integer({ description: 'Rows found' }),
          amount: nullable(amount({ description: "Their value in the company's currency; null if they have none" })),
          severity: choice(SEVERITIES, { description: 'blocks: it cannot be closed; warns; fine: nothing was found' }),
          path: text({ description: 'The list that shows the rows, with its filter' }),
          items: nullable(
            Type.Array(
              Type.Object(
                {
                  id: nullable(uuid({ description: 'Null for a return that is missing' })),
                  name: text({ max: 1000 }),
                  path: text({ max: 500, description: 'Where to see it' }),
                },
                { title: 'PeriodCheckItem' },
              ),
              {
                description: `What is open, the first ${MOST_ITEMS}, of checks whose rows no list has; null: that behind \`path\` has them`,
              },
            ),
          ),
        },
        { title: 'PeriodCheck' },
      ),
      { description: 'All checks whose rows the caller may read' },
    ),
  },
  { title: 'PeriodChecklist' },
);

export const routes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/periods/:id/checklist',
    id: 'getPeriodChecklist',
    summary: 'What is open in a period',
    description:
      'To work through before closing it: drafts, bank lines, goods without invoices and other gaps. Closing it warns of them.',
    tag: periods.tag,
    access: 'periods:read',
    params: Type.Object({ id: uuid() }),
    responses: { 200: dataBody(Checklist) },
    async handler({ reader, params, caller }) {
      const { period, currency, checks } = await readChecklist(reader, params.id);
      const shown = checks.filter(({ access }) => caller.permissions.has(access));
      const having = (wanted: Severity) => shown.filter(({ severity }) => severity === wanted).length;
      return ok({
        period,
        currency,
        blocking: having('blocks'),
        warning: having('warns'),
        checks: shown.map(({ access: _, amount: value, items, ...check }) => ({
          ...check,
          items: items && [...items],
          amount: value === null ? null : toNumber(value),
        })),
      });
    },
  }),
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
