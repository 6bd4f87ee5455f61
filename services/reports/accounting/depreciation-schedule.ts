/** Depreciation by month or year: entered up to now, planned from then on. */
import { Type } from 'typebox';
import type { Reader } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { monthsAfter } from '../../../domain/days.ts';
import { planDepreciation, spanEnd } from '../../../domain/ledger/assets/plan.ts';
import { RUN_FREQUENCIES } from '../../../domain/ledger/assets/types.ts';
import { type Decimal, decimal, sum } from '../../../domain/money.ts';
import { loadDue, loadPace, standing } from '../../ledger/assets/runs/due.ts';
import { loadToday } from '../../platform/settings/today.ts';
import { pauses } from '../../platform/threads/pauses.ts';
import { amount, choice, day, text, uuid } from '../../platform/validation/schemas.ts';
import { defineReport } from '../engine/declaration.ts';
import {
  DIMENSION_FILTERS,
  type DimensionParams,
  dimensionBindings,
  GROUPED,
  withinDimensions,
} from './dimension-filters.ts';
import {
  BY_DIMENSION,
  DIMENSION_OF_ROW,
  type DividingParams,
  dividedBy,
  dividedRows,
  rowInFile,
} from './dimension-rows.ts';

/** Months that are planned by default: two years by months, ten by years. */
const AHEAD = { month: 24, year: 120 } as const;

const VALUES = {
  entered: amount({ description: 'Depreciation that was entered' }),
  planned: amount({ description: 'Depreciation still to be entered, by the terms of today' }),
  total: amount({ description: 'Both together' }),
};
const ROW = Type.Object({
  ...DIMENSION_OF_ROW,
  period_to: day({ description: 'The last day of the month or fiscal year' }),
  group_id: uuid(),
  code: text({ description: 'Code of the group' }),
  name: text({ description: 'Name of the group' }),
  ...VALUES,
  drilldown: text({ max: 500 }),
});

const ENTERED_SQL = `
  select a.group_id, m.date, ${dividedBy('a.project_id', 'a.cost_center_id')} as "dimensionId", sum(m.accumulated)::text as amount
  from asset_movements m join assets a on a.id = m.asset_id
  where m.kind = 'depreciation' and (:asset::uuid is null or a.id = :asset::uuid)
    and ${withinDimensions('a.project_id', 'a.cost_center_id')}
  group by 1, 2, 3 having sum(m.accumulated) <> 0`;

interface Amount {
  readonly dimensionId: string | null;
  readonly group_id: string;
  readonly date: string;
  readonly amount: Decimal;
}

interface Chosen extends DimensionParams, DividingParams {
  readonly asset_id?: string | undefined;
}

/** Depreciation that is planned for the assets that were asked for. */
async function planned(reader: Reader, chosen: Chosen, until: string, pace: Awaited<ReturnType<typeof loadPace>>) {
  const { asset_id: asset, project_id: project, cost_center_id: costCenter } = chosen;
  const due = (await loadDue(reader, null)).filter(
    ({ id, projectId, costCenterId }) =>
      id === (asset ?? id) && projectId === (project ?? projectId) && costCenterId === (costCenter ?? costCenterId),
  );
  const pause = pauses();
  const amounts: Amount[] = [];
  for (const one of due) {
    const dimensionId = chosen.by === undefined ? null : one[GROUPED[chosen.by].member];
    for (const { date, amount } of planDepreciation(standing(one), until, pace)) {
      amounts.push({ group_id: one.groupId, dimensionId, date, amount });
    }
    await pause();
  }
  return amounts;
}

const keyFor = (period: string, group: string, dimensionId: string | null) => `${period} ${group} ${dimensionId ?? ''}`;

/** Adds amounts up by group, dimension, and the end of their month or year. */
function byPeriod(amounts: readonly Amount[], end: (day: string) => string): Map<string, Decimal> {
  const sums = new Map<string, Decimal>();
  for (const { group_id, dimensionId, date, amount } of amounts) {
    const key = keyFor(end(date), group_id, dimensionId);
    sums.set(
      key,
      decimal(sums.get(key) ?? 0)
        .plus(amount)
        .toFixed(),
    );
  }
  return sums;
}

export const depreciationSchedule = defineReport({
  name: 'depreciation-schedule',
  title: { en: 'Depreciation schedule', es: 'Cuadro de amortización' },
  description:
    'Depreciation of all assets, or of one, by month or fiscal year and group: what was entered, and what is planned.',
  area: 'accounting',
  parameters: {
    asset_id: Type.Optional(uuid({ description: 'Only this asset' })),
    ...DIMENSION_FILTERS,
    ...BY_DIMENSION,
    frequency: Type.Optional(
      choice(RUN_FREQUENCIES, { default: 'year', description: 'Whether rows are months or fiscal years' }),
    ),
    until: Type.Optional(
      day({ description: 'Last day that is planned; by default two years ahead by months, ten by years' }),
    ),
  },
  data: Type.Object({ rows: Type.Array(ROW) }),
  summary: Type.Object(VALUES),
  consistent: true,
  async read(request) {
    const { reader, ctx, params, money } = request;
    const { asset_id: asset = null, frequency = 'year', by = null } = params;
    const pace = await loadPace(reader, frequency);
    const end = (date: string) => spanEnd(date, pace);
    const until = params.until ?? end(monthsAfter(await loadToday(reader, ctx), AHEAD[frequency]));
    const [past, future, groups] = await Promise.all([
      query<Amount>(reader, ENTERED_SQL, { asset, by, ...dimensionBindings(params) }),
      planned(reader, params, until, pace),
      query<{ id: string; code: string; name: string }>(
        reader,
        'select id, code, name from asset_groups order by code',
        {},
      ),
    ]);
    const [entered, expected] = [byPeriod(past, end), byPeriod(future, end)];
    const figures = (done: Decimal, left: Decimal) => ({
      entered: money(done),
      planned: money(left),
      total: money(decimal(done).plus(left).toFixed()),
    });
    const ends = [...new Set([...entered.keys(), ...expected.keys()].map((key) => key.split(' ')[0] as string))].sort();
    const dimensions = [...new Set([...past, ...future].map(({ dimensionId }) => dimensionId))];
    const found = ends.flatMap((period) =>
      groups.flatMap(({ id, code, name }) =>
        dimensions.flatMap((dimensionId) => {
          const key = keyFor(period, id, dimensionId);
          if (!entered.has(key) && !expected.has(key)) return [];
          const drilldown = `/api/assets?groupId=${id}`;
          const values = figures(entered.get(key) ?? '0', expected.get(key) ?? '0');
          return [{ dimensionId, period_to: period, group_id: id, code, name, ...values, drilldown }];
        }),
      ),
    );
    const rows = (await dividedRows(request, found)).map(({ dimension, ...row }) => ({ ...dimension, ...row }));
    const summary = figures(sum(entered.values()).toFixed(), sum(expected.values()).toFixed());
    return { from: null, to: until, data: { rows }, summary };
  },
  file: ({ params, data, summary }) => ({
    tables: [{ row: rowInFile(ROW, params), rows: data.rows, totals: summary }],
  }),
});
