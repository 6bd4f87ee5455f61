/** Statements of the company's bank accounts: importing them, and working through their lines. */
import { Type } from 'typebox';
import { BankStatement, BankStatementLine, LINE_STATUSES } from '../../db/models/bank.ts';
import { fromRow } from '../../db/models/base.ts';
import { type ListDefinition, MAX_LIMIT } from '../../db/queries/list.ts';
import { STATEMENT_FORMATS } from '../../domain/bank/format.ts';
import { type AcceptedLine, acceptLines, SURE } from '../../services/bank/accept.ts';
import { importStatements } from '../../services/bank/import.ts';
import { openLines, readLine, readStatement, setLines } from '../../services/bank/lines.ts';
import { choice, dataOf, integer, listOf, uuid } from '../../services/validation/schemas.ts';
import { listRoute } from '../list-route.ts';
import type { Upload } from '../middleware/upload.ts';
import { ok } from '../respond.ts';
import { defineRoute, type Route } from '../route.ts';
import { AcceptBody, AcceptReport, ImportReport, Line, Statement, SuggestedLine } from './schemas.ts';

const TAG = 'Bank statements';
const PATH = '/api/bank-statements';
const MAX_BYTES = 20 * 1024 * 1024;
const MEDIA_TYPES = ['application/xml', 'text/xml', 'text/plain', 'text/csv', 'application/octet-stream'];
/** Lines that one request may change. */
const MAX_LINES = 500;

const statements: ListDefinition = {
  defaultSort: '-to_date',
  fields: {
    bank_account_id: { type: 'uuid' },
    format: { type: 'choice', choices: STATEMENT_FORMATS },
    file_name: { type: 'text', searchable: true },
    reference: { type: 'text', searchable: true },
    from_date: { type: 'date' },
    to_date: { type: 'date' },
    new_line_count: { type: 'number' },
    created_at: { type: 'instant' },
  },
};

const lines: ListDefinition = {
  defaultSort: '-date',
  fields: {
    bank_account_id: { type: 'uuid' },
    statement_id: { type: 'uuid' },
    status: { type: 'choice', choices: LINE_STATUSES },
    payment_id: { type: 'uuid' },
    position: { type: 'number' },
    date: { type: 'date' },
    value_date: { type: 'date' },
    amount: { type: 'number' },
    reference: { type: 'text', searchable: true },
    bank_reference: { type: 'text', searchable: true },
    end_to_end_id: { type: 'text', searchable: true },
    counterparty_name: { type: 'text', searchable: true },
    counterparty_iban: { type: 'text', searchable: true },
    text: { type: 'text', searchable: true },
    created_at: { type: 'instant' },
  },
};

const byId = Type.Object({ id: uuid() });
type Row = Record<string, unknown>;
const presentLine = (row: Row) => BankStatementLine.present({ ...fromRow(BankStatementLine, row) });

const bulk = (action: 'ignore' | 'reopen', id: string, summary: string, status: 'ignored' | 'open') =>
  defineRoute({
    tag: TAG,
    method: 'POST',
    path: `${PATH}/lines/${action}`,
    id,
    summary,
    access: 'payments:update',
    body: Type.Object(
      { line_ids: Type.Array(uuid(), { minItems: 1, maxItems: MAX_LINES, uniqueItems: true }) },
      { additionalProperties: false },
    ),
    responses: { 200: dataOf(Type.Array(Line)) },
    async handler({ db, ctx, body }) {
      return ok(await setLines(db, ctx, body.line_ids, status));
    },
  });

export const routes: Route[] = [
  defineRoute({
    tag: TAG,
    method: 'POST',
    path: PATH,
    id: 'importBankStatements',
    summary: 'Import bank statements',
    description: `camt.053 (from version .02 on), Norma 43, or a table in CSV; what it is and whose is found out. Lines that are there already are left alone, so a
file may come again, and files may overlap. A file that contradicts itself (balances, sums, counts, check digits) is refused as a whole, with the faults and their lines in \`errors\` (422).`,
    access: 'payments:create',
    query: Type.Object({
      format: Type.Optional(choice(STATEMENT_FORMATS)),
      bank_account_id: Type.Optional(
        uuid({ description: 'Whose statement it is; needed where the file has no IBAN, as most tables' }),
      ),
    }),
    upload: { mediaTypes: MEDIA_TYPES, limit: MAX_BYTES },
    responses: { 200: dataOf(ImportReport) },
    async handler({ db, ctx, query: { format, bank_account_id: bankAccountId }, body }) {
      const { name, content } = body as unknown as Upload;
      return ok(await importStatements(db, ctx, { content, name, format, bankAccountId }));
    },
  }),
  listRoute({
    tag: TAG,
    path: PATH,
    id: 'listBankStatements',
    summary: 'Bank statements, the latest first',
    access: 'payments:read',
    list: statements,
    row: Statement,
    rows: ({ db }) => ({
      from: db.from('bank_statements'),
      present: (row: Row) => BankStatement.present({ ...fromRow(BankStatement, row) }),
    }),
  }),
  listRoute({
    tag: TAG,
    path: `${PATH}/lines`,
    id: 'listBankStatementLines',
    summary: 'Lines of all bank statements, the latest first',
    access: 'payments:read',
    list: lines,
    row: Line,
    rows: ({ db }) => ({ from: db.from('bank_statement_lines'), present: presentLine }),
  }),
  defineRoute({
    tag: TAG,
    method: 'POST',
    path: `${PATH}/accept`,
    id: 'acceptBankStatementLines',
    summary: 'Accept lines: say what they are',
    description: `Each open line becomes matched with a payment: one that is registered already, or one that is registered now for the best suggestion,
the documents, or the partner that are named. All lines are accepted or none, unless \`partial\` is true.`,
    access: 'payments:create',
    body: AcceptBody,
    responses: { 200: dataOf(AcceptReport) },
    async handler({ db, ctx, body: { lines: given, partial = false, least_score: leastScore = SURE } }) {
      return ok(await acceptLines(db, ctx, given as readonly AcceptedLine[], { partial, leastScore }));
    },
  }),
  bulk('ignore', 'ignoreBankStatementLines', 'Set lines aside that concern no document', 'ignored'),
  bulk('reopen', 'reopenBankStatementLines', 'Open ignored lines again, and matched ones, whose payments stay', 'open'),
  defineRoute({
    tag: TAG,
    method: 'GET',
    path: `${PATH}/lines/:id`,
    id: 'getBankStatementLine',
    summary: 'One line; while it is open, with the invoices that it may be for',
    access: 'payments:read',
    params: byId,
    responses: { 200: dataOf(SuggestedLine) },
    async handler({ db, params }) {
      return ok(await readLine(db, params.id));
    },
  }),
  defineRoute({
    tag: TAG,
    method: 'GET',
    path: `${PATH}/:id`,
    id: 'getBankStatement',
    summary: 'One bank statement',
    access: 'payments:read',
    params: byId,
    responses: { 200: dataOf(Statement) },
    async handler({ db, params }) {
      return ok(await readStatement(db, params.id));
    },
  }),
  listRoute({
    tag: TAG,
    path: `${PATH}/:id/lines`,
    id: 'listLinesOfBankStatement',
    summary: 'Lines of a bank statement that no earlier one had',
    access: 'payments:read',
    params: byId,
    list: { ...lines, defaultSort: 'position' },
    row: Line,
    async rows({ db, params }) {
      await readStatement(db, params.id);
      return { from: db.from('bank_statement_lines').where({ statement_id: params.id }), present: presentLine };
    },
  }),
  defineRoute({
    tag: TAG,
    method: 'GET',
    path: `${PATH}/:id/suggestions`,
    id: 'suggestForBankStatement',
    summary: 'Open lines of a bank statement with the invoices that they may be for, and why',
    access: 'payments:read',
    params: byId,
    query: Type.Object({
      page: Type.Optional(integer({ minimum: 1, maximum: 1_000_000, default: 1 })),
      limit: Type.Optional(integer({ minimum: 1, maximum: MAX_LIMIT, default: 50 })),
    }),
    responses: { 200: listOf(SuggestedLine) },
    async handler({ db, params, query: { page = 1, limit = 50 } }) {
      const { rows, total } = await openLines(db, params.id, page, limit);
      const pagination = { total, page, per_page: limit, has_more: page * limit < total };
      return { status: 200, body: { data: rows, pagination } };
    },
  }),
];
