/** Bad debts: what is provided for invoices that customers may not pay, and those that are written off. */
import { Type } from 'typebox';
import { fromRow, type JsonRow } from '../../../db/models/base.ts';
import { BadDebt } from '../../../db/models/trade/bad-debts.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { BAD_DEBT_MOVEMENT_KINDS } from '../../../domain/ledger/accounting/bad-debts.ts';
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
import { generateProvisions, MAX_GENERATED, provide } from '../../../services/trade/bad-debts/provide.ts';
import { badDebtHead, readBadDebt } from '../../../services/trade/bad-debts/read.ts';
import {
  GenerateBody,
  ProvisionBody,
  UndoBadDebtBody,
  WriteOffBody,
} from '../../../services/trade/bad-debts/schemas.ts';
import { undoBadDebt } from '../../../services/trade/bad-debts/undo.ts';
import { writeOff } from '../../../services/trade/bad-debts/write-off.ts';
import { actRoutes } from '../../acts.ts';
import { listRoute } from '../../lists/list-route.ts';
import { ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';

const COLLECTION = '/api/bad-debts';
const ONE = `${COLLECTION}/:id`;
const TAG = 'Bad debts';

const head = {
  id: uuid(),
  code: text({ description: 'Code of the invoice' }),
  documentId: uuid({ description: 'The invoice' }),
  partnerId: uuid({ description: 'The customer' }),
  provided: amount({ description: "What is provided for it (490), in the company's currency" }),
  doubtful: amount({ description: 'What of it stands on the account of doubtful customers (436)' }),
  writtenOff: amount({ description: 'What is written off as lost (650)' }),
  createdAt: instant(),
  updatedAt: instant(),
  version: integer(),
};
const Head = Type.Object(head, { title: 'ListedBadDebt' });
const Answer = Type.Object(
  {
    ...head,
    movements: Type.Array(
      Type.Object({
        id: uuid(),
        kind: choice(BAD_DEBT_MOVEMENT_KINDS),
        date: day(),
        provided: amount({ description: 'Change of what is provided' }),
        doubtful: amount({ description: 'Change of what is on the account of doubtful customers' }),
        writtenOff: amount({ description: 'Written off' }),
        entryId: uuid({ description: 'Its journal entry' }),
        standing: flag({ description: 'Whether it counts: neither undone nor the opposite of what is undone' }),
        createdBy: nullable(uuid({ description: 'Who entered it; null for the service' })),
        createdAt: instant(),
      }),
      { description: 'What happened, in order' },
    ),
  },
  { title: 'BadDebt' },
);

const list: ListDefinition = {
  fields: {
    code: { type: 'text', notNull: true, searchable: true },
    documentId: { type: 'uuid' },
    partnerId: { type: 'uuid' },
    provided: { type: 'number' },
    doubtful: { type: 'number' },
    writtenOff: { type: 'number' },
    createdAt: { type: 'instant' },
  },
  defaultSort: 'code',
};

const act = actRoutes({
  tag: TAG,
  access: 'journal_entries:create',
  answer: Answer,
  problems: ['invalid_transition', 'period_closed'],
  read: readBadDebt,
});

export const routes: Route[] = [
  listRoute({
    tag: TAG,
    access: 'journal_entries:read',
    path: COLLECTION,
    id: 'listBadDebts',
    summary: 'Invoices that customers may not pay',
    list,
    row: Head,
    rows: () => ({ from: 'bad_debts', toJson: (row: JsonRow) => badDebtHead(fromRow(BadDebt, row)) }),
  }),
  defineRoute({
    tag: TAG,
    access: 'journal_entries:create',
    method: 'POST',
    path: COLLECTION,
    id: 'provideForBadDebt',
    summary: 'Provide for an invoice that may not be paid',
    description:
      'Sets what is provided for it in all: what is more than before is entered as expense (694 against 490), what is less is released ' +
      '(490 against 794). `doubtful` moves what is outstanding to the account of doubtful customers (436), or back. Once the invoice is ' +
      'paid or cancelled, the service releases by itself what exceeds what is outstanding.',
    problems: ['invalid_transition', 'period_closed'],
    body: ProvisionBody,
    responses: { 200: dataBody(Answer) },
    handler: async ({ db, ctx, body }) => ok(await readBadDebt(db, await provide(db, ctx, body))),
  }),
  defineRoute({
    tag: TAG,
    access: 'journal_entries:create',
    method: 'POST',
    path: `${COLLECTION}/generate`,
    id: 'generateBadDebtProvisions',
    summary: 'Provide for overdue invoices by their age',
    description:
      'As the report `bad-debts` proposes, or a percentage of what is overdue of one customer. Nothing is released, and what was paid ' +
      `since is left out. At most ${MAX_GENERATED} invoices at once, the oldest first.`,
    problems: ['period_closed'],
    body: GenerateBody,
    responses: {
      200: dataBody(
        Type.Object(
          {
            ids: Type.Array(uuid(), { description: 'The bad debts for which more is provided now' }),
            more: flag({ description: 'Whether there may be more: send it again' }),
          },
          { title: 'GeneratedBadDebts' },
        ),
      ),
    },
    handler: async ({ db, ctx, body }) => ok(await generateProvisions(db, ctx, body)),
  }),
  defineRoute({
    tag: TAG,
    access: 'journal_entries:read',
    method: 'GET',
    path: ONE,
    id: 'getBadDebt',
    summary: 'One bad debt',
    description: 'With everything that was entered for it.',
    params: Type.Object({ id: uuid() }),
    responses: { 200: dataBody(Answer) },
    handler: async ({ reader, params }) => ok(await readBadDebt(reader, params.id)),
  }),
  act(writeOff, {
    body: WriteOffBody,
    path: `${ONE}/write-off`,
    id: 'writeOffBadDebt',
    summary: 'Write a debt off that is lost',
    description:
      'Enters what is outstanding as a loss (650), which settles the invoice, and releases what was provided for it (490 against 794).',
  }),
  act(undoBadDebt, {
    body: UndoBadDebtBody,
    bodyOptional: true,
    path: `${ONE}/undo`,
    id: 'undoBadDebt',
    summary: 'Undo what was entered of a bad debt last',
    description: 'A provision, its release or a loss: its entry is reversed. After a loss the invoice is open again.',
  }),
];
