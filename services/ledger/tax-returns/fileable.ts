/** Checks requests to file a return. */
import type { Db } from '../../../db/database.ts';
import { TaxReturn } from '../../../db/models/ledger/accounting.ts';
import { invalidMember, ServiceError } from '../../../domain/errors.ts';
import { Faults } from '../../../domain/faults.ts';
import type { BoxValues, Overrides } from '../../../domain/ledger/tax-returns/boxes.ts';
import type { TaxModel } from '../../../domain/ledger/tax-returns/models.ts';
import { isLast, isMonth, normalPeriod, periodSpan } from '../../../domain/ledger/tax-returns/periods.ts';
import type { Rectification } from '../../../domain/ledger/tax-returns/rectifying.ts';
import { decimal } from '../../../domain/money.ts';
import { taxName } from '../../../domain/trade/documents/tax-sets.ts';
import { SPAIN } from '../../platform/settings/company.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { MODELS } from './models.ts';
import { checkRectification } from './rectify.ts';
import type { TaxReturnInput } from './schemas.ts';

/** A return to file, as requested. */
export interface Checked {
  readonly model: TaxModel;
  readonly year: number;
  readonly period: string;
  readonly from: string;
  readonly to: string;
  readonly refund: boolean;
  readonly overrides: Overrides;
  /** Date of the settlement entry. */
  readonly date: string;
  readonly rectification: Rectification | null;
}

/**
 * Checks what a request states for itself.
 * @param today day of the settlement of a rectifying return, as the period itself is usually closed by then
 * @throws ServiceError validation_failed
 */
export function checkInput(input: TaxReturnInput, today: string): Checked {
  const { model, year } = input;
  const { periods, statable, counts, refunds } = MODELS[model];
  const faults = new Faults();
  const period = normalPeriod(input.period ?? (periods.length === 1 ? (periods[0] as string) : ''));
  if (!periods.includes(period)) {
    const code = period === '' ? 'required' : 'out_of_range';
    faults.add('/period', code, `must be a period of model ${model}: ${periods.join(', ')}`);
  }
  const refund = input.refund ?? false;
  if (refund && !refunds) faults.add('/refund', 'not_applicable', 'is only for models 303 and 420');
  const overrides: Record<string, `${number}`> = {};
  for (const [box, value] of Object.entries(input.overrides ?? {})) {
    if (!statable.has(box)) {
      faults.add(`/overrides/${box}`, 'not_applicable', `must be a box of model ${model} that can be stated`);
    } else if (counts.has(box) && !(Number.isInteger(value) && value >= 0)) {
      faults.add(`/overrides/${box}`, 'out_of_range', 'must be a number of people');
    }
    overrides[box] = decimal(value).toFixed();
  }
  faults.throwIfAny();
  const { from, to } = periodSpan({ year, period });
  const rectification = checkRectification({ model, year, period }, input.rectification);
  const date = input.date ?? (rectification === null || today < to ? to : today);
  if (date < to) throw invalidMember('/date', 'out_of_range', `must not be before the end of the period, ${to}`);
  return { model, year, period, from, to, refund, overrides, date, rectification };
}

/** @throws ServiceError validation_failed if the period is not over, or the company does not file the model */
export async function assertFileable(
  trx: Db,
  { model, year, period, to, refund }: Checked,
  today: string,
): Promise<void> {
  if (today <= to) {
    throw invalidMember('/period', 'out_of_range', `cannot be filed because it is not over before ${to} has passed`);
  }
  const { country, taxSet } = await loadSettings(trx, 'company');
  if (country !== SPAIN) {
    throw invalidMember(
      '/model',
      'not_applicable',
      `cannot be filed because it is Spanish, and the company is in ${country}`,
    );
  }
  const { taxSet: own } = MODELS[model];
  if (own !== null && own !== taxSet) {
    const [tax, charged] = [taxName(own, 'en'), taxName(taxSet, 'en')];
    const message = `cannot be filed because it is of ${tax}, and the company charges ${charged}`;
    throw invalidMember('/model', 'not_applicable', message);
  }
  const { taxpayer, monthlyRefunds } = await loadSettings(trx, 'tax');
  if (refund && !isLast({ year, period }) && !(monthlyRefunds && isMonth(period))) {
    const message =
      'is only for the last period of a year (4T or 12), or for any month if monthlyRefunds of /api/config/tax is true';
    throw invalidMember('/refund', 'not_applicable', message);
  }
  if (MODELS[model].personal && taxpayer === 'company') {
    throw invalidMember('/model', 'not_applicable', 'cannot be filed because companies pay corporate tax instead');
  }
}

/** @throws ServiceError duplicate, overlap, invalid_transition if other returns of the model are in the way */
export async function assertFree(trx: Db, { model, year, period, from, to }: Checked): Promise<void> {
  // Finds the nearest return over the same days, or a later one if that matters.
  const others = TaxReturn.query(trx).where({ model }).where('to', '>=', from).orderBy('from');
  const other = await (MODELS[model].carries === null ? others.where('from', '<=', to) : others).first();
  if (other === undefined) return;
  const name = `Model ${model} of ${other.year} ${other.period}`;
  if (other.year === year && other.period === period) {
    throw new ServiceError(
      'duplicate',
      `${name} is already filed; to correct it, state its receipt number in rectification`,
    );
  }
  if (other.from > to) throw new ServiceError('invalid_transition', `${name} is filed already, and comes later`);
  throw new ServiceError('overlap', `${name} is filed already, and has some of the same days`);
}

/** Boxes that cannot be stated below 0, since they are taken off. */
const NOT_NEGATIVE: Partial<Record<TaxModel, readonly string[]>> = {
  '303': ['110'],
  '420': ['24', '43'],
  '425': ['114'],
};

/** Checks stated boxes that depend on other boxes, or cannot have every amount. */
export function assertStated(model: TaxModel, boxes: BoxValues, overrides: Overrides): void {
  if (model === '303') assertStated303(boxes, overrides);
  const negative = NOT_NEGATIVE[model]?.find((box) => decimal(overrides[box] ?? '0').lt(0));
  if (negative !== undefined) throw invalidMember(`/overrides/${negative}`, 'out_of_range', 'must not be below 0');
}

function assertStated303(boxes: BoxValues, overrides: Overrides): void {
  const of = (box: string) => decimal(boxes[box] ?? '0');
  if (overrides['78'] !== undefined && (of('78').lt(0) || of('78').gt(of('110')))) {
    throw invalidMember('/overrides/78', 'out_of_range', `must be between 0 and box 110, ${of('110').toFixed(2)}`);
  }
  if (overrides['65'] !== undefined && (of('65').lt(0) || of('65').gt(100))) {
    throw invalidMember('/overrides/65', 'out_of_range', 'must be a percentage between 0 and 100');
  }
}
