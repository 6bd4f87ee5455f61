/** Returns that rectify an earlier one of the same period (LGT, art. 120 and 122; RIVA, art. 74 bis; Orden HAC/819/2024). */
import { type Decimal, decimal, type Exact } from '../../money.ts';
import type { BoxValues } from './boxes.ts';
import type { TaxModel } from './models.ts';
import { periodSpan, type TaxPeriod } from './periods.ts';

/** correction: of figures; criterion: the agency's view of the law is disputed. */
export const RECTIFICATION_REASONS = ['correction', 'criterion'] as const;
export type RectificationReason = (typeof RECTIFICATION_REASONS)[number];

/** Digits of the receipt number that the agency gives to a filed return (número de justificante). */
export const RECEIPT_DIGITS = 13;

/** The statement of a return that it rectifies another. */
export interface Rectification {
  readonly receiptNumber: string;
  readonly reason: RectificationReason | null;
}

/**
 * The ways in which models rectify, in Spanish as entries name them. `rectifying`: for more or for less; `complementary`: only what was to
 * be paid in addition, or for less credit; `substitutive`: in place of the earlier one, without a result.
 */
export const RECTIFYING_WAYS = {
  rectifying: 'rectificativa',
  complementary: 'complementaria',
  substitutive: 'sustitutiva',
} as const;

interface Rectifying {
  readonly way: keyof typeof RECTIFYING_WAYS;
  /** The box of what earlier returns of the period had to pay; null if nothing is paid by the model. */
  readonly paid: string | null;
}

/** How returns of a model rectify; null if they correct earlier periods themselves. */
export const RECTIFYING: Readonly<Record<TaxModel, Rectifying | null>> = {
  '111': { way: 'complementary', paid: '29' },
  '115': { way: 'complementary', paid: '04' },
  '123': { way: 'complementary', paid: '13' },
  '130': { way: 'complementary', paid: '18' },
  '180': { way: 'substitutive', paid: null },
  '190': { way: 'substitutive', paid: null },
  '193': { way: 'substitutive', paid: null },
  '303': { way: 'rectifying', paid: '70' },
  '347': { way: 'substitutive', paid: null },
  '349': { way: 'substitutive', paid: null },
  '369': null,
  '390': { way: 'substitutive', paid: null },
  '420': { way: 'complementary', paid: '44' },
  '425': { way: 'substitutive', paid: null },
};

/** First day of the first quarter, and of the first month, that a return 303 can rectify. */
const SINCE = { quarter: '2024-07-01', month: '2024-09-01' } as const;

/** Whether model 303 of a period has the marks and boxes of rectifying returns. */
export function canRectify303(period: TaxPeriod): boolean {
  return periodSpan(period).from >= (period.period.endsWith('T') ? SINCE.quarter : SINCE.month);
}

interface Result {
  readonly type: 'I' | 'C' | 'D' | 'N';
  readonly result: Decimal;
}

interface Rectified {
  readonly boxes: BoxValues;
  readonly result: Decimal;
}

/**
 * The result of all returns of a period, of which this is the last one: without what the others had to pay, and got refunded (box 109 of
 * 303).
 */
export function wholeResult(model: TaxModel, { boxes, result }: Rectified): Exact {
  const { paid = null } = RECTIFYING[model] ?? {};
  return decimal(result)
    .plus((paid === null ? undefined : boxes[paid]) ?? '0')
    .minus(boxes['109'] ?? '0');
}

/** The result of a period for later ones and the year, when a return 303 or 420 rectifies others of it. */
export function periodResult(model: TaxModel, rectifying: Rectified & Pick<Result, 'type'>): Result {
  const whole = wholeResult(model, rectifying);
  return { type: whole.gt(0) ? 'I' : whole.eq(0) ? 'N' : rectifying.type, result: whole.toFixed() };
}
