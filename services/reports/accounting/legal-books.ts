/** The books of a fiscal year that a company presents to the Registro Mercantil, as one archive (decision 0372). */
import { type Static, Type } from 'typebox';
import { query } from '../../../db/sql.ts';
import { fiscalYear } from '../../../domain/ledger/periods/fiscal-year.ts';
import {
  type BookKind,
  type BookYear,
  bookFileName,
  bookNumber,
  booksFileName,
  presentBy,
} from '../../../domain/reports/accounting/legal-books.ts';
import { fiscalYearSpan } from '../../../domain/reports/engine/periods.ts';
import { YEAR } from '../../ledger/tax-returns/schemas.ts';
import { choice, day, flag, integer, nullable, text } from '../../platform/validation/schemas.ts';
import { defineReport, type Report, type ReportRequest, type WrittenFile } from '../engine/declaration.ts';
import { requestedPage } from '../engine/paging.ts';
import { FISCAL_YEAR, requestedYear, yearWarnings } from './fiscal-year.ts';
import { inventoriesAndAccounts } from './inventories-and-accounts.ts';
import { journal } from './journal.ts';

const FORMATS = ['pdf', 'excel'] as const;

const ROW = Type.Object({
  kind: choice(['journal', 'inventories-and-accounts'], { description: 'The report that the book is' }),
  title: text(),
  number: integer({ description: 'Number of the book among those of its kind' }),
  from: day(),
  to: day({ description: 'The close of the year' }),
  lines: nullable(integer({ description: 'Lines of entries in the journal; null for the other book' })),
  drilldown: text({ max: 500 }),
});
type Book = Static<typeof ROW>;

const NUMBER = { minimum: 1, maximum: 9999 };

export const legalBooks = defineReport({
  name: 'legal-books',
  title: { en: 'Books for the commercial register', es: 'Libros para el Registro Mercantil' },
  description:
    'The books that companies of Spain present to the Registro Mercantil within four months of the close of a fiscal year: journal, and ' +
    'inventories and annual accounts. `format=zip` has both as PDF and Excel, with `manifest.json` and the SHA-256 hash of each file; ' +
    'PDFs of more than 5,000 rows come in parts. Books of a year that is not closed are provisional, and say so.',
  area: 'accounting',
  parameters: {
    ...FISCAL_YEAR,
    journal_number: Type.Optional(
      integer({ ...NUMBER, description: 'Number of this journal; by default the years since the first entry and one' }),
    ),
    inventories_number: Type.Optional(
      integer({
        ...NUMBER,
        description: 'Number of this book of inventories and annual accounts; by default likewise',
      }),
    ),
    only: Type.Optional(
      choice(FORMATS, { description: 'With `format=zip`: only files of this kind; by default both' }),
    ),
  },
  data: Type.Object({
    year: { ...YEAR, description: 'The calendar year in which the fiscal year begins' },
    closed: flag({ description: 'Whether the year is closed; otherwise the books are provisional' }),
    present_by: day({ description: 'The last day to present them: four months after the close' }),
    rows: Type.Array(ROW, { description: 'The books, in the order in which they are presented' }),
  }),
  summary: Type.Object({ lines: integer({ description: 'Lines of entries in the journal' }) }),
  consistent: true,
  async read(request) {
    const { params, settings } = request;
    const start = settings.company.fiscalYearStart;
    const year = requestedYear(request);
    const span = fiscalYearSpan(year, start);
    const warnings = await yearWarnings(request, span);
    const number = bookNumber(year, await firstYear(request));
    const lines = await countJournal({ ...request, params: {}, range: span });
    const book = (report: Report, of: Pick<Book, 'kind' | 'number' | 'lines' | 'drilldown'>): Book => {
      return { ...of, title: report.title[request.language], ...span };
    };
    return {
      ...span,
      data: {
        year,
        closed: warnings.length === 0,
        present_by: presentBy(span.to),
        rows: [
          book(journal, {
            kind: 'journal',
            number: params.journal_number ?? number,
            lines,
            drilldown: `/api/reports/journal?from=${span.from}&to=${span.to}`,
          }),
          book(inventoriesAndAccounts, {
            kind: 'inventories-and-accounts',
            number: params.inventories_number ?? number,
            lines: null,
            drilldown: `/api/reports/inventories-and-accounts?year=${year}`,
          }),
        ],
      },
      summary: { lines },
      warnings,
    };
  },
  fileSet: {
    fileName: (view) => booksFileName(bookYear(view), view.data.closed),
    files(view) {
      const { only } = view.params;
      const formats = only === undefined ? FORMATS : [only];
      return view.data.rows.flatMap((book) =>
        formats.map((format) => ({
          ...partOfSet(book, view.data.year),
          format,
          name: (part) => bookFileName(bookYear(view), book.kind, part),
        })),
      );
    },
    describe(view, files) {
      const { data, settings, ctx } = view;
      const { name, taxId } = settings.company;
      const [{ from, to }] = data.rows as [Book];
      const manifest = {
        company: name,
        tax_id: taxId,
        year: data.year,
        from,
        to,
        provisional: !data.closed,
        present_by: data.present_by,
        made_at: ctx.now.toISOString(),
        hash: 'SHA-256',
        books: data.rows.map(({ kind, title, number, lines }) => ({
          kind,
          title,
          number,
          ...(lines === null ? {} : { lines }),
          files: files.filter(({ report }) => report === REPORTS[kind]).map(fileEntry),
        })),
      };
      return {
        'manifest.json': `${JSON.stringify(manifest, null, 2)}\n`,
        SHA256SUMS: files.map(({ name: file, sha256 }) => `${sha256}  ${file}\n`).join(''),
      };
    },
  },
});

const REPORTS: Readonly<Record<BookKind, Report>> = {
  journal,
  'inventories-and-accounts': inventoriesAndAccounts,
};

function partOfSet({ kind, from, to }: Book, year: number) {
  return { report: REPORTS[kind], params: kind === 'journal' ? { from, to } : { year } };
}

function bookYear({
  data: { year },
  settings: { company },
  language,
}: Pick<ReportRequest, 'settings' | 'language'> & { readonly data: { readonly year: number } }): BookYear {
  return { year, taxId: company.taxId, language };
}

function fileEntry({ name, format, part, content, sha256 }: WrittenFile) {
  return { name, format, part: part.number, parts: part.count, bytes: content.length, sha256 };
}

/** The calendar year in which the fiscal year of the first entry begins; null without entries. */
async function firstYear({ reader, settings }: Pick<ReportRequest, 'reader' | 'settings'>): Promise<number | null> {
  const sql = `select min(date)::text as date from journal_entries where status = 'posted'`;
  const [found] = await query<{ date: string | null }>(reader, sql, {});
  const date = found?.date ?? null;
  return date === null ? null : fiscalYear(settings.company.fiscalYearStart, date).year;
}

async function countJournal(request: ReportRequest): Promise<number> {
  const { data } = await journal.read({ ...request, page: requestedPage({ limit: 1 }) });
  return (data as { pagination: { total: number } }).pagination.total;
}
