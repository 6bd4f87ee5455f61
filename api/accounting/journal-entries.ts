/** Journal entries: those of people, as drafts and posted; those of documents and other operations to read. */
import { Type } from 'typebox';
import type { ListDefinition } from '../../db/queries/list.ts';
import { ENTRY_KINDS } from '../../domain/accounting/entries.ts';
import type { EntryInput } from '../../services/accounting/entry-input.ts';
import { changeEntry, createEntry, deleteEntry, postEntry, reverseEntry } from '../../services/accounting/manual.ts';
import { ENTRY_COLUMNS, type EntryHead, presentEntry, readEntry } from '../../services/accounting/read.ts';
import {
  amount,
  choice,
  dataOf,
  day,
  flag,
  instant,
  integer,
  nullable,
  text,
  uuid,
} from '../../services/validation/schemas.ts';
import { listRoute } from '../list-route.ts';
import { created, noContent, ok } from '../respond.ts';
import { defineRoute, type Route } from '../route.ts';

const PATH = '/api/journal-entries';
const MAX_LINES = 1000;
const Id = Type.Object({ id: uuid() });

const description = () => nullable(text({ max: 500 }));

const LineInput = Type.Object(
  {
    accountId: uuid({ description: 'Active, and no heading' }),
    debit: Type.Optional(nullable(amount({ minimum: 0 }))),
    credit: Type.Optional(nullable(amount({ minimum: 0 }))),
    partnerId: Type.Optional(nullable(uuid())),
    projectId: Type.Optional(nullable(uuid())),
    costCenterId: Type.Optional(nullable(uuid())),
    description: Type.Optional(description()),
  },
  { additionalProperties: false, description: 'A debit or a credit above zero, not both' },
);

const input = {
  date: day(),
  periodId: Type.Optional(nullable(uuid({ description: 'That of the day when absent' }))),
  description: Type.Optional(description()),
  lines: Type.Array(LineInput, { minItems: 2, maxItems: MAX_LINES }),
};

const Create = Type.Object(
  { ...input, post: Type.Optional(flag({ description: 'Posts it at once, instead of leaving a draft' })) },
  { title: 'JournalEntryCreate', additionalProperties: false },
);
const Patch = Type.Partial(Type.Object(input, { title: 'JournalEntryPatch', additionalProperties: false }));
const ReverseBody = Type.Object(
  {
    date: Type.Optional(
      day({
        description:
          "Of the reversal, not before the entry's; when absent today in the company's time zone, or the entry's own where that is later",
      }),
    ),
  },
  { additionalProperties: false },
);

const head = {
  id: uuid(),
  number: nullable(integer({ description: 'Within its fiscal year, given right after posting; null in a draft' })),
  fiscalYear: integer({ description: 'The calendar year in which it begins' }),
  date: day(),
  periodId: uuid(),
  kind: choice(ENTRY_KINDS),
  status: choice(['draft', 'posted']),
  description: nullable(text()),
  sourceType: nullable(text({ description: 'What entered it, for example sales_invoice; null when a person did' })),
  sourceId: nullable(uuid()),
  reversalOf: nullable(uuid({ description: 'The entry that it undoes' })),
  reversedBy: nullable(uuid({ description: 'The entry that undoes it' })),
  total: amount({ description: 'Of the debits, and of the credits' }),
  createdBy: nullable(uuid()),
  postedAt: nullable(instant()),
  version: integer(),
  createdAt: instant(),
  updatedAt: instant(),
};

const Line = Type.Object({
  lineNumber: integer(),
  accountId: uuid(),
  accountCode: text(),
  accountName: text(),
  debit: amount(),
  credit: amount(),
  partnerId: nullable(uuid()),
  projectId: nullable(uuid()),
  costCenterId: nullable(uuid()),
  description: nullable(text()),
  tax: nullable(
    Type.Object({
      kind: text({ description: 'output, input, surcharge or withholding' }),
      operation: text(),
      use: text(),
      rectifying: flag(),
      taxGroupId: nullable(uuid()),
      rate: amount(),
      base: amount(),
      amount: amount(),
    }),
  ),
});
const JournalEntry = Type.Object({ ...head, lines: Type.Array(Line) }, { title: 'JournalEntry' });

const list: ListDefinition = {
  defaultSort: '-date',
  key: 'e.id',
  fields: {
    number: { type: 'integer', column: 'e.number' },
    fiscalYear: { type: 'integer', column: 'e.fiscal_year' },
    date: { type: 'date', column: 'e.date' },
    periodId: { type: 'uuid', column: 'e.period_id' },
    kind: { type: 'choice', column: 'e.kind', choices: ENTRY_KINDS },
    status: { type: 'choice', column: 'e.status', choices: ['draft', 'posted'] },
    description: { type: 'text', column: 'e.description', searchable: true },
    sourceType: { type: 'text', column: 'e.source_type' },
    sourceId: { type: 'uuid', column: 'e.source_id' },
    reversalOf: { type: 'uuid', column: 'e.reversal_of' },
    total: { type: 'number', column: 'e.total' },
    createdBy: { type: 'uuid', column: 'e.created_by' },
    postedAt: { type: 'instant', column: 'e.posted_at' },
    createdAt: { type: 'instant', column: 'e.created_at' },
    updatedAt: { type: 'instant', column: 'e.updated_at' },
    accountId: {
      type: 'uuid',
      condition: 'e.id in (select l.entry_id from journal_lines l where l.account_id = ?::uuid)',
      sortable: false,
    },
    partnerId: {
      type: 'uuid',
      condition: 'e.id in (select l.entry_id from journal_lines l where l.partner_id = ?::uuid)',
      sortable: false,
    },
  },
};

const one = { tag: 'Accounting', path: `${PATH}/:id`, params: Id } as const;
const answers = { 200: dataOf(JournalEntry) } as const;

export const routes: Route[] = [
  listRoute({
    path: PATH,
    id: 'listJournalEntries',
    summary: 'Journal entries, the newest first',
    description: 'accountId and partnerId find posted entries with such a line.',
    tag: 'Accounting',
    access: 'journal_entries:read',
    list,
    row: Type.Object(head, { title: 'JournalEntryHead' }),
    rows: ({ db }) => ({
      from: db('journal_entries as e'),
      columns: ENTRY_COLUMNS,
      present: (row: EntryHead) => presentEntry(row),
    }),
  }),
  defineRoute({
    tag: 'Accounting',
    method: 'POST',
    path: PATH,
    id: 'createJournalEntry',
    summary: 'Make a journal entry',
    access: 'journal_entries:create',
    body: Create,
    responses: { 201: dataOf(JournalEntry) },
    async handler({ db, ctx, body }) {
      const entry = await createEntry(db, ctx, body as EntryInput & { post?: boolean });
      return created(`${PATH}/${entry.id}`, entry);
    },
  }),
  defineRoute({
    ...one,
    method: 'GET',
    id: 'getJournalEntry',
    summary: 'One journal entry',
    access: 'journal_entries:read',
    responses: answers,
    handler: async ({ db, params }) => ok(await readEntry(db, params.id)),
  }),
  defineRoute({
    ...one,
    method: 'PATCH',
    id: 'updateJournalEntry',
    summary: 'Change a draft',
    description: 'Lines are replaced as a whole list.',
    access: 'journal_entries:update',
    body: Patch,
    responses: answers,
    async handler({ db, ctx, params, body, ifMatch }) {
      return ok(await changeEntry(db, ctx, params.id, body as Partial<EntryInput>, ifMatch));
    },
  }),
  defineRoute({
    ...one,
    method: 'DELETE',
    id: 'deleteJournalEntry',
    summary: 'Delete a draft',
    access: 'journal_entries:delete',
    responses: { 204: null },
    async handler({ db, ctx, params, ifMatch }) {
      await deleteEntry(db, ctx, params.id, ifMatch);
      return noContent();
    },
  }),
  defineRoute({
    ...one,
    method: 'POST',
    path: `${PATH}/:id/post`,
    id: 'postJournalEntry',
    summary: 'Post a draft',
    description: 'From then on it stays as it is; what was wrong is reversed.',
    access: 'journal_entries:update',
    responses: answers,
    handler: async ({ db, ctx, params, ifMatch }) => ok(await postEntry(db, ctx, params.id, ifMatch)),
  }),
  defineRoute({
    ...one,
    method: 'POST',
    path: `${PATH}/:id/reverse`,
    id: 'reverseJournalEntry',
    summary: 'Undo a posted entry by its opposite',
    description: 'Answers the reversal. What a document or payment entered is undone by cancelling or deleting that.',
    access: 'journal_entries:create',
    body: ReverseBody,
    bodyOptional: true,
    responses: { 201: dataOf(JournalEntry) },
    async handler({ db, ctx, params, body, ifMatch }) {
      const reversal = await reverseEntry(db, ctx, params.id, { date: body?.date, ifMatch });
      return created(`${PATH}/${reversal.id}`, reversal);
    },
  }),
];
