/** Cost center and project in accounting reports: which lines count, and which columns there are (decision 0323). */
import { Type } from 'typebox';
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { refusedParameter } from '../../../domain/errors.ts';
import { groupBy } from '../../../domain/group-by.ts';
import type { Dimensions } from '../../../domain/ledger/accounting/dimensions.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import { SPLIT_UNITS } from '../../../domain/reports/engine/periods.ts';
import { readBalances, type Span } from '../../ledger/accounting/balances/read.ts';
import { choice, uuid } from '../../platform/validation/schemas.ts';
import type { ReportRequest } from '../engine/declaration.ts';
import { type AnsweredColumn, MOST_COLUMNS } from './columns.ts';

/** The parameters of reports that can be limited to a cost center or a project. */
export const DIMENSION_FILTERS = {
  cost_center_id: Type.Optional(uuid({ description: 'Only what is entered for this cost center' })),
  project_id: Type.Optional(uuid({ description: 'Only what is entered for this project' })),
};

export interface DimensionParams {
  readonly cost_center_id?: string | undefined;
  readonly project_id?: string | undefined;
}

/** The limits of balances by the parameters of a request. */
export function dimensionLimits({ cost_center_id: costCenterId, project_id: projectId }: DimensionParams) {
  return { costCenterId, projectId };
}

/** The same as conditions on lines `l` of the journal, each with the parameter that asks for it. */
export const DIMENSION_CONDITIONS = {
  cost_center_id: 'l.cost_center_id = :costCenter::uuid',
  project_id: 'l.project_id = :project::uuid',
} as const;

/** The values of these conditions. */
export function dimensionBindings({ cost_center_id: costCenter, project_id: project }: DimensionParams) {
  return { costCenter: costCenter ?? null, project: project ?? null };
}

/**
 * SQL: whether the cost center `:costCenter` and the project `:project` are those of a row; true for those that are null.
 * @param project SQL of the row's
 * @param costCenter SQL of the row's
 */
export function withinDimensions(project: string, costCenter: string): string {
  return `(:project::uuid is null or ${project} = :project::uuid) and (:costCenter::uuid is null or ${costCenter} = :costCenter::uuid)`;
}

/** The same as a part of the address of another report. */
export function dimensionQuery({ cost_center_id: costCenter, project_id: project }: DimensionParams): string {
  return `${costCenter === undefined ? '' : `&cost_center_id=${costCenter}`}${project === undefined ? '' : `&project_id=${project}`}`;
}

/** Dimensions by which reports have columns or rows. */
export const GROUPED = {
  cost_center: {
    member: 'costCenterId',
    table: 'cost_centers',
    none: { en: 'No cost center', es: 'Sin centro de coste' },
  },
  project: { member: 'projectId', table: 'projects', none: { en: 'No project', es: 'Sin proyecto' } },
} as const satisfies Readonly<
  Record<string, { readonly member: keyof Dimensions; readonly table: string; readonly none: object }>
>;

/** Units of columns. */
export type Unit = (typeof SPLIT_UNITS)[number] | keyof typeof GROUPED;

/** The parameter for columns of periods, cost centers or projects. */
export const BY_PERIOD_OR_DIMENSION = {
  by: Type.Optional(
    choice([...SPLIT_UNITS, 'cost_center', 'project'] as const, {
      description:
        'Adds a column for each month, quarter or fiscal year of the period, or for each cost center or project and for what has none, ' +
        `at most ${MOST_COLUMNS}`,
    }),
  ),
};

type Asked = Pick<
  ReportRequest<DimensionParams & { readonly by?: Unit | undefined }>,
  'reader' | 'ctx' | 'params' | 'range' | 'language'
>;

/** Columns of cost centers or projects, by code, and last what has none. */
export interface DimensionColumns {
  readonly columns: readonly AnsweredColumn[];
  /** Debit less credit of an account in each column. */
  amounts(accountId: string): Decimal[];
}

const NO_COLUMNS: DimensionColumns = { columns: [], amounts: () => [] };

/**
 * Reads the columns of a request that asks for them, else none. They add up to the balance in the period.
 * @param kinds of the entries that count; an opening entry of the first day never does
 * @throws ServiceError invalid_parameter for more columns than are allowed
 */
export async function readDimensionColumns(request: Asked, kinds: Span['kinds']): Promise<DimensionColumns> {
  const { reader, ctx, params, range, language } = request;
  if (params.by !== 'cost_center' && params.by !== 'project') return NO_COLUMNS;
  const { member, table, none } = GROUPED[params.by];
  const spans: Record<'period' | 'opening', Span> = {
    period: { ...range, kinds },
    opening: { from: range.from, to: range.from, kinds: 'opening' },
  };
  const read = await readBalances(reader, { tenantId: ctx.tenantId, spans, by: [member], ...dimensionLimits(params) });
  const balances = read
    .map(({ accountId, sums: { period, opening }, ...by }) => ({
      accountId,
      id: by[member],
      amount: kinds === 'normal' ? period.balance : decimal(period.balance).minus(opening.balance).toFixed(),
    }))
    .filter(({ amount }) => !decimal(amount).eq(0));
  const ids = new Set(balances.map(({ id }) => id));
  if (ids.size > MOST_COLUMNS) {
    throw refusedParameter(
      'by',
      `must make at most ${MOST_COLUMNS} columns; choose a shorter period, or name one of them`,
    );
  }
  const named = await readNames(reader, table, [...ids]);
  const columns = ids.has(null) ? [...named, { id: null, name: none[language] }] : named;
  const byAccount = groupBy(balances, ({ accountId }) => accountId);
  return {
    columns: columns.map((column) => ({ ...column, ...range })),
    amounts: (accountId) => {
      const own = byAccount.get(accountId) ?? [];
      return columns.map(({ id }) => sum(own.filter((one) => one.id === id).map(({ amount }) => amount)).toFixed());
    },
  };
}

/** Reads code and name of cost centers or projects, by code. */
export async function readNames(reader: Reader, table: string, ids: readonly (string | null)[]) {
  return await query<{ id: string; name: string }>(
    reader,
    `select id, code || ' ' || name as name from ${table} where id = any(:ids::uuid[]) order by code`,
    { ids: ids.filter((id) => id !== null) },
  );
}
