/** Spreads a landed cost over receipts: the goods cost more, those on hand and those that were sold (decision 0311). */
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { lockName } from '../../../db/locks.ts';
import { LandedCost, LandedCostCharge, LandedCostShare } from '../../../db/models/trade/landed-costs.ts';
import { Faults } from '../../../domain/faults.ts';
import { type Decimal, decimal, distribute, round, sum } from '../../../domain/money.ts';
import { type SpreadMethod, spreadCharges, spreadWeight } from '../../../domain/trade/stock/landed-cost.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { lockForCosts } from '../lifecycle/goods/invoiced-costs.ts';
import { OperationReferences } from '../stock/operations/references.ts';
import { changeCosts } from '../stock/revalue.ts';
import type { CostChange, MovementCause } from '../stock/valuation-movements.ts';
import { chargingLines, namedReceipts, type ReceivedLine, receivedLines } from './receipts.ts';
import type { LandedCostInput } from './schemas.ts';

/** A charge with its defaults filled in. */
interface Charged {
  readonly description: string | null;
  readonly method: SpreadMethod;
  readonly amount: Decimal;
  readonly documentLineId: string | null;
}

/**
 * Adds a landed cost.
 * @returns its id
 * @throws ServiceError validation_failed with a pointer for each fault; period_closed
 */
export async function addLandedCost(trx: Db, ctx: Context, input: LandedCostInput): Promise<string> {
  await lockLandedCosts(trx, ctx);
  const faults = new Faults();
  const nothing = { warehouses: [], zones: [], items: [], batchNums: [] };
  const references = await OperationReferences.load(trx, ctx, { ...nothing, date: input.date }, faults);
  const { decimalPrecision: places } = await loadSettings(trx, 'format');
  await checkReceipts(trx, input, references.date, faults);
  const charges = await resolveCharges(trx, input, places, faults);
  const lines = await receivedLines(trx, input.documentIds, input.lineIds);
  checkLines(input, lines, charges, faults);
  const period = references.openPeriod();
  const shares = spreadCharges(lines, charges, places);
  if (shares === null) {
    faults.add('/costs', 'not_allowed', 'cannot be spread because the goods have no value, quantity, weight or volume');
    faults.throwIfAny();
  }
  const id = newId();
  const changes = new Changes(ctx).hold('stock', period.id);
  const number = changes.takeNumber({ counter: 'landed_costs', prefix: 'LC', digits: 5 });
  changes.create(LandedCost, {
    id,
    ...number.pending,
    date: references.date,
    periodId: period.id,
    description: input.description ?? null,
    status: 'posted',
    total: sum(charges.map(({ amount }) => amount)).toFixed(),
    createdBy: ctx.userId,
    cancelledAt: null,
  });
  const detail = { landedCostId: id };
  changes.insert(
    LandedCostCharge,
    charges.map((charge, index) => ({ ...charge, ...detail, id: newId(), number: index + 1 })),
  );
  changes.insert(
    LandedCostShare,
    lines.map(({ lineId }, index) => ({
      ...detail,
      id: newId(),
      documentLineId: lineId,
      amount: shares?.[index] ?? '0',
    })),
  );
  const costs = lines.flatMap((line, index) => costsOfLine(line, shares?.[index] ?? '0', references.date, id));
  changes.follow(changeCosts, await lockForCosts(trx, ctx, costs, []));
  await changes.write(trx);
  return id;
}

/** Makes landed costs of a company wait for each other: of an invoice's line each part is spread once. */
export async function lockLandedCosts(trx: Db, { tenantId }: Context): Promise<void> {
  await lockName(trx, `landed_costs:${tenantId}`);
}

async function checkReceipts(trx: Db, { documentIds }: LandedCostInput, date: string, faults: Faults): Promise<void> {
  const found = new Map((await namedReceipts(trx, documentIds)).map((each) => [each.id, each]));
  documentIds.forEach((id, index) => {
    const at = `/documentIds/${index}`;
    const receipt = found.get(id);
    if (receipt === undefined) faults.add(at, 'invalid_reference', 'refers to a document that does not exist');
    else if (receipt.docType !== 'PDN' && receipt.docType !== 'PINV')
      faults.add(at, 'wrong_type', `refers to a ${receipt.docType}; goods are received by a PDN or PINV`);
    else if (!receipt.standing)
      faults.add(at, 'invalid_reference', 'refers to a document that is a draft, cancelled, or takes goods back');
    else if (date < receipt.date)
      faults.add('/date', 'out_of_range', `must not be before the date of ${receipt.code}, ${receipt.date}`);
  });
}

async function resolveCharges(trx: Db, { costs }: LandedCostInput, places: number, faults: Faults): Promise<Charged[]> {
  const found = new Map(
    (
      await chargingLines(
        trx,
        costs.flatMap(({ documentLineId }) => documentLineId ?? []),
      )
    ).map((line) => [line.id, line]),
  );
  const left = new Map([...found].map(([id, { open }]) => [id, decimal(open)]));
  return costs.flatMap((cost, index): Charged[] => {
    const at = `/costs/${index}`;
    const { documentLineId, method = 'value', description } = cost;
    const line = documentLineId === undefined ? undefined : found.get(documentLineId);
    if (documentLineId !== undefined && line?.usable !== true) {
      const what = 'must be a line without stock of a posted purchase invoice';
      faults.add(`${at}/documentLineId`, 'invalid_reference', what);
      return [];
    }
    const open = line === undefined ? undefined : left.get(line.id);
    if (cost.amount === undefined && open === undefined) {
      faults.add(`${at}/amount`, 'required', 'is required without documentLineId');
      return [];
    }
    const amount = decimal(cost.amount ?? open ?? 0);
    if (open !== undefined && (amount.gt(open) || open.lte(0))) {
      faults.add(`${at}/amount`, 'out_of_range', `must be at most ${open.toFixed()}, what is left of the line`);
    } else if (!decimal(round(amount.toFixed(), places)).eq(amount)) {
      faults.add(`${at}/amount`, 'too_many_decimals', `must have at most ${places} decimals`);
    }
    if (line !== undefined && open !== undefined) left.set(line.id, open.minus(amount));
    const named = description ?? line?.description ?? null;
    return [{ description: named, method, amount: amount.toFixed(), documentLineId: documentLineId ?? null }];
  });
}

function checkLines(
  { lineIds = [], documentIds }: LandedCostInput,
  lines: readonly ReceivedLine[],
  charges: readonly Charged[],
  faults: Faults,
): void {
  const known = new Set(lines.map(({ lineId }) => lineId));
  lineIds.forEach((id, index) => {
    if (!known.has(id))
      faults.add(`/lineIds/${index}`, 'invalid_reference', 'is no line of the documents with goods left');
  });
  const received = new Set(lines.map(({ documentId }) => documentId));
  documentIds.forEach((id, index) => {
    if (lineIds.length === 0 && !received.has(id))
      faults.add(`/documentIds/${index}`, 'not_applicable', 'received no goods, or they all went back');
  });
  charges.forEach(({ method }, index) => {
    const lacking = lines.find((line) => spreadWeight(line, method) === null);
    if (lacking !== undefined)
      faults.add(`/costs/${index}/method`, 'not_applicable', `needs the ${method} of the item ${lacking.itemCode}`);
  });
}

/** Decimals of values. */
const VALUE_PLACES = 6;

/** Divides the share of a line among its movements by what is left of each. */
function costsOfLine({ movements }: ReceivedLine, share: Decimal, date: string, landedCostId: string): CostChange[] {
  const parts = distribute(
    share,
    movements.map(({ left }) => left),
    VALUE_PLACES,
  );
  return movements.flatMap(({ id: adjustsId }, index) => {
    const value = parts[index] ?? '0';
    return decimal(value).eq(0)
      ? []
      : [{ adjustsId, followsId: null, date, value, fifoValue: value, cause: landedCause(landedCostId) }];
  });
}

/** The cause of the movements of a landed cost. */
export function landedCause(landedCostId: string): MovementCause {
  return { docType: null, documentId: null, documentLineId: null, operationId: null, landedCostId };
}
