/** Charts of accounts: those that the service has, and bringing one into a company. */
import { Type } from 'typebox';
import { invalidMember } from '../../../domain/errors.ts';
import { CHART_CODES, CHARTS } from '../../../domain/ledger/accounting/charts/index.ts';
import { ACCOUNT_ROLES, type AccountRole } from '../../../domain/ledger/accounting/roles.ts';
import {
  choice,
  dataBody,
  flag,
  integer,
  label,
  nullable,
  text,
} from '../../../services/platform/validation/schemas.ts';
import { ACCOUNT_TYPES } from '../../../services/records/master-data/accounts.ts';
import { importChart } from '../../../services/records/master-data/import-chart.ts';
import { assertPermission } from '../../permission.ts';
import { ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';

const TAG = 'Accounts';
const MAX_ACCOUNTS = 2000;
const ROLES = Object.keys(ACCOUNT_ROLES) as AccountRole[];

const OUTCOME = Type.Object({
  code: text({ description: 'Code of the account or tax' }),
  outcome: choice(['created', 'changed', 'unchanged', 'kept'], {
    description: '`kept`: it differs, but stays as it is because it has entries, or is the heading of others',
  }),
});

export const routes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/accounts/charts',
    id: 'listCharts',
    summary: 'The charts of accounts that a company can have',
    description: 'A company follows one of them: `chart` of /api/config/accounting.',
    tag: TAG,
    access: 'accounts:read',
    responses: {
      200: dataBody(
        Type.Array(
          Type.Object(
            {
              code: text({ description: 'The code of the chart' }),
              name: text({ description: 'In the language of the chart' }),
              country: nullable(text({ description: 'ISO 3166 code of two letters; null for any' })),
              language: text({ description: 'Of the names of accounts' }),
              accounts: integer({ description: 'How many it has' }),
            },
            { title: 'Chart' },
          ),
          { description: 'The first of a country is that of its new companies' },
        ),
      ),
    },
    handler: async () =>
      ok(
        CHARTS.map(({ code, name, country, language, accounts }) => ({
          ...{ code, name, country, language },
          accounts: accounts.length,
        })),
      ),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/accounts/import-chart',
    id: 'importChart',
    summary: 'Bring a chart of accounts into the company',
    problems: ['in_use', 'forbidden'],
    description: `Either \`chart\`, or \`accounts\` of one's own (as a file: POST /api/import/accounts). Adds what is missing, and changes
accounts without entries; all of it or nothing. With \`?preview=true\` nothing is kept.`,
    tag: TAG,
    access: 'accounts:create',
    body: Type.Object(
      {
        chart: Type.Optional(choice(CHART_CODES, { description: 'A chart that the service has' })),
        accounts: Type.Optional(
          Type.Array(
            Type.Object(
              {
                code: label({ max: 20 }),
                name: label(),
                type: choice(ACCOUNT_TYPES),
                isHeading: Type.Optional(flag({ default: false, description: 'Nothing is entered on it' })),
                parent: Type.Optional(
                  nullable(
                    label({ max: 20, description: 'Code of the heading above; by default the nearest by the code' }),
                  ),
                ),
                roles: Type.Optional(
                  Type.Array(choice(ROLES), {
                    description: 'What it is used for, as members of /api/config/accounting',
                  }),
                ),
              },
              { additionalProperties: false },
            ),
            { minItems: 1, maxItems: MAX_ACCOUNTS, description: "Rows of one's own" },
          ),
        ),
        taxes: Type.Optional(
          flag({
            default: false,
            description:
              'Adds the taxes of the named chart too; in the Canary Islands, Ceuta and Melilla, those of IGIC or IPSI',
          }),
        ),
        follow: Type.Optional(
          flag({
            description:
              'Whether the company follows the named chart from now on: its accounts are used for posting, its headings in reports. ' +
              'By default, if no entries stand on accounts of another one',
          }),
        ),
      },
      { title: 'ChartImport', additionalProperties: false },
    ),
    responses: {
      200: dataBody(
        Type.Object(
          {
            chart: text({ description: 'The chart that the company follows now' }),
            accounts: Type.Array(OUTCOME, { description: 'By code' }),
            taxes: Type.Array(OUTCOME, { description: 'Those of the chart, if wanted' }),
          },
          { title: 'ChartReport' },
        ),
      ),
    },
    async handler({ db, ctx, caller, body }) {
      if ((body.chart === undefined) === (body.accounts === undefined))
        throw invalidMember('/chart', 'required', 'must be given, or else accounts, and not both');
      assertPermission(caller, 'accounts:update');
      if (body.taxes === true) assertPermission(caller, 'taxes:create');
      return ok(await importChart({ trx: db, ctx, role: caller.role }, body));
    },
  }),
];
