/** Finds what is to be depreciated: the assets with days that are not, and the parts of a run. */
import type { Reader } from '../../../../db/database.ts';
import type { Asset } from '../../../../db/models/ledger/assets.ts';
import { query } from '../../../../db/sql.ts';
import { type Pace, type PlannedPart, planDepreciation, type Standing } from '../../../../domain/ledger/assets/plan.ts';
import type { RunFrequency } from '../../../../domain/ledger/assets/types.ts';
import type { Decimal } from '../../../../domain/money.ts';
import { loadSettings } from '../../../platform/settings/settings.ts';
import { toTerms } from '../register/prepare.ts';

/** An asset with what decides its depreciation, and where it is entered. */
interface DueAsset
  extends Pick<
    Asset,
    | 'id'
    | 'code'
    | 'inUseOn'
    | 'initialCost'
    | 'residualValue'
    | 'method'
    | 'usefulLifeMonths'
    | 'percent'
    | 'partialMonths'
    | 'depreciatedTo'
    | 'groupId'
    | 'costCenterId'
    | 'projectId'
  > {
  /** Cost less depreciation and impairment, without the changes. */
  readonly value: Decimal;
  readonly changes: readonly { readonly date: string; readonly amount: Decimal }[] | null;
  readonly groupCode: string;
  readonly expenseAccountId: string;
  readonly accumulatedAccountId: string;
}

/** A part of the depreciation of an asset. */
export interface DuePart extends PlannedPart {
  readonly asset: DueAsset;
}

const DUE_SQL = `
  select a.id, a.code, a.group_id as "groupId", a.in_use_on as "inUseOn",
    a.initial_cost::text as "initialCost", a.residual_value::text as "residualValue",
    a.method, a.useful_life_months as "usefulLifeMonths", a.percent::text, a.partial_months as "partialMonths",
    a.depreciated_to as "depreciatedTo", a.cost_center_id as "costCenterId", a.project_id as "projectId",
    (a.net_book_value - coalesce(c.sum, 0))::text as value, c.changes, g.code as "groupCode",
    g.expense_account_id as "expenseAccountId", g.accumulated_account_id as "accumulatedAccountId"
  from assets a join asset_groups g on g.id = a.group_id
  left join lateral (
    select sum(m.cost - m.impairment) as sum,
      json_agg(json_build_object('date', m.date, 'amount', (m.cost - m.impairment)::text) order by m.date, m.id) as changes
    from asset_movements m where m.asset_id = a.id and m.standing and m.kind in ('improvement', 'impairment', 'impairment_reversal')
      and m.date > coalesce(a.depreciated_to, a.in_use_on - 1)) c on true
  where a.next_from is not null and (:to::date is null or a.next_from <= :to::date)
  order by a.code`;

/** Assets with days until then that are not depreciated. @param to null for all that still are depreciated */
export async function loadDue(reader: Reader, to: string | null): Promise<DueAsset[]> {
  return await query<DueAsset>(reader, DUE_SQL, { to });
}

/** The asset as the plan knows it. */
export function standing(asset: DueAsset): Standing {
  const { value, residualValue: residual, depreciatedTo, changes } = asset;
  return { ...toTerms(asset), value, residual, depreciatedTo, changes: changes ?? [] };
}

export async function loadPace(reader: Reader, frequency: RunFrequency): Promise<Pace> {
  const [{ decimalPrecision: places }, { fiscalYearStart }] = await Promise.all([
    loadSettings(reader, 'format'),
    loadSettings(reader, 'company'),
  ]);
  return { frequency, fiscalYearStart, places };
}

/** The parts of all assets, in the order of their days. */
export function planAll(assets: readonly DueAsset[], to: string, pace: Pace): DuePart[] {
  const parts = assets.flatMap((asset) =>
    planDepreciation(standing(asset), to, pace).map((part) => ({ ...part, asset })),
  );
  return parts.sort((one, other) => (one.date < other.date ? -1 : one.date > other.date ? 1 : 0));
}
