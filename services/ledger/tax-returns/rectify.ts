/** Checks returns that rectify an earlier one of their period, and what they take from it. */
import type { Db } from '../../../db/database.ts';
import { TaxReturn } from '../../../db/models/ledger/accounting.ts';
import { invalidMember, ServiceError } from '../../../domain/errors.ts';
import type { BoxValues, Overrides } from '../../../domain/ledger/tax-returns/boxes.ts';
import type { TaxModel } from '../../../domain/ledger/tax-returns/models.ts';
import type { TaxPeriod } from '../../../domain/ledger/tax-returns/periods.ts';
import {
  canRectify303,
  RECTIFYING,
  type Rectification,
  wholeResult,
} from '../../../domain/ledger/tax-returns/rectifying.ts';
import { decimal, sum } from '../../../domain/money.ts';
import type { TaxReturnInput } from './schemas.ts';

type Returned = Pick<TaxReturn, 'boxes' | 'result'>;

interface ToRectify extends TaxPeriod {
  readonly model: TaxModel;
}

/**
 * Reads what a request says about the return that it rectifies.
 * @returns null if it rectifies none
 * @throws ServiceError validation_failed
 */
export function checkRectification(
  { model, ...period }: ToRectify,
  stated: TaxReturnInput['rectification'],
): Rectification | null {
  if (stated == null) return null;
  const { receiptNumber, reason = null } = stated;
  const rectifying = RECTIFYING[model];
  if (rectifying === null) {
    const message = `must be left out, because model ${model} corrects earlier periods in later ones`;
    throw invalidMember('/rectification', 'not_applicable', message);
  }
  const asks = rectifying.way === 'rectifying';
  if (asks && reason === null) throw invalidMember('/rectification/reason', 'required', 'is required');
  if (!asks && reason !== null) {
    throw invalidMember(
      '/rectification/reason',
      'not_applicable',
      'must be left out, because only model 303 asks for it',
    );
  }
  if (asks && !canRectify303(period)) {
    const message = 'must be left out, because only periods from 2024 3T or 09 on can be rectified by another return';
    throw invalidMember('/rectification', 'not_applicable', message);
  }
  return { receiptNumber, reason };
}

/**
 * Loads the returns of a period, of which the last one is rectified, in the order of their filing.
 * @throws ServiceError validation_failed if none is filed, duplicate if the return is rectified already
 */
export async function loadRectified(
  trx: Db,
  { model, year, period }: ToRectify,
  { receiptNumber }: Rectification,
): Promise<TaxReturn[]> {
  const filed = await TaxReturn.query(trx).where({ model, year, period }).orderBy('sequence');
  const name = `Model ${model} of ${year} ${period}`;
  if (filed.length === 0) {
    throw invalidMember('/rectification', 'not_applicable', `must be left out, because ${name} is not filed yet`);
  }
  if (filed.some((each) => each.receiptNumber === receiptNumber)) {
    throw new ServiceError('duplicate', `${name} with the receipt number ${receiptNumber} is rectified already`);
  }
  return filed;
}

/** The box of the refund that a return 303 asks for by itself, which the next one does not ask for again. */
const REFUNDED = '111';

/** The stated boxes: those of the return in force, unless they are stated again, and what the returns of the period had to pay. */
export function withFiled(model: TaxModel, filed: readonly TaxReturn[], overrides: Overrides): Overrides {
  const { [REFUNDED]: _, ...kept } = filed.at(-1)?.overrides ?? {};
  const { paid = null } = RECTIFYING[model] ?? {};
  if (paid === null) return { ...kept, ...overrides };
  const results = filed.map(({ result }) => decimal(result)).filter((result) => result.gt(0));
  return { ...kept, [paid]: sum(results).toFixed(), ...overrides };
}

/**
 * @param filed returns of the period, of which the last one is rectified
 * @throws ServiceError validation_failed if the form cannot have the result, or the stated refund (box 111), or nothing has changed
 */
export function assertRectifies(model: TaxModel, computed: Returned, filed: readonly TaxReturn[]): void {
  if (RECTIFYING[model]?.way === 'complementary' && !addsToPay(model, computed, filed)) {
    const message =
      'cannot be filed because nothing is to be paid in addition: ask the agency to rectify the return, then undo it and file it again';
    throw invalidMember('/rectification', 'out_of_range', message);
  }
  if (model !== '303') return;
  assertRefunded(computed);
  if (isUnchanged(computed.boxes, (filed.at(-1) as TaxReturn).boxes)) {
    const message = 'must be left out, because nothing has changed since the return in force';
    throw invalidMember('/rectification', 'not_applicable', message);
  }
}

/** Boxes of model 303 that differ without a correction: what earlier returns of the period paid, what is left to pay, and the refund. */
const OF_EARLIER: readonly string[] = ['70', '71', REFUNDED];

function isUnchanged(boxes: BoxValues, before: BoxValues): boolean {
  const all = [...new Set([...Object.keys(boxes), ...Object.keys(before)])];
  return all.every((box) => OF_EARLIER.includes(box) || decimal(boxes[box] ?? '0').eq(before[box] ?? '0'));
}

/** Whether more is to be paid than by the return in force, or less is compensated or refunded (LGT, art. 122.2). */
function addsToPay(model: TaxModel, computed: Returned, filed: readonly TaxReturn[]): boolean {
  return wholeResult(model, computed).gt(wholeResult(model, filed.at(-1) as TaxReturn));
}

function assertRefunded({ boxes, result }: Returned): void {
  const refunded = decimal(boxes['111'] ?? '0');
  const most = [decimal(boxes['70'] ?? '0'), decimal(result).neg()].toSorted((one, other) => one.cmp(other))[0];
  if (!refunded.eq(0) && (refunded.lt(0) || refunded.gt(most ?? 0))) {
    const message = 'must be between 0 and box 70, and not above what box 71 is below 0';
    throw invalidMember('/overrides/111', 'out_of_range', message);
  }
}
