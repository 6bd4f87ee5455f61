/** Rows for each cost center or project, of reports whose own rows name both (decision 0413). */
import { type TObject, Type } from 'typebox';
import { choice, nullable, text, uuid } from '../../platform/validation/schemas.ts';
import type { ReportRequest } from '../engine/declaration.ts';
import { type DimensionParams, dimensionQuery, GROUPED, readNames } from './dimension-filters.ts';

const DIMENSIONS = ['cost_center', 'project'] as const;
type Dimension = (typeof DIMENSIONS)[number];

/** The parameter of reports whose rows can be divided. */
export const BY_DIMENSION = {
  by: Type.Optional(
    choice(DIMENSIONS, {
      description:
        'Divides the rows by cost center or project, by code; what has none comes last. They add up to the same',
    }),
  ),
};

export interface DividingParams {
  readonly by?: Dimension | undefined;
}

/** Members of rows that are divided. */
export const DIMENSION_OF_ROW = {
  cost_center_id: Type.Optional(nullable(uuid({ description: 'With `by=cost_center`; null for what has none' }))),
  cost_center_name: Type.Optional(text({ description: 'With `by=cost_center`: its code and name' })),
  project_id: Type.Optional(nullable(uuid({ description: 'With `by=project`; null for what has none' }))),
  project_name: Type.Optional(text({ description: 'With `by=project`: its code and name' })),
};

type DimensionOfRow =
  | Readonly<Record<never, never>>
  | { readonly cost_center_id: string | null; readonly cost_center_name: string }
  | { readonly project_id: string | null; readonly project_name: string };

/** The schema of rows in files: without the dimensions that were not asked for. */
export function rowInFile({ properties }: TObject, { by }: DividingParams): TObject {
  const absent = DIMENSIONS.filter((one) => one !== by).flatMap((one) => [`${one}_id`, `${one}_name`]);
  return Type.Object(Object.fromEntries(Object.entries(properties).filter(([name]) => !absent.includes(name))));
}

/**
 * SQL of the cost center or project by which a row counts, null without `:by`.
 * @param project SQL of the row's
 * @param costCenter SQL of the row's
 */
export function dividedBy(project: string, costCenter: string): string {
  return `case :by::text when 'project' then ${project} when 'cost_center' then ${costCenter} end`;
}

/** Names what rows are divided by, and sorts them by its code; without `by` they stay as they are. */
export async function dividedRows<Row extends { readonly dimensionId: string | null }>(
  { reader, params: { by }, language }: Pick<ReportRequest<DividingParams>, 'reader' | 'params' | 'language'>,
  rows: readonly Row[],
): Promise<(Omit<Row, 'dimensionId'> & { readonly dimension: DimensionOfRow })[]> {
  if (by === undefined) return rows.map(({ dimensionId: _, ...row }) => ({ ...row, dimension: {} }));
  const { table, none } = GROUPED[by];
  const known = await readNames(reader, table, [...new Set(rows.map(({ dimensionId }) => dimensionId))]);
  return [...known, { id: null, name: none[language] }].flatMap(({ id, name }) => {
    const dimension: DimensionOfRow =
      by === 'project' ? { project_id: id, project_name: name } : { cost_center_id: id, cost_center_name: name };
    const own = rows.filter(({ dimensionId }) => dimensionId === id);
    return own.map(({ dimensionId: _, ...row }) => ({ ...row, dimension }));
  });
}

/** The parameter of the reports to which rows without a cost center or project lead. */
export const WITHOUT_DIMENSION = {
  without: Type.Optional(
    choice(['cost_center_id', 'project_id'] as const, { description: 'Only what names none of these' }),
  ),
};

export interface WithoutParams {
  readonly without?: 'cost_center_id' | 'project_id' | undefined;
}

/**
 * SQL: whether a row names none of what `:without` says; true if that is null.
 * @param project SQL of the row's
 * @param costCenter SQL of the row's
 */
export function withoutDimension(project: string, costCenter: string): string {
  return `(:without::text is null or case :without::text when 'project_id' then ${project} else ${costCenter} end is null)`;
}

/** The dimensions of a row, and those of the whole report, as a part of the address of another report. */
export function ownQuery(params: DimensionParams, dimension: DimensionOfRow): string {
  const [own] = Object.entries(dimension).filter(([member]) => member.endsWith('_id'));
  if (own === undefined) return dimensionQuery(params);
  const [member, id] = own;
  return id === null
    ? `${dimensionQuery(params)}&without=${member}`
    : dimensionQuery({ ...params, [member]: String(id) });
}
