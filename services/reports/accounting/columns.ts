/** Further columns of accounting reports: one for each month, quarter or year of the period (decision 0323). */
import { Type } from 'typebox';
import { refusedParameter } from '../../../domain/errors.ts';
import type { Language } from '../../../domain/locale/formats.ts';
import { SPLIT_UNITS, spanName, splitSpan } from '../../../domain/reports/engine/periods.ts';
import type { Texts } from '../../../domain/reports/engine/texts.ts';
import type { Span } from '../../ledger/accounting/balances/read.ts';
import { amount, choice, day, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import type { ReportRequest } from '../engine/declaration.ts';

/** More would fit on no paper, and each is summed by itself. */
export const MOST_COLUMNS = 36;

export const BY = {
  by: Type.Optional(
    choice([...SPLIT_UNITS], {
      description: `Adds a column for each month, quarter or fiscal year of the period, at most ${MOST_COLUMNS}`,
    }),
  ),
};

/** The columns in an answer. */
export const COLUMNS = Type.Optional(
  Type.Array(
    Type.Object({
      name: text(),
      from: day(),
      to: day(),
      id: Type.Optional(
        nullable(uuid({ description: 'The cost center or project, if these are the columns; null for none' })),
      ),
    }),
    { description: 'With `by`: the months, quarters or years, or the cost centers or projects, in order' },
  ),
);

/** Amounts of a row in an answer. */
export const AMOUNTS = Type.Optional(Type.Array(amount(), { description: 'With `by`: one for each of `columns`' }));

type Asked = Pick<
  ReportRequest<{ readonly by?: (typeof SPLIT_UNITS)[number] | 'cost_center' | 'project' | undefined }>,
  'params' | 'range' | 'settings'
>;

/** A column of a period. */
export interface PeriodColumn {
  readonly title: Texts;
  readonly from: string;
  readonly to: string;
}

/** Builds the columns of a request, in order, and one too many if there are more than allowed; none without `by` a period. */
export function periodColumns({ params: { by }, range, settings: { company } }: Asked): PeriodColumn[] {
  if (by === undefined || by === 'cost_center' || by === 'project') return [];
  const start = company.fiscalYearStart;
  return splitSpan(range, by, start, MOST_COLUMNS + 1).map((span) => ({
    title: spanName(span.from, by, start),
    ...span,
  }));
}

/** @throws ServiceError invalid_parameter if `by` makes too many columns */
export function checkColumns(request: Asked): void {
  if (periodColumns(request).length <= MOST_COLUMNS) return;
  throw refusedParameter('by', `must make at most ${MOST_COLUMNS} columns; choose a shorter period or longer columns`);
}

/** A column in an answer. */
export interface AnsweredColumn {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  /** Id of its cost center or project; null for what has none. */
  readonly id?: string | null;
}

/** Columns in an answer. @param others those of cost centers or projects @returns nothing if there are none */
export function columnsToJson(
  periods: readonly PeriodColumn[],
  language: Language,
  others: readonly AnsweredColumn[] = [],
): { columns?: AnsweredColumn[] } {
  const columns = [...periods.map(({ title, from, to }) => ({ name: title[language], from, to })), ...others];
  return columns.length === 0 ? {} : { columns };
}

/** Titles of the columns in an answer, which are in its language; none without columns. */
export function columnTitles(columns: readonly { readonly name: string }[] = []): Texts[] {
  return columns.map(({ name }) => ({ en: name, es: name }));
}

/** Names a span for each column, of several kinds: `end` gives end0, end1 … */
export function columnNames<Kind extends string>(kind: Kind, columns: readonly unknown[]): `${Kind}${number}`[] {
  return columns.map((_, index) => `${kind}${index}` as const);
}

/** Spans by the names of the columns, see columnNames. */
export function columnSpans<Kind extends string>(
  kind: Kind,
  columns: readonly PeriodColumn[],
  span: (column: PeriodColumn) => Span,
): Record<`${Kind}${number}`, Span> {
  const spans = columns.map((column, index) => [`${kind}${index}`, span(column)]);
  return Object.fromEntries(spans) as Record<`${Kind}${number}`, Span>;
}
