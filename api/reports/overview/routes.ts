/** The dashboard. */
import { Type } from 'typebox';
import { DOCUMENT_TYPES } from '../../../domain/trade/documents/types.ts';
import {
  amount,
  choice,
  day,
  integer,
  nullable,
  quantity,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { dashboardSummary } from '../../../services/reports/overview/dashboard.ts';
import { compared, defineRoute, type Route } from '../../route.ts';

const turnover = (description: string) =>
  nullable(
    Type.Object(
      {
        total: amount(),
        count: integer(),
        prevTotal: amount({ description: 'Value for the previous period' }),
        prevCount: integer({ description: 'Value for the previous period' }),
      },
      { description },
    ),
  );
const outstanding = (description: string) =>
  nullable(
    Type.Object(
      {
        open: amount({ description: 'Debts, without credit' }),
        openCount: integer({ description: 'Invoices and open items' }),
      },
      { description },
    ),
  );
const partners = (description: string) =>
  nullable(Type.Array(Type.Object({ name: text(), total: amount() }), { description }));
const lowStock = Type.Object({ id: uuid(), code: text(), name: text(), stock: quantity(), minStock: quantity() });
const batch = Type.Object({ batchNum: text(), itemName: text(), expiryDate: day(), quantity: quantity() });

export const routes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/dashboard/summary',
    id: 'getDashboardSummary',
    summary: 'The company today',
    description:
      'Posted invoices of the present accounting period beside the one before, net of tax; what is outstanding; items below their ' +
      'minimum, and batches that expire within 30 days or have expired; the last documents. What your role may not read is null.',
    tag: 'Reports',
    access: 'member',
    responses: {
      200: compared(
        Type.Object({
          period: nullable(Type.Object({ id: uuid(), code: text(), name: nullable(text()) })),
          sales: turnover('Invoices to customers'),
          purchases: turnover('Invoices of suppliers'),
          stockAlerts: Type.Object(
            {
              lowStock: nullable(Type.Array(lowStock, { description: 'Below their minimum, the emptiest first' })),
              expiringBatches: nullable(Type.Array(batch, { description: 'With goods on hand, the oldest first' })),
            },
            { description: 'Low stock and expiring batches' },
          ),
          recentDocs: Type.Array(
            Type.Object({
              type: choice(Object.values(DOCUMENT_TYPES).map(({ name }) => name)),
              code: nullable(text()),
              total: amount(),
              partnerName: text(),
            }),
            { description: 'The last documents by date, of the types that your role may read' },
          ),
          topPartners: Type.Object(
            { customers: partners('By what was invoiced to them'), suppliers: partners('By what they invoiced') },
            { description: 'The first five of the period' },
          ),
          receivables: outstanding('What customers owe today'),
          payables: outstanding('What is owed to suppliers today'),
        }),
      ),
    },
    async handler({ reader, ctx, caller }) {
      const body = await dashboardSummary(reader, ctx.now, (permission) => caller.permissions.has(permission));
      return { status: 200, body };
    },
  }),
];
