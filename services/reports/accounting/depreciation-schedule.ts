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
import { DIMENSION_FILTERS, type DimensionParams, dimensionBindings, withinDimensions } from './dimension-filters.ts';

/** Months that are planned by default: two years by months, ten by years. */
const AHEAD = { month: 24, year: 120 } as const;

const VALUES = {
  entered: amount({ description: 'Depreciation that was entered' }),
  planned: amount({ description: 'Depreciation still to be entered, by the terms of today' }),
  total: amount({ description: 'Both together' }),
};
const ROW = Type.Object({
  period_to: day({ description: 'The last day of the month or fiscal year' }),
  group_id: uuid(),
  code: text({ description: 'Code of the group' }),
  name: text({ description: 'Name of the group' }),
  ...VALUES,
  drilldown: text({ max: 500 }),
});

const ENTERED_SQL = `
  select a.group_id, m.date, sum(m.accumulated)::text as amount from asset_movements m join assets a on a.id = m.asset_id
  where m.kind = 'depreciation' and (:asset::uuid is null or a.id = :asset::uuid)
    and ${withinDimensions('a.project_id', 'a.cost_center_id')}
  group by 1, 2 having sum(m.accumulated) <> 0`;

interface Amount {
  readonly group_id: string;
  readonly date: string;
  readonly amount: Decimal;
}

interface Chosen extends DimensionParams {
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
    for (const { date, amount } of planDepreciation(standing(one), until, pace)) {
      amounts.push({ group_id: one.groupId, date, amount });
    }
    await pause();
  }
  return amounts;
}

/** Adds amounts up by group and the end of their month or year. */
function byPeriod(amounts: readonly Amount[], end: (day: string) => string): Map<string, Decimal> {
  const sums = new Map<string, Decimal>();
  for (const { group_id, date, amount } of amounts) {
    const key = `${end(date)} ${group_id}`;
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
  async read({ reader, ctx, params, money }) {
    const { asset_id: asset = null, frequency = 'year' } = params;
    const pace = await loadPace(reader, frequency);
    const end = (date: string) => spanEnd(date, pace);
    const until = params.until ?? end(monthsAfter(await loadToday(reader, ctx), AHEAD[frequency]));
    const [past, future, groups] = await Promise.all([
      query<Amount>(reader, ENTERED_SQL, { asset, ...dimensionBindings(params) }),
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
    const rows = ends.flatMap((period) =>
      groups.flatMap(({ id, code, name }) => {
        const key = `${period} ${id}`;
        if (!entered.has(key) && !expected.has(key)) return [];
        const drilldown = `/api/assets?groupId=${id}`;
        const values = figures(entered.get(key) ?? '0', expected.get(key) ?? '0');
        return [{ period_to: period, group_id: id, code, name, ...values, drilldown }];
      }),
    );
    const summary = figures(sum(entered.values()).toFixed(), sum(expected.values()).toFixed());
    return { from: null, to: until, data: { rows }, summary };
  },
});
