/** The route that enters deferrals. */
import { Type } from 'typebox';
import { runDeferrals } from '../../../services/ledger/deferrals/run.ts';
import { DeferralRun } from '../../../services/ledger/deferrals/schemas.ts';
import { dataBody, day, flag, integer, nullable, text } from '../../../services/platform/validation/schemas.ts';
import { ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';
import { JournalEntryHead } from '../accounting/journal-entry-schemas.ts';

const Answer = Type.Object(
  {
    year: integer(),
    month: integer({ description: 'The last month that was entered' }),
    entries: Type.Array(JournalEntryHead, { description: 'One for each month of an invoice or entry' }),
    blocked: Type.Array(
      Type.Object({
        date: day({ description: 'The last day of the month' }),
        period: nullable(
          text({ description: 'Code of its period, which is closed or locked; null where there is none' }),
        ),
      }),
      { description: 'Months that wait because nothing can be entered in them: open their period, or give `date`' },
    ),
    more: flag({ description: 'Whether more is due: send it again' }),
  },
  { title: 'DeferralRun' },
);

export const routes: Route[] = [
  defineRoute({
    tag: 'Accounting',
    access: 'journal_entries:create',
    method: 'POST',
    path: '/api/deferral-runs',
    id: 'runDeferrals',
    summary: 'Enter what waits for its month',
    description:
      'Takes prepaid expenses (480) and deferred income (485) of lines with a service period to their accounts, each month by an entry ' +
      'on its last day. The service does so by itself once a month is over; what was entered is not entered again. What waits at a day ' +
      'is in the report `deferrals`.',
    problems: ['period_closed'],
    body: DeferralRun,
    responses: { 200: dataBody(Answer) },
    handler: async ({ db, ctx, body }) => ok(await runDeferrals(db, ctx, body)),
  }),
];
