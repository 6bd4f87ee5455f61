/** The company's own accounts, by purpose. */
import { Type } from 'typebox';
import { CHART_CODES } from '../../../domain/ledger/accounting/charts/index.ts';
import { ACCOUNT_ROLES, type AccountRole, roleMember } from '../../../domain/ledger/accounting/roles.ts';
import { loadAccounting, replaceAccounting } from '../../../services/ledger/accounting/config.ts';
import { choice, flag, nullable, uuid } from '../../../services/platform/validation/schemas.ts';
import { settings } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';

const accountSchema = (role: AccountRole) =>
  nullable(uuid({ description: `Defaults to the account of the chart, in that of Spain ${ACCOUNT_ROLES[role]}` }));
const accounts = Object.fromEntries(
  (Object.keys(ACCOUNT_ROLES) as AccountRole[]).map((role) => [roleMember(role), accountSchema(role)]),
) as Record<ReturnType<typeof roleMember>, ReturnType<typeof accountSchema>>;
const members = {
  ...accounts,
  chart: choice(CHART_CODES, {
    description:
      'The chart of accounts, whose accounts are the defaults; changed by POST /api/accounts/import-chart only',
  }),
  stockCountEntries: flag({
    description: 'Whether stock count differences are entered immediately (default), or only when the year is closed',
  }),
  noteEntries: flag({
    description:
      'Whether new delivery notes are entered immediately (600/4009, 4309/700) and cleared by their invoices; by default, ' +
      'uninvoiced amounts are entered only when the year is closed',
  }),
  automaticDepreciation: flag({
    description:
      'Whether the depreciation of fixed assets is entered by itself once a month is over, with all earlier months that are missing; ' +
      'by default only POST /api/asset-runs enters it',
  }),
  defaultCostCenterId: nullable(
    uuid({
      description:
        'Cost center of document lines that neither document, item nor partner give one, and of what the service enters by itself on ' +
        'accounts that require one',
    }),
  ),
  defaultProjectId: nullable(uuid({ description: 'Project of those lines, likewise' })),
};
const Input = Type.Partial(Type.Object(members, { title: 'AccountingInput', additionalProperties: false }));
const Answer = Type.Object(members, { title: 'Accounting' });

const shared = {
  path: '/api/config/accounting',
  tag: 'Accounting',
  responses: { 200: Answer },
  headers: ['ETag'],
} as const;

export const routes: Route[] = [
  defineRoute({
    ...shared,
    method: 'GET',
    id: 'getAccounting',
    summary: 'The accounts used for posting',
    description:
      'Partner groups, tax groups, item categories and items may name other accounts, which take precedence.',
    access: 'accounts:read',
    handler: async ({ reader, ctx }) => settings(ctx, await loadAccounting(reader)),
  }),
  defineRoute({
    ...shared,
    method: 'PUT',
    id: 'replaceAccounting',
    whenFull: 'reserve',
    summary: 'Replace the accounts used for posting',
    description: 'Omitted members return to the accounts of the chart.',
    access: 'accounts:update',
    body: Input,
    async handler({ db, ctx, body, ifMatch }) {
      return settings(ctx, await replaceAccounting(db, ctx, body, ifMatch));
    },
  }),
];
