/** Routes of journal entries: manual ones as drafts and posted; those of documents and other operations, read-only. */
import { Type } from 'typebox';
import { importEntry, MAX_FILE_LINES } from '../../../services/bank/manual-entries/import-entry.ts';
import {
  changeEntry,
  createEntry,
  deleteEntry,
  postEntry,
  reverseEntry,
} from '../../../services/bank/manual-entries/manual.ts';
import { enterTemplate, TemplateEntry } from '../../../services/bank/manual-entries/templates.ts';
import { enterStockVariation } from '../../../services/ledger/accounting/enter-stock.ts';
import { ENTRY_COLUMNS, type EntryHead, entryToJson, readEntry } from '../../../services/ledger/accounting/read.ts';
import {
  EntryCreate,
  EntryPatch,
  MANUAL_KINDS,
  ReverseBody,
  StockVariation,
} from '../../../services/ledger/accounting/schemas.ts';
import {
  amount,
  choice,
  dataBody,
  day,
  flag,
  integer,
  nullable,
  text,
  uuid,
} from '../../../services/platform/validation/schemas.ts';
import { TABLE_TYPES, type TableType } from '../../../services/records/imports/source.ts';
import { listRoute } from '../../lists/list-route.ts';
import { created, noContent, ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';
import { entryList, JournalEntry, JournalEntryHead } from './journal-entry-schemas.ts';

const PATH = '/api/journal-entries';
const MAX_BYTES = 20 * 1024 * 1024;
const ImportedEntry = Type.Object(
  {
    entry_id: nullable(uuid({ description: 'null with dry_run' })),
    lines: integer(),
    total: amount({ description: 'Total debits' }),
    open_items: integer({ description: 'Open items created with partners' }),
  },
  { title: 'ImportedEntry' },
);
const Id = Type.Object({ id: uuid() });
const one = { tag: 'Accounting', path: `${PATH}/:id`, params: Id } as const;
const answers = { 200: dataBody(JournalEntry) } as const;

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
    description:
      'accountId and partnerId find posted entries with such a line; taxedAs finds those with a taxed line, as linked from VAT reports.',
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
    problems: ['period_closed', 'invalid_transition', 'budget_exceeded'],
    description: 'Creates a draft, or a posted entry with `post`. Debits and credits must be equal.',
    access: 'journal_entries:create',
    body: EntryCreate,
    responses: { 201: dataBody(JournalEntry) },
    async handler({ db, ctx, body }) {
      const entry = await createEntry(db, ctx, body);
      return created(`${PATH}/${entry.id}`, entry);
    },
  }),
  defineRoute({
    tag: 'Accounting',
    method: 'POST',
    path: `${PATH}/import`,
    id: 'importJournalEntry',
    summary: 'Create a journal entry from a CSV or Excel file',
    problems: ['period_closed', 'invalid_transition', 'budget_exceeded'],
    description: `Creates one entry from all rows, such as the balances and open invoices of a company that moves in (\`kind=opening\`).
Columns: account, partner, debit, credit, dueDate, reference, description, project, costCenter; accounts and partners by code or id.
\`balance_account\` gets the difference, so that a file can contain only customer debts.
At most ${MAX_FILE_LINES.toLocaleString('en-US')} rows.`,
    access: 'journal_entries:create',
    query: Type.Object({
      date: day(),
      kind: Type.Optional(choice(MANUAL_KINDS, { description: 'Defaults to normal' })),
      description: Type.Optional(text({ max: 500 })),
      post: Type.Optional(flag({ description: 'Posts the entry immediately instead of leaving a draft' })),
      balance_account: Type.Optional(text({ max: 20, description: 'Code of the account for the difference' })),
      dry_run: Type.Optional(flag({ description: 'Checks the file without saving anything' })),
    }),
    upload: { mediaTypes: TABLE_TYPES, limit: MAX_BYTES },
    responses: { 200: dataBody(ImportedEntry) },
    async handler({ db, ctx, caller, query, body }) {
      const { balance_account: balanceAccount, dry_run: dryRun, ...head } = query;
      const file = { type: body.mediaType as TableType, content: body.content };
      return ok(await importEntry({ trx: db, ctx, role: caller.role }, { ...head, balanceAccount, dryRun, file }));
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
      'already has the value. Goods and services delivered or received but not invoiced by then are entered by `pending` (4309, 4009), ' +
      'and reversed on the next day by `pendingReversal`. Closing the year does the same for its last day.',
    access: 'journal_entries:create',
    body: StockVariation,
    responses: { 200: StockAnswer },
    handler: async ({ db, ctx, body }) => ({ status: 200, body: await enterStockVariation(db, ctx, body.date) }),
  }),
  defineRoute({
    tag: 'Accounting',
    method: 'POST',
    path: '/api/entry-templates/:id/enter',
    id: 'enterTemplate',
    summary: 'Create a journal entry by a template',
    problems: ['period_closed', 'invalid_transition', 'budget_exceeded'],
    description:
      'Creates a draft, or a posted entry with `post`. Percentages are rounded so that both sides are equal; lines that round to zero ' +
      'are left out.',
    access: 'journal_entries:create',
    params: Id,
    body: TemplateEntry,
    responses: { 201: dataBody(JournalEntry) },
    async handler({ db, ctx, params, body }) {
      const entry = await enterTemplate(db, ctx, params.id, body);
      return created(`${PATH}/${entry.id}`, entry);
    },
  }),
  defineRoute({
    ...one,
    method: 'GET',
    id: 'getJournalEntry',
    summary: 'One journal entry',
    description: 'Includes its lines; also for entries of documents and payments.',
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
    description:
      'The list of lines is replaced as a whole. Of a posted entry only `reversesOn` can be changed, until it is reversed.',
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
    description: 'Posted entries must be reversed instead.',
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
    problems: ['period_closed', 'invalid_transition', 'budget_exceeded'],
    description: 'A posted entry cannot be changed; reverse it to correct mistakes.',
    access: 'journal_entries:update',
    responses: answers,
    handler: async ({ db, ctx, params, ifMatch }) => ok(await postEntry(db, ctx, params.id, ifMatch)),
  }),
  defineRoute({
    ...one,
    method: 'POST',
    path: `${PATH}/:id/reverse`,
    id: 'reverseJournalEntry',
    whenFull: 'reserve',
    summary: 'Reverse a posted entry',
    problems: ['period_closed', 'invalid_transition', 'in_use'],
    description:
      'Returns the reversal. Entries of documents and payments are reversed by cancelling or deleting the document or payment.',
    access: 'journal_entries:create',
    body: ReverseBody,
    bodyOptional: true,
    responses: { 201: dataBody(JournalEntry) },
    async handler({ db, ctx, params, body, ifMatch }) {
      const reversal = await reverseEntry(db, ctx, params.id, { date: body?.date, ifMatch });
      return created(`${PATH}/${reversal.id}`, reversal);
    },
  }),
];
