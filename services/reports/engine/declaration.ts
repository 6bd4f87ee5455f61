/**
 * Declarations of reports. Route, background generation, OpenAPI, JSON, CSV, Excel and PDF follow from them (decision 0170). To add a
 * report: a file, its entry in services/reports/generation/reports.ts, and its test.
 */
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import type { Context } from '../../../db/context.ts';
import type { Reader } from '../../../db/database.ts';
import type { ErrorCode } from '../../../domain/errors.ts';
import type { AccountChart } from '../../../domain/ledger/accounting/charts/chart.ts';
import type { Language } from '../../../domain/locale/formats.ts';
import type { Decimal } from '../../../domain/money.ts';
import { type Permission, PRIVATE, type ReportArea } from '../../../domain/permissions.ts';
import type { Chart } from '../../../domain/reports/engine/charts.ts';
import type { Form } from '../../../domain/reports/engine/forms.ts';
import type { Texts } from '../../../domain/reports/engine/texts.ts';
import type { SettingsByName } from '../../platform/settings/definitions.ts';
import { amount, day, type Input } from '../../platform/validation/schemas.ts';
import type { Page } from './paging.ts';

type Members = Readonly<Record<string, TSchema>>;
/** JSON values of a report, whatever its schema. */
export type Values = Readonly<Record<string, unknown>>;

/** The usual parameters: first and last day, inclusive. */
export const RANGE = { from: Type.Optional(day()), to: Type.Optional(day()) };

/** A percentage from 0 to 100. */
export function percent(options: Parameters<typeof amount>[0] = {}) {
  return { ...amount({ places: 2, ...options }), 'x-measure': 'percent' };
}

/** A request for a report, with the settings that it needs. */
export interface ReportRequest<P = Values> {
  readonly reader: Reader;
  readonly ctx: Context;
  readonly params: P;
  /**
   * Dates of the parameters; by default from the first day of the fiscal year of `to` to the company's current date (or `from`, if that is
   * later).
   */
  readonly range: { readonly from: string; readonly to: string };
  /** Language of names in the answer: that of the company. */
  readonly language: Language;
  readonly settings: Pick<SettingsByName, 'company' | 'format' | 'branding'>;
  /** The company's chart of accounts. */
  readonly accountChart: AccountChart;
  /** Rounds to the company's decimals for amounts. */
  readonly money: (value: Decimal) => number;
  /** Rounds to the company's decimals for quantities. */
  readonly quantity: (value: Decimal) => number;
  /** The requested rows of a paged report; null for a file, whose rows come from `stream`. */
  readonly page: Page | null;
}

/** A step that is still to be done before the figures are complete. */
export interface ReportWarning {
  readonly code: string;
  /** In the language of the report. */
  readonly message: string;
}

export interface ReportResult<D = Values, S = Values> {
  /** The envelope's first date if it differs from `range`; null for an open beginning. */
  readonly from?: string | null;
  readonly to?: string | null;
  readonly data: D;
  readonly summary: S;
  readonly warnings?: readonly ReportWarning[];
  /** Language of the person to whom its files are addressed, such as es or en-GB; null or by default that of the company. */
  readonly addresseeLanguage?: string | null;
}

/** A table of a file. */
export interface ReportTable {
  /** Title of its sheet and heading; defaults to the report's title. */
  readonly title?: Texts | undefined;
  /** Name of its sheet, if the title has more than 31 characters. */
  readonly sheet?: Texts | undefined;
  /** The schema of a row, which determines columns, their order, and formats. */
  readonly row: TSchema;
  /** Columns shown, in order; by default all except ids, structures and drilldown. */
  readonly columns?: readonly string[] | undefined;
  /** Titles of columns whose names are not clear enough. */
  readonly titles?: Readonly<Record<string, Texts>> | undefined;
  readonly rows: readonly object[];
  /** Totals by column. */
  readonly totals?: Values | undefined;
  /** Whether the rows are a tree in depth-first order, with members `level` (from 0) and `parts`: indices of the rows that add up to it. */
  readonly tree?: boolean | undefined;
}

/** Content of a report's files. CSV has only the first table, Excel a sheet for each, PDF all of them one below the other. */
export interface ReportFile {
  readonly tables: readonly ReportTable[];
  /** Boxes of a tax form: a form in the PDF, a table elsewhere. */
  readonly forms?: readonly Form[];
  /** Whether the forms show the same as the tables: paper then has the forms alone, other files the tables alone. */
  readonly formsOnPaper?: boolean;
}

/** A result with its request, the basis of files. */
export type ReportView<P, D, S> = ReportRequest<P> &
  Pick<ReportResult, 'addresseeLanguage'> & { readonly data: D; readonly summary: S };

/** A format that only one report has. */
export interface OwnFormat<P, D, S> {
  readonly type: string;
  readonly extension: string;
  /** Whether it is a workbook, which a worker writes if it has many rows. */
  readonly workbook?: boolean;
  /** The name of the file without its extension, in ASCII; by default that of the report with its days. */
  fileName?(view: ReportView<P, D, S>): string;
  /** Checks the request without reading anything. @throws ServiceError invalid_parameter if the report cannot be written in this format */
  check?(request: ReportRequest<P>): void;
  /** @param rows of the first table */
  write(view: ReportView<P, D, S>, rows: AsyncIterable<readonly object[]>): Promise<string | Uint8Array>;
}

/** A file of a file set: a report in one format. */
export interface SetFile {
  readonly report: Report;
  readonly params: Values;
  readonly format: 'pdf' | 'excel';
  /** Its name without the extension, in ASCII. @param part of several, if it is a PDF of many rows */
  name(part: SetFilePart): string;
}

interface SetFilePart {
  /** From 1. */
  readonly number: number;
  readonly count: number;
}

/** A file of a file set as written. */
export interface WrittenFile extends Pick<SetFile, 'report' | 'format'> {
  /** With its extension. */
  readonly name: string;
  readonly part: SetFilePart;
  readonly content: Uint8Array;
  /** In hexadecimal digits. */
  readonly sha256: string;
}

/** Files of reports in one archive, which a worker makes: the format `zip` of a report (decision 0372). */
export interface FileSet<P, D, S> {
  /** The name of the archive without its extension, in ASCII. */
  fileName(view: ReportView<P, D, S>): string;
  files(view: ReportView<P, D, S>): readonly SetFile[];
  /** Further files, by name: texts that describe those written. */
  describe(view: ReportView<P, D, S>, files: readonly WrittenFile[]): Readonly<Record<string, string>>;
}

export interface ReportDeclaration<P extends Members, D extends TSchema, S extends TSchema, Row extends object> {
  /** The path below /api/reports: trial-balance, tax/model303. */
  readonly name: string;
  readonly title: Texts;
  readonly description?: string;
  /**
   * Area whose permission it requires; `payroll` is for the pay of individuals, which only readers of payrolls may see, `private` for
   * what only readers of their private data may, and `commissions` for those of salespeople.
   */
  readonly area: ReportArea | keyof typeof INDIVIDUAL;
  readonly parameters: P;
  /** The schema of `data`. */
  readonly data: D;
  /** The schema of `summary`: totals, named like the columns. */
  readonly summary: S;
  /** Ids shown in files, because nothing else identifies a row. */
  readonly ids?: readonly string[];
  /** Members of `data` that are also at the top level of the answer. */
  readonly top?: readonly string[];
  /** Whether the answer is `data` alone, without an envelope. */
  readonly bare?: boolean;
  /** Whether it shows its last day, and the first one only for comparison: files are then headed by the last day. */
  readonly ofDay?: boolean;
  /** Whether its amounts are those of an official form, which has cents whatever decimals the company uses. */
  readonly cents?: boolean;
  /** Whether several statements must see the same state of the books. */
  readonly consistent?: boolean;
  /** Whether it holds data of other companies: its files are then shown to whoever asked for them alone, not to administrators. */
  readonly personal?: boolean;
  /**
   * The permission by which the caller sees more than others in it, which those then need who see a file that the caller had made; null
   * if they see what everybody does.
   */
  discretion?(reader: Reader, ctx: Context): Promise<Permission | null>;
  /** Whether it may have many rows: `read` then returns pages, and `stream` all rows. */
  readonly paged?: boolean;
  /** Error codes besides invalid parameters. */
  readonly problems?: readonly ErrorCode[];
  /**
   * Checks the request without reading anything. @throws ServiceError invalid_parameter for faults that the schemas of the parameters
   * cannot express
   */
  check?(request: ReportRequest<Static<TObject<P>>>): void;
  /**
   * Counts its rows: exactly if it is paged, otherwise an upper bound. Stops just above `most`, to stay quick. Reports without it have few
   * rows in any company.
   * @throws ServiceError as `read` does
   */
  size?(request: ReportRequest<Static<TObject<P>>>, most: number): Promise<number>;
  read(request: ReportRequest<Static<TObject<P>>>): Promise<ReportResult<Input<D>, Input<S>>>;
  /** Yields all rows of the first table in batches, from one snapshot. */
  stream?(request: ReportRequest<Static<TObject<P>>>): AsyncIterable<readonly Row[]>;
  /** Defaults to a table of `data.rows` with the totals of `summary`. */
  file?(view: ReportView<Static<TObject<P>>, Input<D>, Input<S>>): ReportFile;
  /** Shown in PDFs and, as pictures, in workbooks; a worker draws these, because only workers have a browser. */
  charts?(view: ReportView<Static<TObject<P>>, Input<D>, Input<S>>): readonly Chart[];
  readonly formats?: Readonly<Record<string, OwnFormat<Static<TObject<P>>, Input<D>, Input<S>>>>;
  readonly fileSet?: FileSet<Static<TObject<P>>, Input<D>, Input<S>>;
  /** The report whose file set has this one in parts, however many rows it has. */
  readonly inParts?: string;
}

/** A report as the engine sees it. */
export interface Report
  extends Omit<
    ReportDeclaration<Members, TSchema, TSchema, object>,
    'check' | 'size' | 'read' | 'stream' | 'file' | 'charts' | 'formats' | 'fileSet'
  > {
  check?(request: ReportRequest): void;
  size?(request: ReportRequest, most: number): Promise<number>;
  read(request: ReportRequest): Promise<ReportResult>;
  stream?(request: ReportRequest): AsyncIterable<readonly object[]>;
  file?(view: ReportView<Values, Values, Values>): ReportFile;
  charts?(view: ReportView<Values, Values, Values>): readonly Chart[];
  readonly formats?: Readonly<Record<string, OwnFormat<Values, Values, Values>>>;
  readonly fileSet?: FileSet<Values, Values, Values>;
}

/** Declares a report; its only purpose is to infer the types from the schemas. */
export function defineReport<P extends Members, D extends TSchema, S extends TSchema, Row extends object>(
  report: ReportDeclaration<P, D, S, Row>,
): Report {
  return report as unknown as Report;
}

/** Permissions of reports on individuals, which those on people do not include. */
const INDIVIDUAL = { payroll: 'payroll:read', private: PRIVATE, commissions: 'commissions:read' } as const;

/** The permission that a report requires. */
export function permissionFor({ area }: Pick<Report, 'area'>): Permission {
  return Object.hasOwn(INDIVIDUAL, area)
    ? INDIVIDUAL[area as keyof typeof INDIVIDUAL]
    : (`reports:${area}` as Permission);
}

/** The name in the envelope: trial_balance, tax_model303. */
export function envelopeName({ name }: Pick<Report, 'name'>): string {
  return name.replaceAll(/[-/]/g, '_');
}
