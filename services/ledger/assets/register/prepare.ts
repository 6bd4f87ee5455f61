/** Completes and checks a fixed asset before it is written. */
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { type Asset, AssetGroup } from '../../../../db/models/ledger/assets.ts';
import { nextCode } from '../../../../db/queries/counters.ts';
import { query } from '../../../../db/sql.ts';
import { ServiceError } from '../../../../domain/errors.ts';
import { Faults } from '../../../../domain/faults.ts';
import { constantPercent, type Terms } from '../../../../domain/ledger/assets/depreciation.ts';
import { lastDay } from '../../../../domain/ledger/assets/life.ts';
import { nextDay } from '../../../../domain/ledger/assets/plan.ts';
import { type Decimal, decimal, decimalPlaces } from '../../../../domain/money.ts';
import { loadSettings } from '../../../platform/settings/settings.ts';
import { loadToday } from '../../../platform/settings/today.ts';
import { checkLeft, findPurchaseLine } from './purchase-line.ts';

const CODE = { prefix: 'AF', digits: 5 };

type Row = Record<string, unknown>;

/** Members of a body, amounts as exact decimals. */
type NewAsset = Partial<Asset> & Pick<Asset, 'name' | 'groupId' | 'residualValue' | 'accumulated' | 'partialMonths'>;

/**
 * Fills in what the group and the line of the purchase say, the days and the code.
 * @throws ServiceError validation_failed with a pointer for each fault
 */
export async function prepareNewAsset(trx: Db, ctx: Context, values: Row): Promise<Row> {
  const given = values as unknown as NewAsset;
  const faults = new Faults();
  const group = (await AssetGroup.query(trx).findById(given.groupId)) as AssetGroup;
  const bought = await fromLine(trx, given, group, faults);
  const { decimalPrecision: places } = await loadSettings(trx, 'format');
  const { cost } = bought;
  const acquiredOn = bought.acquiredOn ?? (await loadToday(trx, ctx));
  if (cost === null) faults.add('/cost', 'required', 'is required without documentLineId');
  const method = given.method ?? group.method;
  const life = method === 'none' ? null : (given.usefulLifeMonths ?? group.usefulLifeMonths);
  if (method !== 'none' && life === null)
    faults.add('/usefulLifeMonths', 'required', 'is required because the group has none');
  faults.throwIfAny();
  const days = { acquiredOn, inUseOn: given.inUseOn ?? acquiredOn };
  const terms = { method, usefulLifeMonths: life, percent: percentFor(method, life, given.percent ?? null) };
  const asset = { ...given, ...bought, ...days, ...terms, cost: cost as Decimal, initialCost: cost as Decimal };
  checkTerms(asset, faults);
  checkPlaces(asset, places, faults);
  checkTakeover(asset, faults);
  if (method !== 'none' && (group.accumulatedAccountId === null || group.expenseAccountId === null))
    faults.add('/groupId', 'not_applicable', 'must be a group with accounts of depreciation');
  faults.throwIfAny();
  const depreciatedTo = asset.depreciatedTo ?? null;
  // The database computes it.
  const { netBookValue: _, ...columns } = asset;
  return {
    ...columns,
    code: given.code ?? (await nextCode(trx, ctx.tenantId, 'assets', CODE)),
    status: 'active',
    impairment: '0',
    initialAccumulated: given.accumulated,
    takenOverTo: depreciatedTo,
    ...plannedDays(asset, depreciatedTo),
    createdBy: ctx.userId,
  };
}

/** Fills in what the line of the purchase says. */
async function fromLine(trx: Db, given: NewAsset, { assetAccountId }: AssetGroup, faults: Faults) {
  const { cost = null, acquiredOn = null, documentLineId = null, costCenterId = null, projectId = null } = given;
  const own = { cost, acquiredOn, documentLineId, costCenterId, projectId };
  if (documentLineId === null) return own;
  const line = await findPurchaseLine(trx, documentLineId, assetAccountId, faults);
  faults.throwIfAny();
  if (line === null) return own;
  const bought = { ...own, cost: cost ?? line.left, acquiredOn: acquiredOn ?? line.date };
  checkLeft(line, bought.cost, '/cost', faults);
  if (decimal(bought.cost).lte(0))
    faults.add('/documentLineId', 'not_applicable', 'has nothing left to become an asset');
  if (bought.acquiredOn < line.date)
    faults.add('/acquiredOn', 'out_of_range', `must not be before ${line.date}, the date of the invoice`);
  return { ...bought, costCenterId: costCenterId ?? line.costCenterId, projectId: projectId ?? line.projectId };
}

/** The percentage of a declining depreciation; what was given for another method is refused by `checkTerms`. */
function percentFor(method: Asset['method'], life: number | null, given: Decimal | null): Decimal | null {
  return method === 'declining' && life !== null ? (given ?? constantPercent(life)) : given;
}

type Checked = Pick<
  Asset,
  | 'acquiredOn'
  | 'inUseOn'
  | 'initialCost'
  | 'residualValue'
  | 'method'
  | 'usefulLifeMonths'
  | 'percent'
  | 'partialMonths'
>;

function checkTerms(asset: Checked & Pick<Asset, 'cost'>, faults: Faults): void {
  const { acquiredOn, inUseOn, residualValue, cost, method, percent } = asset;
  if (decimal(cost).lte(0)) faults.add('/cost', 'out_of_range', 'must be above 0');
  if (inUseOn < acquiredOn) faults.add('/inUseOn', 'out_of_range', `must not be before acquiredOn, ${acquiredOn}`);
  if (decimal(residualValue).gt(cost))
    faults.add('/residualValue', 'out_of_range', `must be at most the cost, ${decimal(cost).toFixed()}`);
  if (percent !== null && method !== 'declining')
    faults.add('/percent', 'not_applicable', 'cannot be given because the method is not declining');
}

function checkPlaces(
  asset: Pick<Asset, 'cost' | 'residualValue' | 'accumulated'>,
  places: number,
  faults: Faults,
): void {
  for (const member of ['cost', 'residualValue', 'accumulated'] as const) {
    if (decimalPlaces(asset[member]) > places)
      faults.add(`/${member}`, 'too_many_decimals', `must have at most ${places} decimals`);
  }
}

/** Checks the depreciation that an asset brings along from other books. */
function checkTakeover(
  asset: Checked & Pick<NewAsset, 'accumulated' | 'depreciatedTo'> & { cost: Decimal },
  faults: Faults,
): void {
  const { accumulated, depreciatedTo = null, method, inUseOn, residualValue, cost } = asset;
  const most = decimal(cost).minus(residualValue);
  if (decimal(accumulated).gt(0) && decimal(accumulated).gt(most))
    faults.add('/accumulated', 'out_of_range', 'must be at most the cost less the residual value');
  if (depreciatedTo === null) {
    if (decimal(accumulated).gt(0))
      faults.add('/depreciatedTo', 'required', 'is required with accumulated: the last day that it goes up to');
    return;
  }
  if (method === 'none') faults.add('/depreciatedTo', 'not_applicable', 'cannot be given because the method is none');
  else if (depreciatedTo < inUseOn)
    faults.add('/depreciatedTo', 'out_of_range', `must not be before inUseOn, ${inUseOn}`);
}

/** Members that decide how an asset is depreciated, and those of them that its past rests on. */
const TERMS = ['inUseOn', 'residualValue', 'method', 'usefulLifeMonths', 'percent', 'partialMonths'] as const;
const FIXED = ['inUseOn', 'partialMonths'] as const;

/**
 * Checks a change: new terms count for what is not depreciated yet.
 * @throws ServiceError validation_failed; invalid_transition when it is disposed of, or the member cannot be changed any more
 */
export async function prepareChangedAsset(values: Row, current: Asset): Promise<Row> {
  const changed = (member: (typeof TERMS)[number]) =>
    values[member] !== undefined && values[member] !== current[member];
  if (!TERMS.some(changed)) return values;
  if (current.status === 'disposed')
    throw new ServiceError('invalid_transition', `${current.code} cannot be changed because it is disposed of`);
  const fixed = current.depreciatedTo === null ? undefined : FIXED.find(changed);
  if (fixed !== undefined) {
    const message = `${fixed} cannot be changed because depreciation of ${current.code} was entered; undo it first`;
    throw new ServiceError('invalid_transition', message);
  }
  const faults = new Faults();
  const next = { ...current, ...(values as Partial<Row>) } as Checked & Pick<Asset, 'cost' | 'depreciatedTo'>;
  const asset = { ...next, ...lifeAndPercent(next, values, faults) };
  checkTerms(asset, faults);
  const { depreciatedTo } = asset;
  if (asset.usefulLifeMonths !== null && depreciatedTo !== null && changed('usefulLifeMonths')) {
    if (lastDay(toTerms(asset)) <= depreciatedTo)
      faults.add('/usefulLifeMonths', 'out_of_range', `must go beyond ${depreciatedTo}, the last day depreciated`);
  }
  faults.throwIfAny();
  const { usefulLifeMonths, percent } = asset;
  return { ...values, usefulLifeMonths, percent, ...plannedDays(asset, depreciatedTo) };
}

function lifeAndPercent(
  next: Pick<Asset, 'method' | 'usefulLifeMonths' | 'percent'>,
  given: Row,
  faults: Faults,
): Pick<Asset, 'usefulLifeMonths' | 'percent'> {
  const { method } = next;
  const life = method === 'none' ? null : next.usefulLifeMonths;
  if (method !== 'none' && life === null)
    faults.add('/usefulLifeMonths', 'required', 'is required unless the method is none');
  // What belongs to another method goes with it, unless the body names it.
  const percent = method === 'declining' || given.percent !== undefined ? next.percent : null;
  const usual = given.percent === undefined && given.usefulLifeMonths !== undefined ? null : percent;
  return { usefulLifeMonths: life, percent: percentFor(method, life, usual) };
}

/** How an asset is depreciated. */
export function toTerms(asset: Pick<Asset, 'initialCost' | 'residualValue'> & Omit<Checked, 'acquiredOn'>): Terms {
  const { method, inUseOn, usefulLifeMonths, partialMonths: partial, percent, residualValue, initialCost } = asset;
  const residualShare = decimal(residualValue).div(initialCost).toFixed();
  return { method, inUseOn, months: usefulLifeMonths ?? 0, partial, percent, residualShare };
}

/** The last day of the useful life of an asset, and the first one that is not depreciated. */
export function plannedDays(
  asset: Parameters<typeof toTerms>[0],
  depreciatedTo: string | null,
): Pick<Asset, 'endsOn' | 'nextFrom'> {
  const terms = toTerms(asset);
  return { endsOn: terms.method === 'none' ? null : lastDay(terms), nextFrom: nextDay(terms, depreciatedTo) };
}

/** Refuses to delete an asset of which more is known than its acquisition. @throws ServiceError in_use */
export async function assertUntouched(trx: Db, { id, code }: Asset): Promise<void> {
  const [found] = await query(
    trx,
    `select id from asset_movements where asset_id = :id::uuid and kind not in ('acquisition', 'takeover') limit 1`,
    { id },
  );
  if (found === undefined) return;
  throw new ServiceError(
    'in_use',
    `${code} cannot be deleted because it has depreciation or other movements; dispose of it`,
  );
}
