/** Charges changes within a period: lines of the next document that charge the new terms, and take back the old ones. */

import type { Db } from '../../../db/database.ts';
import type { RecurringDocument } from '../../../db/models/contracts/recurring.ts';
import { prepared } from '../../../db/sql.ts';
import { type Period, periodFrom, shareOfPeriod } from '../../../domain/contracts/recurring/periods.ts';
import { type LinePrice, scaled } from '../../../domain/contracts/recurring/prices.ts';
import { documentTypeNamed } from '../../../domain/contracts/recurring/types.ts';
import { dayBefore } from '../../../domain/days.ts';
import { invalidMember } from '../../../domain/errors.ts';
import { decimal } from '../../../domain/money.ts';
import type { Checked, Template } from './kind.ts';
import { lastPeriod, toPlan } from './plan.ts';

type Line = LinePrice & Readonly<Record<string, unknown>>;

/**
 * The lines for a change on a day within the current period. Charged in advance: the rest of the period at the new prices, less that at the
 * old ones. Charged afterwards, when the whole period will have the new prices: its beginning at the old ones, less that at the new.
 * @throws ServiceError validation_failed unless there is a new template with fixed prices, and the day is within the period
 */
export async function adjustmentsFor(
  trx: Db,
  current: RecurringDocument,
  changed: Partial<Checked> | null,
  from: string,
): Promise<readonly Record<string, unknown>[]> {
  const refuse = (code: string, message: string) => invalidMember('/prorate_from', code, message);
  if (changed?.template === undefined) throw refuse('not_applicable', 'is allowed only with a template');
  if (current.price === 'current' || current.unit === null || documentTypeNamed(current.documentType) === null) {
    throw refuse('not_applicable', 'is allowed only for documents with fixed prices and an interval by unit');
  }
  const period = await currentPeriod(trx, current);
  if (period === null) throw refuse('not_applicable', 'is not allowed before the first document is made');
  if (from < period.from || from > period.to) {
    throw refuse('out_of_range', `must be within the current period, ${period.from} to ${period.to}`);
  }
  const items = await itemsIn(trx, [current.template, changed.template]);
  if ([...items.values()].some(({ stockTracked }) => stockTracked)) {
    throw refuse('not_applicable', 'cannot be used because lines move goods; only services are charged by days');
  }
  const inAdvance = current.billedAt === 'start';
  const days = inAdvance ? { from, to: period.to } : { from: period.from, to: dayBefore(from) };
  if (days.to < days.from) return current.adjustments;
  const share = shareOfPeriod(toPlan(current), days);
  const sign = inAdvance ? 1 : -1;
  const lines = (template: Template, factor: number) =>
    templateLines(template).map((line) => ({
      ...scaled(line, share.times(factor)),
      description: described(line, items, days),
    }));
  const added = [...lines(changed.template, sign), ...lines(current.template, -sign)];
  return [...current.adjustments, ...added].filter(
    ({ price, priceWithTax }) => !isZero(price) || !isZero(priceWithTax),
  );
}

function templateLines(template: Template): readonly Line[] {
  return template.lines as readonly Line[];
}

/** In advance: the last one that was charged; afterwards: the one that will be. */
async function currentPeriod(trx: Db, row: RecurringDocument): Promise<Pick<Period, 'from' | 'to'> | null> {
  if (row.billedAt === 'start') return await lastPeriod(trx, row.id);
  return row.nextFrom === null ? null : periodFrom(toPlan(row), row.nextFrom);
}

interface Item {
  readonly id: string;
  readonly name: string;
  readonly stockTracked: boolean;
}

async function itemsIn(trx: Db, templates: readonly Template[]): Promise<ReadonlyMap<string, Item>> {
  const ids = templates.flatMap(templateLines).flatMap(({ itemId }) => (typeof itemId === 'string' ? [itemId] : []));
  const items = await prepared<Item>(
    trx,
    'select id, name, stock_tracked as "stockTracked" from items where id = any(:ids::uuid[])',
    { ids: [...new Set(ids)] },
  );
  return new Map(items.map((item) => [item.id, item]));
}

function described(
  { description, itemId }: Line,
  items: ReadonlyMap<string, Item>,
  { from, to }: { readonly from: string; readonly to: string },
): string {
  const name = description ?? items.get(String(itemId))?.name ?? '';
  return `${String(name).slice(0, 1950)} (${from} – ${to})`;
}

function isZero(price: unknown): boolean {
  return price === undefined || decimal(price as number).eq(0);
}
