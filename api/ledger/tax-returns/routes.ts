/** Filed tax returns. Figures before filing are reports: `/api/reports/tax/…`. */
import { Type } from 'typebox';
import { TaxReturn } from '../../../db/models/ledger/accounting.ts';
import { findRow } from '../../../db/queries/find.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { notFound } from '../../../domain/errors.ts';
import { TAX_MODELS } from '../../../domain/ledger/tax-returns/models.ts';
import { RECTIFICATION_REASONS } from '../../../domain/ledger/tax-returns/rectifying.ts';
import { startAccruals } from '../../../services/ledger/tax-returns/accruals.ts';
import { fileReturn, undoReturn } from '../../../services/ledger/tax-returns/file.ts';
import { AccrualYear, TaxReturnCreate, YEAR } from '../../../services/ledger/tax-returns/schemas.ts';
import { type TaxReturnRow, taxReturnToJson } from '../../../services/ledger/tax-returns/to-json.ts';
import {
  amount,
  choice,
  dataBody,
  day,
  flag,
  instant,
  integer,
  nullable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { sendOperationsLetter } from '../../../services/reports/generation/send-to-partner.ts';
import { listRoute } from '../../lists/list-route.ts';
import { assertPermission } from '../../permission.ts';
import { TaskStarted, taskStarted } from '../../platform/tasks/started.ts';
import { created, noContent, ok } from '../../respond.ts';
import { compared, defineRoute, type Route } from '../../route.ts';

const TAG = 'Tax returns';
const PATH = '/api/tax-returns';
const TYPES = ['I', 'C', 'D', 'B', 'N'] as const;
const Id = Type.Object({ id: uuid() });
const boxes = (description: string) => Type.Record(Type.String(), amount(), { description });

const Answer = compared(
  Type.Object(
    {
      id: uuid(),
      model: choice(TAX_MODELS),
      year: integer(),
      period: text({ description: '1T to 4T, 01 to 12, or 0A for a year' }),
      from: day(),
      to: day(),
      type: choice(TYPES, {
        description: 'I: to pay, C: to compensate later, D: to be refunded, B: to deduct in later quarters, N: nothing',
      }),
      result: amount({
        description:
          'Box 71 of 303, 30 of 111, 05 of 115, 14 of 123, 19 of 130, 8 of 369, 86 of 390, 45 of 420, 115 of 425; 0 of the others',
      }),
      refund: flag(),
      boxes: boxes('Values of the boxes at the time of filing'),
      overrides: boxes('Boxes that a person stated, and of a rectifying return what earlier ones had to pay'),
      entryId: nullable(uuid({ description: 'The settlement entry; null if there was nothing to settle' })),
      sequence: integer({ description: '0 for the first return of the period; the one with the highest is in force' }),
      rectification: nullable(
        Type.Object(
          {
            receiptNumber: text({ description: "The agency's number of the rectified return" }),
            reason: nullable(choice(RECTIFICATION_REASONS)),
          },
          { description: 'What it says about the return that it rectifies; null for the first one of the period' },
        ),
      ),
      createdBy: nullable(uuid()),
      version: integer(),
      createdAt: instant(),
      updatedAt: instant(),
    },
    { title: 'TaxReturn' },
  ),
);

const list: ListDefinition = {
  defaultSort: '-to',
  key: 'r.id',
  fields: {
    model: { type: 'choice', column: 'r.model', choices: TAX_MODELS },
    year: { type: 'integer', column: 'r.year' },
    period: { type: 'text', column: 'r.period' },
    from: { type: 'date', column: 'r."from"', notNull: true },
    to: { type: 'date', column: 'r."to"', notNull: true },
    type: { type: 'choice', column: 'r.type', choices: TYPES },
    result: { type: 'number', column: 'r.result' },
    sequence: { type: 'integer', column: 'r.sequence' },
    createdAt: { type: 'instant', column: 'r.created_at' },
  },
};

export const routes: Route[] = [
  listRoute<never, TaxReturnRow>({
    path: PATH,
    id: 'listTaxReturns',
    summary: 'Filed tax returns, latest period first',
    description: 'The figures of a return before it is filed are a report: /api/reports/tax/model303.',
    tag: TAG,
    access: TaxReturn.access,
    list,
    row: Answer,
    rows: () => ({
      from: 'tax_returns r',
      columns: [
        'r.id, r.model, r.year, r.period, r."from", r."to", r.type, r.result, r.refund, r.boxes, r.overrides',
        'r.sequence, r.receipt_number as "receiptNumber", r.reason',
        'r.entry_id as "entryId", r.created_by as "createdBy", r.version, r.created_at as "createdAt", r.updated_at as "updatedAt"',
      ],
      toJson: taxReturnToJson,
    }),
  }),
  defineRoute({
    method: 'POST',
    path: PATH,
    id: 'fileTaxReturn',
    summary: 'File a tax return',
    description:
      'Freezes the boxes of a period that has ended. Models 303 and 420 settle their VAT or IGIC by an entry on the last day of the ' +
      'period (477 and 472 against 4750 or 4700). Later periods compensate or deduct the filed amounts. Models 180, 190, 193, 347 ' +
      'and 349 keep the people whom they declare too, whom their reports show. With `rectification` it takes the place of the ' +
      'return in force of its period: what that had to pay is deducted (box 70 of 303, 29 of 111, 04 of 115, 13 of 123, 18 of 130, ' +
      '44 of 420), and only the difference is settled.',
    tag: TAG,
    access: 'tax_returns:create',
    problems: ['duplicate', 'overlap', 'invalid_transition', 'period_closed'],
    body: TaxReturnCreate,
    responses: { 201: dataBody(Answer) },
    async handler({ db, ctx, body }) {
      const filed = await fileReturn(db, ctx, body);
      return created(`${PATH}/${filed.id}`, taxReturnToJson(filed));
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${PATH}/:id`,
    id: 'getTaxReturn',
    summary: 'One filed tax return',
    description: 'The boxes are those at the time of filing.',
    tag: TAG,
    access: TaxReturn.access,
    params: Id,
    responses: { 200: dataBody(Answer) },
    async handler({ reader, params }) {
      const found = await findRow(reader, TaxReturn, { id: params.id });
      if (found === undefined) throw notFound('This tax return');
      return ok(taxReturnToJson(found));
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: `${PATH}/:id`,
    id: 'undoTaxReturn',
    summary: 'Undo a tax return',
    description:
      "Reverses its settlement on the settlement's own date, and what it rectified is in force again. Of models that carry amounts " +
      'over (130, 303, 390 and 420) only the latest can be undone, and of the returns of a period only the last.',
    tag: TAG,
    access: 'tax_returns:delete',
    problems: ['invalid_transition', 'period_closed'],
    params: Id,
    responses: { 204: null },
    async handler({ db, ctx, params, ifMatch }) {
      await undoReturn(db, ctx, params.id, ifMatch);
      return noContent();
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/tax-accruals',
    id: 'accrueTaxes',
    summary: 'Accrue the VAT of the cash basis at the end of a year',
    description:
      'In the background: by 31 December of a year, what no payment has accrued of operations of the year before accrues, and of earlier ' +
      'ones (LIVA, art. 163 terdecies). Repeating it finds what has become pending again since, such as of payments that came back.',
    tag: TAG,
    access: 'tax_returns:create',
    problems: ['period_closed'],
    body: AccrualYear,
    responses: { 202: TaskStarted },
    handler: async ({ db, ctx, body }) => taskStarted(await startAccruals(db, ctx, body)),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/partners/:id/operations-letter/send',
    id: 'sendOperationsLetter',
    summary: "Send a partner the letter on a year's operations",
    description:
      'A task makes the PDF of the report operations-letter, and mails it. Needs the permission for that report, too.',
    tag: TAG,
    access: 'tax_returns:create',
    problems: ['forbidden', 'not_found', 'too_many_requests'],
    params: Id,
    body: Type.Object(
      {
        to: Type.Optional(text({ max: 2000, description: "One or several addresses; defaults to the partner's" })),
        year: Type.Optional(YEAR),
        replyBy: Type.Optional(day({ description: 'The last day to answer; defaults to that of the report' })),
      },
      { additionalProperties: false },
    ),
    bodyOptional: true,
    responses: { 202: TaskStarted },
    async handler({ db, ctx, caller, params: { id }, body = {} }) {
      assertPermission(caller, 'reports:accounting');
      return taskStarted(await sendOperationsLetter(db, ctx, { partnerId: id, ...body }));
    },
  }),
];
