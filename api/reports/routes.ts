/** Reports: totals over many records, at a date or over a period. */
import { Type } from 'typebox';
import { agingReport } from '../../services/reports/aging.ts';
import { paymentsSummary } from '../../services/reports/payments-summary.ts';
import { amount, choice, day, instant, nullable, text, uuid } from '../../services/validation/schemas.ts';
import { assertRange } from '../list.ts';
import { compared, defineRoute, type Route } from '../route.ts';

const optional = Type.Optional;
const RANGE = { from: optional(day()), to: optional(day()) };

const amounts = {
  total_debt: amount(),
  current: amount({ description: 'Not due' }),
  '30_days': amount({ description: '1 to 30 days past the due date' }),
  '60_days': amount({ description: '31 to 60' }),
  '90_plus': amount({ description: 'Over 60' }),
  credit: amount({ description: 'Unapplied credit; not deducted from total_debt' }),
};
const customers = Type.Array(
  Type.Object({ partner_id: uuid(), partner_name: text(), ...amounts, drilldown: text({ max: 500 }) }),
);

export const routes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/reports/payments-summary',
    id: 'getPaymentsSummary',
    summary: 'Money received and issued, by method',
    description: 'From 1 January to today, unless dates are given.',
    tag: 'Reports',
    access: 'reports:accounting',
    query: Type.Object(RANGE),
    responses: {
      200: compared(
        Type.Object({
          period: text({ description: '<from>/<to>' }),
          total_in: amount(),
          total_out: amount(),
          net: amount(),
          by_method: Type.Record(Type.String(), Type.Object({ in: amount(), out: amount() })),
        }),
      ),
    },
    async handler({ reader, ctx, query }) {
      assertRange(query);
      return { status: 200, body: await paymentsSummary(reader, ctx.now, query) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/reports/aging',
    id: 'getAging',
    summary: 'Open invoices by age',
    description: 'At the date `to` (default today); `from` limits the dates of the invoices.',
    tag: 'Reports',
    access: 'reports:accounting',
    query: Type.Object({
      ...RANGE,
      partner_id: optional(uuid()),
      side: optional(
        choice(['customers', 'suppliers'], {
          default: 'customers',
          description: 'Who owes: customers, or the company to its suppliers',
        }),
      ),
      format: optional(choice(['json'], { default: 'json' })),
    }),
    responses: {
      200: compared(
        Type.Object({
          report_name: text(),
          generated_at: instant(),
          generated_by: nullable(uuid()),
          from: nullable(day()),
          to: day(),
          data: Type.Object({ customers }),
          summary: Type.Object(amounts),
          customers,
        }),
      ),
    },
    async handler({ reader, ctx, query }) {
      assertRange(query);
      const { side, from, to, partner_id: partnerId } = query;
      const direction = side === 'suppliers' ? 'out' : 'in';
      return { status: 200, body: await agingReport(reader, ctx.now, { direction, from, to, partnerId }, ctx.userId) };
    },
  }),
];
