/** Routes that close and reopen fiscal years. */

import { Type } from 'typebox';
import type { Db } from '../../../db/database.ts';
import { FiscalYear } from '../../../db/models/ledger/accounting.ts';
import { findRow } from '../../../db/queries/find.ts';
import { staleVersion } from '../../../db/write.ts';
import { notFound, ServiceError } from '../../../domain/errors.ts';
import { isAdministrator } from '../../../domain/permissions.ts';
import { closeYear, reopenYear } from '../../../services/ledger/accounting/fiscal-years.ts';
import { openWorkInYear } from '../../../services/ledger/closing/checklist.ts';
import {
  amount,
  choice,
  dataBody,
  day,
  flag,
  instant,
  integer,
  nullable,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { listRoute } from '../../lists/list-route.ts';
import { WARNINGS } from '../../resource.ts';
import { ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';

const PATH = '/api/fiscal-years';
const Year = Type.Object({
  year: integer({ minimum: 1900, maximum: 9997, description: 'The calendar year in which the fiscal year begins' }),
});

const FiscalYearAnswer = Type.Object(
  {
    id: uuid(),
    year: integer(),
    from: day(),
    to: day(),
    status: choice(['open', 'closed']),
    result: nullable(amount({ description: 'Profit, or loss if negative; null while the year is open' })),
    stockEntryId: nullable(uuid({ description: 'The stock variation entry' })),
    pendingEntryId: nullable(uuid({ description: 'The entry of uninvoiced goods and services (4009, 4309)' })),
    pendingReversalId: nullable(uuid({ description: 'Its reversal on the first day of the next year' })),
    regularisationId: nullable(uuid()),
    closingId: nullable(uuid()),
    openingId: nullable(uuid({ description: 'The opening entry of the next year' })),
    closedPeriods: Type.Array(uuid(), { description: 'The periods that closing the year closed' }),
    version: integer(),
    createdAt: instant(),
    updatedAt: instant(),
  },
  { title: 'FiscalYear' },
);
const Closed = Type.Object(
  { ...FiscalYearAnswer.properties, warnings: Type.Optional(WARNINGS) },
  { title: 'FiscalYearClosed' },
);
const CloseBody = Type.Object(
  {
    adjustStock: Type.Optional(
      flag({
        description:
          'Whether the stock account is first adjusted to the value of the stock (610/300), and uninvoiced amounts are ' +
          'entered (4009, 4309); defaults to true',
      }),
    ),
  },
  { additionalProperties: false },
);

const shared = {
  tag: 'Accounting',
  method: 'POST',
  params: Year,
  responses: { 200: dataBody(FiscalYearAnswer) },
} as const;

export const routes: Route[] = [
  listRoute({
    path: PATH,
    id: 'listFiscalYears',
    summary: 'Fiscal years that have been closed or reopened',
    tag: 'Accounting',
    access: FiscalYear.access,
    list: {
      defaultSort: '-year',
      fields: {
        year: { type: 'integer' },
        from: { type: 'date', column: '"from"' },
        to: { type: 'date', column: '"to"' },
        status: { type: 'choice', choices: ['open', 'closed'] },
        result: { type: 'number' },
      },
    },
    row: FiscalYearAnswer,
    rows: () => ({
      from: 'fiscal_years',
      toJson: (row: Record<string, unknown>) => FiscalYear.toJson(row),
    }),
  }),
  defineRoute({
    ...shared,
    method: 'GET',
    path: `${PATH}/:year`,
    id: 'getFiscalYear',
    summary: 'One fiscal year that has been closed or reopened',
    description: 'Includes the result and the closing entries.',
    access: FiscalYear.access,
    async handler({ reader, params }) {
      const row = await findRow(reader, FiscalYear, { year: params.year });
      if (row === undefined) throw notFound('This fiscal year, as one that has been closed,');
      return ok(FiscalYear.toJson({ ...row }));
    },
  }),
  defineRoute({
    ...shared,
    path: `${PATH}/:year/close`,
    id: 'closeFiscalYear',
    summary: 'Close a fiscal year',
    problems: ['has_drafts', 'invalid_transition', 'period_closed', 'in_use'],
    description:
      'Transfers income and expense to the result (129), closes all accounts and opens them in the next year, numbers the entries in ' +
      'order, and closes the periods. All or nothing. `warnings` tell what is still open in the year, as its checklist does.',
    responses: { 200: dataBody(Closed) },
    access: 'journal_entries:create',
    body: CloseBody,
    bodyOptional: true,
    async handler({ db, ctx, params, body, ifMatch, ifMatchId }) {
      await assertYear(db, params.year, ifMatchId);
      const closed = await closeYear(db, ctx, params.year, { adjustStock: body?.adjustStock, ifMatch });
      const warnings = await openWorkInYear(db, { from: String(closed.from), to: String(closed.to) });
      return ok(warnings.length === 0 ? closed : { ...closed, warnings });
    },
  }),
  defineRoute({
    ...shared,
    path: `${PATH}/:year/reopen`,
    id: 'reopenFiscalYear',
    summary: 'Reopen a fiscal year',
    problems: ['invalid_transition', 'in_use', 'period_closed'],
    description:
      'Reverses the closing entries. Possible until the next year has entries on the same accounts, made since the close (409 in_use). ' +
      'Owners and administrators only.',
    access: 'periods:update',
    async handler({ db, ctx, caller, params, ifMatch, ifMatchId }) {
      if (!isAdministrator(caller.role)) {
        throw new ServiceError('forbidden', 'Only an owner or administrator can reopen a fiscal year');
      }
      await assertYear(db, params.year, ifMatchId);
      return ok(await reopenYear(db, ctx, params.year, ifMatch));
    },
  }),
];

/** @throws ServiceError stale_version when If-Match names another year than the path */
async function assertYear(db: Db, year: number, id: string | null): Promise<void> {
  if (id !== null && (await FiscalYear.query(db).findOne({ id, year })) === undefined) throw staleVersion();
}
