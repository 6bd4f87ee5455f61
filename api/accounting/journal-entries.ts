/** Journal entries: manual ones, as drafts and posted; those of documents and other operations, read-only. */
import { Type } from 'typebox';
import { enterStockVariation } from '../../services/accounting/enter-stock.ts';
import { ENTRY_COLUMNS, type EntryHead, entryToJson, readEntry } from '../../services/accounting/read.ts';
import { EntryCreate, EntryPatch, ReverseBody, StockVariation } from '../../services/accounting/schemas.ts';
import { changeEntry, createEntry, deleteEntry, postEntry, reverseEntry } from '../../services/bookkeeping/manual.ts';
import { dataOf, nullable, uuid } from '../../services/validation/schemas.ts';
import { listRoute } from '../list-route.ts';
import { created, noContent, ok } from '../respond.ts';
import { defineRoute, type Route } from '../route.ts';
import { entryList, JournalEntry, JournalEntryHead } from './journal-entry-schemas.ts';

const PATH = '/api/journal-entries';
const Id = Type.Object({ id: uuid() });
const one = { tag: 'Accounting', path: `${PATH}/:id`, params: Id } as const;
const answers = { 200: dataOf(JournalEntry) } as const;

const StockAnswer = Type.Object(
  {
    data: nullable(JournalEntry),
    pending: nullable(JournalEntry),
    pendingReversal: nullable(JournalEntry),
  },
  { title: 'StockVariationAnswer' },
);

export const routes: Route[] = [
  listRoute({
    path: PATH,
    id: 'listJournalEntries',
    summary: 'Journal entries, newest first',
    description: 'accountId and partnerId find posted entries with such a line.',
    tag: 'Accounting',
    access: 'journal_entries:read',
    list: entryList,
    row: JournalEntryHead,
    rows: () => ({
      from: 'journal_entries e',
      columns: ENTRY_COLUMNS,
      toJson: (row: EntryHead) => entryToJson(row),
    }),
  }),
  defineRoute({
    tag: 'Accounting',
    method: 'POST',
    path: PATH,
    id: 'createJournalEntry',
    summary: 'Create a journal entry',
    problems: ['period_closed', 'invalid_transition'],
    description: 'A draft, or with `post` posted at once. Debits and credits must be equal.',
    access: 'journal_entries:create',
    body: EntryCreate,
    responses: { 201: dataOf(JournalEntry) },
    async handler({ db, ctx, body }) {
      const entry = await createEntry(db, ctx, body);
      return created(`${PATH}/${entry.id}`, entry);
    },
  }),
  defineRoute({
    tag: 'Accounting',
    method: 'POST',
    path: `${PATH}/stock-variation`,
    id: 'enterStockVariation',
    summary: 'Adjust the stock account to the value of the stock',
    problems: ['period_closed', 'invalid_transition'],
    description:
      'Enters the stock variation up to the end of the day (610/300), for results within the year; `data` is null if the account ' +
      'already has the value. What notes have delivered or received and nobody has invoiced by then is `pending` (4309, 4009), and taken ' +
      'back on the next day by `pendingReversal`. Closing the year does the same for its last day.',
    access: 'journal_entries:create',
    body: StockVariation,
    responses: { 200: StockAnswer },
    handler: async ({ db, ctx, body }) => ({ status: 200, body: await enterStockVariation(db, ctx, body.date) }),
  }),
  defineRoute({
    ...one,
    method: 'GET',
    id: 'getJournalEntry',
    summary: 'One journal entry',
    description: 'With its lines; entries of documents and payments too.',
    access: 'journal_entries:read',
    responses: answers,
    handler: async ({ reader, params }) => ok(await readEntry(reader, params.id)),
  }),
  defineRoute({
    ...one,
    method: 'PATCH',
    id: 'updateJournalEntry',
    summary: 'Change a draft',
    problems: ['period_closed', 'invalid_transition'],
    description: 'Lines are replaced as a whole list.',
    access: 'journal_entries:update',
    body: EntryPatch,
    responses: answers,
    async handler({ db, ctx, params, body, ifMatch }) {
      return ok(await changeEntry(db, ctx, params.id, body, ifMatch));
    },
  }),
  defineRoute({
    ...one,
    method: 'DELETE',
    id: 'deleteJournalEntry',
    summary: 'Delete a draft',
    problems: ['invalid_transition'],
    description: 'Posted entries are reversed instead.',
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
    problems: ['period_closed', 'invalid_transition'],
    description: 'A posted entry cannot be changed; mistakes are reversed.',
    access: 'journal_entries:update',
    responses: answers,
    handler: async ({ db, ctx, params, ifMatch }) => ok(await postEntry(db, ctx, params.id, ifMatch)),
  }),
  defineRoute({
    ...one,
    method: 'POST',
    path: `${PATH}/:id/reverse`,
    id: 'reverseJournalEntry',
    summary: 'Reverse a posted entry',
    problems: ['period_closed', 'invalid_transition', 'in_use'],
    description:
      'Answers the reversal. Entries of documents and payments are reversed by cancelling or deleting those.',
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
