/**
 * A report is declared once. Its route, background generation, OpenAPI, JSON, CSV, Excel and PDF follow from the declaration
 * (decision 0170). Adding one is a file here, a line in index.ts, and its test.
 */
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { Context } from '../../../db/context.ts';
import type { Reader } from '../../../db/database.ts';
import type { ErrorCode } from '../../../domain/errors.ts';
import type { Language } from '../../../domain/locale/formats.ts';
import type { Decimal } from '../../../domain/money.ts';
import type { Permission, ReportArea } from '../../../domain/permissions.ts';
import type { Chart } from '../../../domain/reports/engine/charts.ts';
import type { Form } from '../../../domain/reports/engine/forms.ts';
import type { Texts } from '../../../domain/reports/engine/texts.ts';
import type { SettingsByName } from '../../platform/settings/definitions.ts';
import { amount, day, type Input } from '../../platform/validation/schemas.ts';
import type { Page } from './paging.ts';

type Members = Readonly<Record<string, TSchema>>;
/** JSON values of a report, whatever its schema. */
export type Values = Readonly<Record<string, unknown>>;

/** The usual parameters: first and last day, both included. */
export const RANGE = { from: Type.Optional(day()), to: Type.Optional(day()) };

/** A percentage from 0 to 100. */
export function percent(options: Parameters<typeof amount>[0] = {}) {
  return { ...amount({ places: 2, ...options }), 'x-measure': 'percent' };
}

/** The request that a report answers, with the settings it uses. */
export interface ReportRequest<P = Values> {
  readonly reader: Reader;
  readonly ctx: Context;
  readonly params: P;
  /**
   * Dates of the parameters; by default from the first day of the fiscal year of `to` to the company's today (or
   * `from`, if that is later).
   */
  readonly range: { readonly from: string; readonly to: string };
  /** Language of names in the answer: the company's. */
  readonly language: Language;
  readonly settings: Pick<SettingsByName, 'company' | 'format' | 'branding'>;
  /** Rounded to the company's decimals of amounts. */
  readonly money: (value: Decimal) => number;
  /** Rounded to the company's decimals of quantities. */
  readonly quantity: (value: Decimal) => number;
  /** The wanted rows of a paged report; null for a file, whose rows come from `stream`. */
  readonly page: Page | null;
}

export interface ReportResult<D = Values, S = Values> {
  /** The envelope's first date if it differs from `range`; null for an open beginning. */
  readonly from?: string | null;
  readonly to?: string | null;
  readonly data: D;
  readonly summary: S;
}

/** A table of a file. */
export interface ReportTable {
  /** Its sheet and heading; the report's title by default. */
  readonly title?: Texts | undefined;
  /** The name of its sheet, where the title has more than 31 characters. */
  readonly sheet?: Texts | undefined;
  /** The schema of a row; it gives columns, their order, and the form of values. */
  readonly row: TSchema;
  /** Columns shown, in order; by default all but ids, structures and drilldown. */
  readonly columns?: readonly string[] | undefined;
  /** Titles of columns whose names say too little. */
  readonly titles?: Readonly<Record<string, Texts>> | undefined;
  readonly rows: readonly object[];
  /** Totals by column. */
  readonly totals?: Values | undefined;
  /** Whether the rows are a tree in depth-first order, with members `level` (from 0) and `parts`: indices of the rows that add up to it. */
  readonly tree?: boolean | undefined;
}

/** Content of a report's files. CSV has the first table only, Excel a sheet for each, PDF all below one another. */
export interface ReportFile {
  readonly tables: readonly ReportTable[];
  /** Boxes of a tax form: a form in the PDF, a table elsewhere. */
  readonly forms?: readonly Form[];
}

/** A result with its request, from which files are made. */
export type ReportView<P, D, S> = ReportRequest<P> & { readonly data: D; readonly summary: S };

/** A format that only one report has. */
export interface OwnFormat<P, D, S> {
  readonly type: string;
  readonly extension: string;
  /** Reads nothing. @throws ServiceError invalid_parameter where the report cannot be written so */
  check?(request: ReportRequest<P>): void;
  write(view: ReportView<P, D, S>): Promise<string | Uint8Array>;
}

export interface ReportDeclaration<P extends Members, D extends TSchema, S extends TSchema, Row extends object> {
  /** The path below /api/reports: trial-balance, tax/model303. */
  readonly name: string;
  readonly title: Texts;
  readonly description?: string;
  /** Area whose permission it requires; `payroll` is for pay of individuals, which only readers of payrolls may see. */
  readonly area: ReportArea | 'payroll';
  readonly parameters: P;
  /** The schema of `data`. */
  readonly data: D;
  /** The schema of `summary`: totals, under the names of the columns. */
  readonly summary: S;
  /** Ids that files show, since nothing else tells what a row is about. */
  readonly ids?: readonly string[];
  /** Members of `data` that are at the top level of the answer too. */
  readonly top?: readonly string[];
  /** Whether the answer is `data` alone, without an envelope. */
  readonly bare?: boolean;
  /** Whether it is about its last day, and only compares it with the first: then files are headed by that day. */
  readonly ofDay?: boolean;
  /** Whether several statements have to see the same state of the books. */
  readonly consistent?: boolean;
  /** Whether it may have many rows: then `read` gives pages, and `stream` all rows. */
  readonly paged?: boolean;
  /** Codes of what it refuses besides invalid parameters. */
  readonly problems?: readonly ErrorCode[];
  /** Reads nothing. @throws ServiceError invalid_parameter for what the schemas of the parameters cannot say */
  check?(request: ReportRequest<Static<TObject<P>>>): void;
  /**
   * Counts its rows: exactly if it is paged, else an upper bound. Stops just above `most`, to stay quick. Reports
   * without it have few rows in any company.
   * @throws ServiceError where `read` does
   */
  size?(request: ReportRequest<Static<TObject<P>>>, most: number): Promise<number>;
  read(request: ReportRequest<Static<TObject<P>>>): Promise<ReportResult<Input<D>, Input<S>>>;
  /** All rows of the first table in batches, from one snapshot. */
  stream?(request: ReportRequest<Static<TObject<P>>>): AsyncIterable<readonly Row[]>;
  /** By default a table of `data.rows` with the totals of `summary`. */
  file?(view: ReportView<Static<TObject<P>>, Input<D>, Input<S>>): ReportFile;
  /** Shown in PDFs and, as pictures, in workbooks; a worker makes these, since only workers have a browser to draw pictures with. */
  charts?(view: ReportView<Static<TObject<P>>, Input<D>, Input<S>>): readonly Chart[];
  readonly formats?: Readonly<Record<string, OwnFormat<Static<TObject<P>>, Input<D>, Input<S>>>>;
}

/** A report as the engine sees it. */
export interface Report
  extends Omit<
    ReportDeclaration<Members, TSchema, TSchema, object>,
    'check' | 'size' | 'read' | 'stream' | 'file' | 'charts' | 'formats'
  > {
  check?(request: ReportRequest): void;
  size?(request: ReportRequest, most: number): Promise<number>;
  read(request: ReportRequest): Promise<ReportResult>;
  stream?(request: ReportRequest): AsyncIterable<readonly object[]>;
  file?(view: ReportView<Values, Values, Values>): ReportFile;
  charts?(view: ReportView<Values, Values, Values>): readonly Chart[];
  readonly formats?: Readonly<Record<string, OwnFormat<Values, Values, Values>>>;
}

/** Declares a report; its only work is to infer the types from the schemas. */
export function defineReport<P extends Members, D extends TSchema, S extends TSchema, Row extends object>(
  report: ReportDeclaration<P, D, S, Row>,
): Report {
  return report as unknown as Report;
}

/** The permission that it needs. */
export function permissionFor({ area }: Pick<Report, 'area'>): Permission {
  return area === 'payroll' ? 'payroll:read' : `reports:${area}`;
}

/** The name in the envelope: trial_balance, tax_model303. */
export function envelopeName({ name }: Pick<Report, 'name'>): string {
  return name.replaceAll(/[-/]/g, '_');
}
