/** Builds the tables of a report's files, with their columns. */
import { type TSchema, Type } from 'typebox';
import type { Language } from '../../../domain/locale/formats.ts';
import { memberLabel } from '../../../domain/locale/labels.ts';
import { BOX_TITLES, boxRows, type Form } from '../../../domain/reports/engine/forms.ts';
import type { Texts } from '../../../domain/reports/engine/texts.ts';
import { wordsFor } from '../../../domain/reports/engine/words.ts';
import { amount, nullable, text } from '../../platform/validation/schemas.ts';
import { type Column, schemaColumns } from '../../records/exports/columns.ts';
import type { Report, ReportFile, ReportTable, ReportView, Values } from './declaration.ts';

/** A table ready for writing. */
export interface FileTable extends Omit<ReportTable, 'title' | 'sheet' | 'titles' | 'columns'> {
  readonly title: string;
  readonly sheet?: string | undefined;
  readonly columns: readonly Column[];
}

/** Builds the content of the report's files. */
export function buildFile(report: Report, view: ReportView<Values, Values, Values>): ReportFile {
  return report.file?.(view) ?? { tables: [defaultTable(report, view.data, view.summary)] };
}

/** Lists the tables of a file, and the boxes of its forms as tables. */
export function fileTables(
  report: Report,
  { tables, forms = [], formsOnPaper = false }: ReportFile,
  language: Language,
): FileTable[] {
  return [...tables, ...(formsOnPaper ? [] : forms.map(boxTable))].map((table) => ready(report, table, language));
}

/** Prepares one table of a report. */
export function ready(report: Report, table: ReportTable, language: Language): FileTable {
  const { title, sheet, titles, columns, ...rest } = table;
  return {
    ...rest,
    title: (title ?? report.title)[language],
    sheet: sheet?.[language],
    columns: columnsFor(report, table, language),
  };
}

function defaultTable(report: Report, data: Values, totals: Values): ReportTable {
  const row = rowSchema(report.data);
  return { row, rows: (data.rows as readonly object[] | undefined) ?? [], totals };
}

/** The schema of `data.rows`. */
function rowSchema(data: TSchema): TSchema {
  const { rows } = (data as unknown as { properties: { rows?: { items: TSchema } } }).properties;
  if (rows === undefined) throw new Error('a report without `rows` in its data must declare its `file`');
  return rows.items;
}

/** Members without use to people, and structures that do not fit into a cell. */
const HIDDEN = new Set(['drilldown', 'expenses_drilldown', 'level', 'parts']);

function columnsFor({ ids = [] }: Report, table: ReportTable, language: Language): Column[] {
  const all = schemaColumns(table.row);
  const chosen = table.columns?.map((name) => named(all, name)) ?? all.filter((column) => isUsual(column, ids));
  return chosen.map((column) => ({
    ...column,
    title: memberTitle(table.titles, column.name)?.[language] ?? memberLabel(column.label ?? column.name, language),
    words: wordsFor(column.name, language),
  }));
}

function named(columns: readonly Column[], name: string): Column {
  const found = columns.find((column) => column.name === name);
  if (found === undefined) throw new Error(`a table has no column ${name}`);
  return found;
}

function isUsual({ name, isId, kind }: Column, ids: readonly string[]): boolean {
  if (isId) return ids.includes(name);
  return kind !== 'json' && !HIDDEN.has(name);
}

function memberTitle(titles: Readonly<Record<string, Texts>> = {}, name: string): Texts | undefined {
  return Object.hasOwn(titles, name) ? titles[name] : undefined;
}

const BOX = Type.Object({
  group: text(),
  box: text(),
  concept: text(),
  amount: nullable(amount()),
  text: nullable(text()),
});

/** Converts the boxes of a form to a table, with columns for numbers and texts only if there are any. */
function boxTable(form: Form): ReportTable {
  const rows = boxRows(form);
  const box = rows.some((row) => row.box !== '') ? ['box'] : [];
  const texts = rows.some((row) => row.text !== null) ? ['text'] : [];
  const columns = ['group', ...box, 'concept', 'amount', ...texts];
  const sheet = form.title.split(' · ')[0] ?? form.title;
  return {
    title: { en: form.title, es: form.title },
    sheet: { en: sheet, es: sheet },
    row: BOX,
    columns,
    titles: BOX_TITLES,
    rows,
  };
}
