/** Renders a report for printing: formats all texts, which the template only arranges. */
import { Buffer } from 'node:buffer';
import { type Formats, formatsFor, type Language } from '../../../domain/locale/formats.ts';
import { writeInstant } from '../../../domain/records/tables/times.ts';
import { isNumeric, shownCell } from '../../../domain/reports/engine/cells.ts';
import { type Box, type Form, inColumns, onPaper } from '../../../domain/reports/engine/forms.ts';
import { DEFAULT_SETTINGS } from '../../platform/settings/definitions.ts';
import { type Column, valueIn } from '../../records/exports/columns.ts';
import { companyParty } from '../../trade/pdf/parties.ts';
import { type Printable, renderPage } from '../../trade/pdf/render.ts';
import { printStyle } from '../../trade/pdf/style.ts';
import type { Cell, Row } from '../../trade/pdf/table-rows.ts';
import { TEXTS } from '../../trade/pdf/texts/index.ts';
import { type ContentTable, contentHeading, type ReportContent } from './content.ts';
import type { Report } from './declaration.ts';
import { drawings } from './drawings.ts';
import { type PaperPart, type PaperTable, paperTables } from './parts.ts';
import { assertPrintable } from './size.ts';

/** Wider tables are printed in landscape. */
const PORTRAIT_COLUMNS = 6;
/** Wider ones are printed in small letters, without the columns in which no row has a value. */
const LEGIBLE_COLUMNS = 16;
/** Columns of codes, which are not broken. */
const CODE = /(^|_)(code|number)$/;
const MAX_CODE_LENGTH = 16;
const PAIRED = /(^|_)(debit|credit)$/;
/** Millimetres per level of a tree. */
const INDENT = 4;
const NONE = { en: 'Nothing to show', es: 'Sin datos' };
const BRIEF = { en: 'Lines without amounts are not printed', es: 'No se imprimen las líneas sin importes' };
const MADE = { en: 'Made on', es: 'Generado el' };
const TOTAL = { en: 'Total', es: 'Total' };
const BROUGHT = { en: 'Brought forward', es: 'Suma anterior' };
const CARRIED = { en: 'Carried forward', es: 'Suma y sigue' };

/**
 * Renders the page of a report, or of a part of it.
 * @param logo the image in the heading as a data URI; null for none
 * @throws ServiceError invalid_parameter if it has too many rows
 */
export async function renderReport(
  content: ReportContent,
  logo: string | null,
  part: PaperPart = { tables: paperTables(content), number: 1, isLast: true },
): Promise<Printable> {
  const { view, file } = content;
  const { company, format, branding } = view.settings;
  const formats = formatsFor(format, view.addresseeLanguage ?? null);
  const texts = TEXTS[formats.language];
  const style = printStyle(branding);
  const { title, period } = contentHeading(content);
  const forms = part.isLast ? (file.forms ?? []) : [];
  const { tables } = part;
  const counted = counter(content.report);
  const areTitled = paperTables(content).length > 1;
  const shown = [];
  for (const table of tables) {
    shown.push(await shownTable(table, content, formats, areTitled && table.title !== title, counted));
  }
  const landscape = tables.some(({ columns }) => columns.length > PORTRAIT_COLUMNS);
  const page = {
    language: formats.language,
    texts,
    style,
    title,
    code: [period, ...partTitle(part, formats.language)].join(' · '),
    made: `${MADE[formats.language]} ${writeInstant(view.ctx.now.toISOString(), format)}`,
    notes: content.warnings.map(({ message }) => message),
    none: NONE[formats.language],
    company: companyParty(company, texts),
    appName: branding.appName === DEFAULT_SETTINGS.branding.appName ? null : branding.appName,
    logo,
    wide: landscape,
    charts: (part.number === 1 ? drawings(content) : []).map(({ title, svg }) => ({ title, image: dataUri(svg) })),
    forms: forms.map((form) => shownForm(form, formats)),
    tables: shown,
  };
  return { ...(await renderPage('report', page)), landscape };
}

/** Converts SVG to a data URI: as an image it runs no scripts and loads nothing. */
function dataUri(svg: string): string {
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}

/** Names a part of several. */
function partTitle({ number, isLast }: PaperPart, language: Language): string[] {
  if (number === 1 && isLast) return [];
  const last = { en: ' and last', es: ' y última' }[language];
  return [`${{ en: 'part', es: 'parte' }[language]} ${number}${isLast ? last : ''}`];
}

function counter(report: Report): (rows: number) => void {
  let all = 0;
  return (rows) => {
    all += rows;
    assertPrintable(report, all);
  };
}

async function shownTable(
  { title, columns, rows, totals, tree, brought, carried }: PaperTable,
  { view }: ReportContent,
  formats: Formats,
  isTitled: boolean,
  counted: (rows: number) => void,
) {
  const names = new Set(columns.map(({ name }) => name));
  const narrow = columns.length > LEGIBLE_COLUMNS;
  const cell = (column: Column, value: unknown): Cell => ({
    text: isBlank(value, column, names) ? '' : shownCell(value, column, formats, view.settings.format),
    numeric: isNumeric(column),
    whole: column.kind === 'date' || (CODE.test(column.name) && String(value).length <= MAX_CODE_LENGTH),
    indent: 0,
  });
  const shown: Row[] = [];
  for await (const batch of rows) {
    counted(batch.length);
    for (const row of batch) {
      const { level = 0 } = (tree === true ? row : {}) as { level?: number };
      const cells = columns.map((column) => {
        const plain = cell(column, valueIn(row, column));
        return column.name === 'name' && level > 0 ? { ...plain, indent: 3 + level * INDENT } : plain;
      });
      shown.push({ cells, kind: tree === true && isMain(row, level) ? 'strong' : null });
    }
  }
  const { language } = formats;
  const before = sumRows(columns, brought, BROUGHT[language], cell);
  const after = sumRows(columns, carried ?? totals, (carried === undefined ? TOTAL : CARRIED)[language], cell);
  const all = shown.length === 0 ? [] : [...before, ...shown, ...after];
  const printed = columns.map((_, index) => !narrow || all.some(({ cells }) => cells[index]?.text !== ''));
  const isPrinted = (_: unknown, index: number) => printed[index];
  return {
    title: isTitled ? title : null,
    narrow,
    columns: columns.filter(isPrinted).map((column) => ({ title: column.title, numeric: isNumeric(column) })),
    rows: all.map((row) => ({ ...row, cells: row.cells.filter(isPrinted) })),
    isEmpty: shown.length === 0,
  };
}

/** Whether a zero debit or credit is left blank beside its counterpart, as in printed ledgers. */
function isBlank(value: unknown, { name }: Column, names: ReadonlySet<string>): boolean {
  if (value !== 0 || !PAIRED.test(name)) return false;
  return names.has(name.endsWith('debit') ? name.replace(/debit$/, 'credit') : name.replace(/credit$/, 'debit'));
}

/** Builds a row of sums, such as the totals; none if no column has one. */
function sumRows(
  columns: readonly Column[],
  totals: ContentTable['totals'],
  label: string,
  cell: (column: Column, value: unknown) => Cell,
): Row[] {
  if (totals === undefined || !columns.some(({ name }) => typeof totals[name] === 'number')) return [];
  const first = columns.findIndex(({ name }) => totals[name] === undefined);
  const cells = columns.map((column, index) =>
    index === first ? { text: label, numeric: false, whole: false, indent: 0 } : cell(column, totals[column.name]),
  );
  return [{ cells, kind: 'sum' }];
}

function shownForm(form: Form, formats: Formats) {
  const { title, notes = [], groups, closing = [], brief, dense = false, ownPage = false } = onPaper(form);
  return {
    title,
    notes: brief === true ? [...notes, BRIEF[formats.language]] : notes,
    closing,
    dense,
    ownPage,
    groups: groups.map((group) => ({
      title: group.title,
      half: group.half === true,
      heads: group.heads ?? [],
      lines: group.lines.map((line) => ({
        label: line.label,
        total: line.total === true,
        boxes: inColumns(group, line).map((box) => box && shownBox(box, line.total === true, formats)),
      })),
    })),
  };
}

function shownBox({ number, value, kind = 'amount' }: Box, isTotal: boolean, formats: Formats) {
  const column = {
    kind: typeof value !== 'number' ? 'text' : kind === 'count' ? 'integer' : 'number',
    measure: kind === 'percent' ? 'percent' : 'amount',
  } as const;
  const isBlank = value === 0 && !isTotal;
  return { number, value: isBlank ? '' : shownCell(value, column, formats, { dateFormat: '', timezone: 'UTC' }) };
}

/** Whether a row is a main heading of the annual accounts, with its own letter: A) ACTIVO NO CORRIENTE. */
function isMain(row: object, level: number): boolean {
  return level === 0 || /^[A-Z]$/.test(String((row as { code?: unknown }).code));
}
