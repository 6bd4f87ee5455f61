/** Routes that import and process statements of the company's bank accounts. */
import { Type } from 'typebox';
import {
  BankStatement,
  BankStatementLine,
  LINE_STATUSES,
  PAYMENTS_OF_LINE,
} from '../../../db/models/bank/statements.ts';
import { fromRow } from '../../../db/models/base.ts';
import { type ListDefinition, MAX_LIMIT } from '../../../db/queries/list.ts';
import { STATEMENT_FORMATS } from '../../../domain/bank/statements/format.ts';
import { COLUMN_NAMES } from '../../../domain/bank/statements/table-columns.ts';
import { acceptLines } from '../../../services/bank/statements/accept.ts';
import { AUTO_ACCEPT_SCORE } from '../../../services/bank/statements/auto-accept.ts';
import { parseColumns, saveColumns } from '../../../services/bank/statements/columns.ts';
import { importStatements } from '../../../services/bank/statements/import.ts';
import {
  isForBackground,
  MAX_LINES_INLINE,
  startStatementTask,
} from '../../../services/bank/statements/import-task.ts';
import { listOpenLines, readLine, readStatement } from '../../../services/bank/statements/lines.ts';
import type { AcceptedLine } from '../../../services/bank/statements/parts.ts';
import { removeStatement } from '../../../services/bank/statements/remove-statement.ts';
import { setLineStatus } from '../../../services/bank/statements/reopen.ts';
import { isTable, listAccounts, readStatements } from '../../../services/bank/statements/statement-file.ts';
import { choice, dataBody, day, integer, listBody, text, uuid } from '../../../services/platform/validation/schemas.ts';
import { EXCEL } from '../../../services/records/imports/source.ts';
import { listRoute } from '../../lists/list-route.ts';
import { TaskStarted, taskStarted } from '../../platform/tasks/started.ts';
import { created, noContent, ok } from '../../respond.ts';
import { defineRoute, type Route } from '../../route.ts';
import { AcceptBody, AcceptReport, ImportReport, Line, Statement, SuggestedLine } from './schemas.ts';

const TAG = 'Bank statements';
const PATH = '/api/bank-statements';
const MAX_BYTES = 20 * 1024 * 1024;
const MEDIA_TYPES = [
  'application/xml',
  'text/xml',
  'text/plain',
  'text/csv',
  EXCEL,
  'application/x-ofx',
  'application/octet-stream',
];
/** Maximum lines changed by one request. */
const MAX_LINES = 500;

const statements: ListDefinition = {
  defaultSort: '-to_date',
  fields: {
    bank_account_id: { type: 'uuid' },
    format: { type: 'choice', choices: STATEMENT_FORMATS },
    file_name: { type: 'text', searchable: true },
    reference: { type: 'text', searchable: true },
    from_date: { type: 'date' },
    to_date: { type: 'date', notNull: true },
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
    payment_id: {
      type: 'uuid',
      condition:
        'exists (select from bank_line_payments p where p.line_id = bank_statement_lines.id and p.payment_id = ?)',
      sortable: false,
    },
    entry_id: { type: 'uuid' },
    rule_id: { type: 'uuid' },
    position: { type: 'number' },
    date: { type: 'date', notNull: true },
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
/** Lists of lines with their payments. */
const shownLines = {
  columns: ['bank_statement_lines.*', PAYMENTS_OF_LINE],
  toJson: (row: Row) => BankStatementLine.toJson({ ...fromRow(BankStatementLine, row) }),
};

const ids = { line_ids: Type.Array(uuid(), { minItems: 1, maxItems: MAX_LINES, uniqueItems: true }) };
const closed = { additionalProperties: false };

export const routes: Route[] = [
  defineRoute({
    tag: TAG,
    method: 'POST',
    path: PATH,
    id: 'importBankStatements',
    summary: 'Import bank statements',
    problems: ['duplicate'],
    description: `camt.053 (from version .02 on), Norma 43, OFX, or a table in CSV or Excel (.xlsx, its first sheet); format and account are
detected. Existing lines are skipped, so a file may be sent again (200), and files may overlap; if something is new, the answer is 201 with
the address of the first statement that has it. A file that contradicts itself (balances, sums, check digits) is refused as a whole, with
the faults and their lines in \`errors\` (422); what does not change an amount, and columns that are not understood, are \`warnings\`.
More than ${MAX_LINES_INLINE.toLocaleString('en-US')} lines become a background task (202), whose result is the same report.`,
    access: 'payments:create',
    query: Type.Object({
      format: Type.Optional(choice(STATEMENT_FORMATS)),
      bank_account_id: Type.Optional(
        uuid({ description: 'Account of the statement; required if the file has no IBAN, as in most tables' }),
      ),
      columns: Type.Optional(
        text({
          max: 4000,
          description: `Meanings of a table's columns, as JSON: titles by ${COLUMN_NAMES.join(', ')}, and \`ignore\` with a list of those
to skip; \`text\` may have a list. Other columns are recognized by their titles. Saved for the bank account; {} deletes it`,
        }),
      ),
    }),
    upload: { mediaTypes: MEDIA_TYPES, limit: MAX_BYTES },
    responses: { 200: dataBody(ImportReport), 201: dataBody(ImportReport), 202: TaskStarted },
    async handler({ db, ctx, query: { format, bank_account_id: bankAccountId, columns: said }, body }) {
      const { name, content } = body;
      const columns = said === undefined ? undefined : parseColumns(said);
      const file = { content, name, format, bankAccountId, columns };
      const read = await readStatements(db, file);
      if (columns !== undefined && isTable(read)) await saveColumns(db, ctx, listAccounts(read), columns);
      if (await isForBackground(db, read)) return taskStarted(await startStatementTask(db, ctx, file));
      const report = await importStatements(db, ctx, read);
      const stored = report.statements.find((one) => one.created || one.new_lines > 0);
      return stored === undefined ? ok(report) : created(`${PATH}/${stored.id}`, report);
    },
  }),
  listRoute({
    tag: TAG,
    path: PATH,
    id: 'listBankStatements',
    summary: 'Bank statements, latest first',
    access: 'payments:read',
    list: statements,
    row: Statement,
    rows: () => ({
      from: 'bank_statements',
      toJson: (row: Row) => BankStatement.toJson(row),
    }),
  }),
  listRoute({
    tag: TAG,
    path: `${PATH}/lines`,
    id: 'listBankStatementLines',
    summary: 'Lines of all bank statements, latest first',
    access: 'payments:read',
    list: lines,
    row: Line,
    rows: () => ({ from: 'bank_statement_lines', ...shownLines }),
  }),
  defineRoute({
    tag: TAG,
    method: 'POST',
    path: `${PATH}/accept`,
    id: 'acceptBankStatementLines',
    summary: 'Accept statement lines',
    problems: ['period_closed', 'invalid_transition', 'duplicate', 'nothing_open', 'not_found', 'budget_exceeded'],
    description: `Matches each open line: with an existing payment (\`payment_id\`), a new one to register for the best
\`suggestion\` or for a partner and documents, a ledger account to post the amount to (\`account_code\`: charges, interest, a transfer to
another account of the company), an existing entry (\`entry_id\`), or several of these as \`parts\`, whose amounts add up to the line.
All lines are accepted or none, unless \`partial\` is true.`,
    access: 'payments:create',
    body: AcceptBody,
    responses: { 200: dataBody(AcceptReport) },
    async handler({ db, ctx, body: { lines: given, partial = false, least_score: leastScore = AUTO_ACCEPT_SCORE } }) {
      return ok(await acceptLines(db, ctx, given as readonly AcceptedLine[], { partial, leastScore }));
    },
  }),
  defineRoute({
    tag: TAG,
    method: 'POST',
    path: `${PATH}/lines/ignore`,
    id: 'ignoreBankStatementLines',
    summary: 'Ignore lines',
    problems: ['invalid_transition', 'not_found'],
    description: 'Ignored lines are no longer open, but can be reopened.',
    access: 'payments:update',
    body: Type.Object(ids, closed),
    responses: { 200: dataBody(Type.Array(Line)) },
    async handler({ db, ctx, body }) {
      return ok(await setLineStatus(db, ctx, body.line_ids, 'ignored'));
    },
  }),
  defineRoute({
    tag: TAG,
    method: 'POST',
    path: `${PATH}/lines/reopen`,
    id: 'reopenBankStatementLines',
    summary: 'Reopen ignored or matched lines',
    problems: ['in_use', 'invalid_transition', 'period_closed', 'not_found'],
    description: 'All lines or none. Payments remain; entries made for the lines are reversed.',
    access: 'payments:update',
    body: Type.Object(
      {
        ...ids,
        date: Type.Optional(day({ description: 'Date of the reversals; defaults to the date of each entry' })),
      },
      closed,
    ),
    responses: { 200: dataBody(Type.Array(Line)) },
    async handler({ db, ctx, body: { line_ids, date } }) {
      return ok(await setLineStatus(db, ctx, line_ids, 'open', date));
    },
  }),
  defineRoute({
    tag: TAG,
    method: 'GET',
    path: `${PATH}/lines/:id`,
    id: 'getBankStatementLine',
    summary: 'One statement line, with suggestions while it is open',
    description: 'The likeliest suggestion comes first, with its reasons.',
    access: 'payments:read',
    params: byId,
    responses: { 200: dataBody(SuggestedLine) },
    async handler({ reader, params }) {
      return ok(await readLine(reader, params.id));
    },
  }),
  defineRoute({
    tag: TAG,
    method: 'GET',
    path: `${PATH}/:id`,
    id: 'getBankStatement',
    summary: 'One bank statement',
    description: 'Includes its balances and the number of its new lines.',
    access: 'payments:read',
    params: byId,
    responses: { 200: dataBody(Statement) },
    async handler({ reader, params }) {
      return ok(await readStatement(reader, params.id));
    },
  }),
  defineRoute({
    tag: TAG,
    method: 'DELETE',
    path: `${PATH}/:id`,
    id: 'deleteBankStatement',
    summary: 'Delete a bank statement without accepted lines',
    problems: ['in_use'],
    description:
      'Deletes its lines too. Answers 409 `in_use` while lines are accepted: reopen them first. A deleted statement can be imported again.',
    access: 'payments:delete',
    params: byId,
    responses: { 204: null },
    async handler({ db, ctx, params, ifMatch }) {
      await removeStatement(db, ctx, params.id, ifMatch);
      return noContent();
    },
  }),
  listRoute({
    tag: TAG,
    path: `${PATH}/:id/lines`,
    id: 'listLinesOfBankStatement',
    summary: 'The lines of a bank statement',
    access: 'payments:read',
    params: byId,
    list: { ...lines, defaultSort: 'position' },
    row: Line,
    async rows({ reader, params }) {
      await readStatement(reader, params.id);
      return { from: 'bank_statement_lines', where: { statement_id: params.id }, ...shownLines };
    },
  }),
  defineRoute({
    tag: TAG,
    method: 'GET',
    path: `${PATH}/:id/suggestions`,
    id: 'suggestForBankStatement',
    summary: 'Open lines of a bank statement, with suggestions and their reasons',
    description: 'Suggestions are computed for the requested page; POST /api/bank-statements/accept accepts them.',
    access: 'payments:read',
    params: byId,
    query: Type.Object({
      page: Type.Optional(integer({ minimum: 1, maximum: 1_000_000, default: 1 })),
      limit: Type.Optional(integer({ minimum: 1, maximum: MAX_LIMIT, default: 50 })),
    }),
    responses: { 200: listBody(SuggestedLine) },
    async handler({ reader, params, query: { page = 1, limit = 50 } }) {
      const { rows, total } = await listOpenLines(reader, params.id, page, limit);
      const pagination = { total, page, per_page: limit, has_more: page * limit < total };
      return { status: 200, body: { data: rows, pagination } };
    },
  }),
];
