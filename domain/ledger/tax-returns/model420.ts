/**
 * Computes model 420, the quarterly IGIC return of the Canary Islands (general scheme; boxes of the form of the Agencia Tributaria
 * Canaria), from the ledger's taxes.
 */
import type { Decimal } from '../../money.ts';
import { Boxes } from './boxes.ts';
import type { CreditInput, CreditReturn } from './credits.ts';
import { findRateLine, type RateLine } from './model303.ts';
import { isImportInvoice, isProRata, isSelfAssessed, type TaxTotal } from './totals.ts';

/** Lines of rates; that of 5 % is the one that the agency's program has had since 2026, `bis` there. */
export const OUTPUT_420: readonly RateLine[] = [
  { rates: ['0'], base: '01', rate: '02', quota: '03' },
  { rates: ['3'], base: '04', rate: '05', quota: '06' },
  { rates: ['5'], base: '16b', rate: '17b', quota: '18b' },
  { rates: ['7'], base: '07', rate: '08', quota: '09' },
  { rates: ['9.5'], base: '10', rate: '11', quota: '12' },
  { rates: ['15'], base: '13', rate: '14', quota: '15' },
  { rates: ['20'], base: '16', rate: '17', quota: '18' },
];

/** Boxes that contain percentages. */
export const PERCENTS_420: ReadonlySet<string> = new Set(OUTPUT_420.map(({ rate }) => rate));

const OUTPUT_QUOTAS = [...OUTPUT_420.map(({ quota }) => quota), '20', '22'];
const INPUT_QUOTAS = ['27', '29', '31', '33', '35', '36', '37', '38', '39'];
const BOXES_420 = [
  ...Array.from({ length: 51 }, (_, index) => String(index + 1).padStart(2, '0')),
  '16b',
  '17b',
  '18b',
];

/**
 * Boxes that a person may state, since the ledger does not know them: tax given back to travellers, that of before the activity began and
 * of unpaid operations, credits of other programs, and what earlier returns of the period had to pay.
 */
export const STATABLE_420: ReadonlySet<string> = new Set(['23', '24', '38', '42', '43', '44']);

/** Computes a return, of which what is carried over is box 43, what was paid before box 44, and the result box 45. */
export function model420({
  totals,
  carried,
  refund,
  overrides = {},
}: Omit<CreditInput, 'period' | 'rectifies'>): CreditReturn {
  const boxes = new Boxes();
  for (const { rates, rate } of OUTPUT_420) boxes.set(rate, rates[0] as Decimal);
  const unmapped = totals.filter((total) => !enter420(boxes, total));
  boxes.set('43', carried);
  boxes.override(overrides);
  boxes.roundToCents();
  boxes.set('25', boxes.sum(OUTPUT_QUOTAS).minus(boxes.get('24')));
  boxes.set('40', boxes.sum(INPUT_QUOTAS));
  boxes.set('41', boxes.get('25').minus(boxes.get('40')));
  const result = boxes.sum(['41', '42']).minus(boxes.sum(['43', '44']));
  boxes.set('45', result);
  const type = result.gt(0) ? 'I' : result.eq(0) ? 'N' : refund ? 'D' : 'C';
  const left = type === 'C' ? result.abs().toFixed() : '0';
  return { boxes: boxes.values(BOXES_420), type, result: result.toFixed(), left, unmapped };
}

/** Whether the form has boxes for a tax, or needs none. */
export function hasBox420(total: TaxTotal): boolean {
  return enter420(new Boxes(), total);
}

/** Adds a tax to its boxes. @returns false if the form has none for it */
export function enter420(boxes: Boxes, total: TaxTotal): boolean {
  const { kind, base, amount } = total;
  switch (kind) {
    case 'output':
      return enterOutput(boxes, total);
    case 'input':
      enterInput(boxes, total);
      return true;
    case 'surcharge':
    case 'pending_surcharge':
      return false;
    case 'pending_output':
      return put(boxes, ['48', '49'], base, amount);
    case 'pending_input':
      return put(boxes, ['50', '51'], base, amount);
    default:
      return true;
  }
}

/** Bases without tax, net of rectifications: exports, and what is not subject by its place or has its tax owed by the customer. */
const INFORMATIVE: Partial<Record<TaxTotal['operation'], string>> = {
  export: '46',
  intra_eu_goods: '46',
  services_abroad: '47',
  intra_eu_services: '47',
  reverse_charge: '47',
};

function enterOutput(boxes: Boxes, total: TaxTotal): boolean {
  const { operation, rectifying, rate, base, amount } = total;
  if (operation === 'import') return false;
  if (isSelfAssessed(total)) return put(boxes, rectifying ? ['21', '22'] : ['19', '20'], base, amount);
  const informative = INFORMATIVE[operation];
  if (informative !== undefined) {
    boxes.add(informative, base);
    return true;
  }
  if (operation === 'exempt' || operation === 'not_subject') return true;
  if (rectifying) return put(boxes, ['21', '22'], base, amount);
  const line = findRateLine(OUTPUT_420, rate);
  return line !== undefined && put(boxes, [line.base, line.quota], base, amount);
}

function enterInput(boxes: Boxes, total: TaxTotal): void {
  const { operation, use, rectifying, base, amount } = total;
  if (isImportInvoice(total) || use === 'none' || operation === 'exempt' || operation === 'not_subject') return;
  const investment = use === 'investment';
  if (isProRata(total)) {
    boxes.add(investment ? '37' : '39', amount);
    return;
  }
  if (operation === 'agricultural' && !rectifying) {
    boxes.add('36', amount);
    return;
  }
  put(boxes, rectifying ? ['34', '35'] : inputBoxes(operation === 'import', investment), base, amount);
}

function inputBoxes(imported: boolean, investment: boolean): readonly [base: string, quota: string] {
  if (imported) return investment ? ['32', '33'] : ['30', '31'];
  return investment ? ['28', '29'] : ['26', '27'];
}

function put(
  boxes: Boxes,
  [baseBox, quotaBox]: readonly [base: string, quota: string],
  base: Decimal,
  amount: Decimal,
): true {
  boxes.add(baseBox, base);
  boxes.add(quotaBox, amount);
  return true;
}
