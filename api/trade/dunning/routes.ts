/** Reminders of overdue invoices. */
import { Type } from 'typebox';
import { fromRow, type JsonRow } from '../../../db/models/base.ts';
import { Dunning } from '../../../db/models/trade/dunning.ts';
import { findRow } from '../../../db/queries/find.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { notFound } from '../../../domain/errors.ts';
import { toNumber } from '../../../domain/money.ts';
import type { DunnedInvoice } from '../../../domain/trade/payments/dunning.ts';
import {
  dataBody,
  day,
  instant,
  integer,
  nullable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { dueReminders } from '../../../services/trade/dunning/overdue.ts';
import { remindCustomers } from '../../../services/trade/dunning/run.ts';
import { listRoute } from '../../lists/list-route.ts';
import { ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';

const TAG = 'Payments';
const PATH = '/api/dunnings';

const Invoice = Type.Object({
  documentId: uuid({ description: 'The invoice' }),
  code: text(),
  dueDate: day(),
  days: integer({ description: 'Days overdue' }),
  outstanding: Type.Number(),
  interest: Type.Number({ description: 'Interest that is claimed' }),
  level: integer({ description: 'Level of the reminder of it' }),
});

const figures = {
  level: integer({ description: 'The highest level of its invoices' }),
  lines: Type.Array(Invoice, { description: 'All overdue invoices' }),
  outstanding: Type.Number(),
  interest: Type.Number({ description: 'Interest that is claimed' }),
  fee: Type.Number({ description: 'Fee that is claimed' }),
  total: Type.Number({ description: 'Outstanding, interest and fee' }),
  currency: text(),
};

const Answer = Type.Object(
  {
    id: uuid(),
    code: text(),
    date: day(),
    partnerId: uuid(),
    ...figures,
    emailId: nullable(uuid({ description: 'The mail that was queued; null for a customer without an address' })),
    createdBy: nullable(uuid()),
    version: integer(),
    createdAt: instant(),
    updatedAt: instant(),
  },
  { title: 'Dunning' },
);

const Proposal = Type.Object({ partnerId: uuid(), partnerName: text(), ...figures }, { title: 'DunningProposal' });

const list: ListDefinition = {
  fields: {
    code: { type: 'text', searchable: true },
    date: { type: 'date', notNull: true },
    partnerId: { type: 'uuid' },
    level: { type: 'integer' },
    outstanding: { type: 'number' },
    total: { type: 'number' },
    createdAt: { type: 'instant' },
  },
  defaultSort: '-date',
};

const toLines = (lines: readonly DunnedInvoice[]) =>
  lines.map((line) => ({ ...line, outstanding: toNumber(line.outstanding), interest: toNumber(line.interest) }));

const sums = ({ outstanding, interest, fee, total }: Pick<Dunning, 'outstanding' | 'interest' | 'fee' | 'total'>) => ({
  outstanding: toNumber(outstanding),
  interest: toNumber(interest),
  fee: toNumber(fee),
  total: toNumber(total),
});

function toJson(dunning: Dunning) {
  const { tenantId: _, lines, ...shown } = dunning;
  return { ...shown, lines: toLines(lines), ...sums(dunning) };
}

export const routes: Route[] = [
  listRoute({
    tag: TAG,
    access: 'payments_in:read',
    path: PATH,
    id: 'listDunnings',
    summary: 'Reminders, newest first',
    list,
    row: Answer,
    rows: () => ({ from: 'dunnings', toJson: (row: JsonRow) => toJson(fromRow(Dunning, row)) }),
  }),
  defineRoute({
    tag: TAG,
    access: 'payments_in:read',
    method: 'GET',
    path: `${PATH}/proposals`,
    id: 'listDunningProposals',
    summary: 'Who would be reminded today',
    description:
      'Customers of whose overdue invoices one reaches a new level (/api/dunning-levels); at most 500, the oldest debts first.',
    responses: { 200: Type.Object({ data: Type.Array(Proposal) }, { title: 'DunningProposals' }) },
    async handler({ reader, ctx }) {
      const { due } = await dueReminders(reader, ctx);
      const data = due.map(({ debtor, reminder }) => ({
        partnerId: debtor.partnerId,
        partnerName: debtor.name,
        level: reminder.level,
        lines: toLines(reminder.invoices),
        ...sums(reminder),
        currency: debtor.currency,
      }));
      return { status: 200, body: { data } };
    },
  }),
  defineRoute({
    tag: TAG,
    access: 'payments_in:create',
    method: 'POST',
    path: PATH,
    id: 'remindCustomers',
    summary: 'Remind customers of overdue invoices',
    description:
      'Records one reminder for each customer that is due, and queues its mail. Done again, it reminds nobody twice of a level. A ' +
      'recurring document of the type dunning does it by a schedule.',
    body: Type.Object(
      {
        partnerIds: Type.Optional(
          Type.Array(uuid(), {
            minItems: 1,
            maxItems: 500,
            uniqueItems: true,
            description: 'Only these; all by default',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    bodyOptional: true,
    responses: { 200: Type.Object({ data: Type.Array(Answer, { description: 'The reminders that were made' }) }) },
    async handler({ db, ctx, body = {} }) {
      const made = await remindCustomers(db, ctx, body);
      return { status: 200, body: { data: made.map(toJson) } };
    },
  }),
  defineRoute({
    tag: TAG,
    access: 'payments_in:read',
    method: 'GET',
    path: `${PATH}/:id`,
    id: 'getDunning',
    summary: 'One reminder',
    description: 'With the invoices as they were.',
    params: Type.Object({ id: uuid() }),
    responses: { 200: dataBody(Answer) },
    async handler({ reader, params }) {
      const found = await findRow(reader, Dunning, { id: params.id });
      if (found === undefined) throw notFound('This reminder');
      return ok(toJson(found));
    },
  }),
];
