/** The company's own accounts, by purpose. */
import { Type } from 'typebox';
import { ACCOUNT_ROLES, type AccountRole, roleMember } from '../../domain/accounting/roles.ts';
import { loadAccounting, replaceAccounting } from '../../services/accounting/config.ts';
import { flag, nullable, uuid } from '../../services/validation/schemas.ts';
import { settings } from '../respond.ts';
import { defineRoute, type Route } from '../route.ts';

const accountOf = (role: AccountRole) =>
  nullable(uuid({ description: `Account ${ACCOUNT_ROLES[role]} of the chart when none is set` }));
const accounts = Object.fromEntries(
  (Object.keys(ACCOUNT_ROLES) as AccountRole[]).map((role) => [roleMember(role), accountOf(role)]),
) as Record<ReturnType<typeof roleMember>, ReturnType<typeof accountOf>>;
const members = {
  ...accounts,
  stockCountEntries: flag({
    description:
      'Whether a count that differs is entered as stock variation at once (default), or only when the year is closed',
  }),
  noteEntries: flag({
    description:
      'Whether new delivery notes are entered at once (600/4009, 4309/700) and cleared by their invoices, instead of what is not ' +
      'invoiced yet being entered when the year is closed (default)',
  }),
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
    summary: 'The accounts that the company posts to',
    description: 'Partner groups, tax groups, item categories and items may name others, which take precedence.',
    access: 'accounts:read',
    handler: async ({ reader, ctx }) => settings(ctx, await loadAccounting(reader)),
  }),
  defineRoute({
    ...shared,
    method: 'PUT',
    id: 'replaceAccounting',
    summary: 'Replace the accounts that the company posts to',
    description: 'Members left out return to the accounts of the chart.',
    access: 'accounts:update',
    body: Input,
    async handler({ db, ctx, body, ifMatch }) {
      return settings(ctx, await replaceAccounting(db, ctx, body, ifMatch));
    },
  }),
];
