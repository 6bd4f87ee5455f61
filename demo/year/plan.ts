/** A year of the wholesaler: which goods come, who buys what, and what is paid when. The same on every run, but for its days. */
import { decimal, round, toNumber } from '../../domain/money.ts';
import type { ItemWanted } from '../master-data.ts';
import { addDays, generator, type PlannedSale, picker, plannedCustomers } from '../wholesaler.ts';

/** A month of the year; the last one goes on to today. */
export interface Month {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly from: string;
  readonly to: string;
}

/** Sales of each month from January on: quiet after Christmas and in August, best before Christmas. */
const SALES = [20, 22, 26, 28, 30, 32, 30, 18, 28, 30, 34, 40] as const;
/** Suppliers of goods; each brings a third of the items. */
export const SUPPLIERS = ['Distribuciones Origen SA', 'Conservas del Sur SL', 'Almacenes Ebro SL'] as const;
/** Costs that come every month without goods. */
export const COSTS = [
  { supplier: 'Inmobiliaria Puerto SL', text: 'Alquiler de la nave', account: '621', price: 1450, withholdingRate: 19 },
  { supplier: 'Energía Clara SA', text: 'Electricidad', account: '628', price: 310, withholdingRate: 0 },
  { supplier: 'Transportes Lince SL', text: 'Transporte', account: '624', price: 540, withholdingRate: 0 },
] as const;
export const STAFF = [
  { name: 'Ana Ruiz Soler', salary: 27_000, group: 3, children: 2 },
  { name: 'Luis Pardo Gil', salary: 21_600, group: 5, children: 0 },
  { name: 'Marta Vidal Ros', salary: 19_800, group: 7, children: 1 },
] as const;

/** The months to a day, the last of them up to it. */
export function monthsUntil(today: string, count = 12): Month[] {
  const [thisYear, thisMonth] = today.split('-').map(Number) as [number, number];
  return Array.from({ length: count }, (_, index) => {
    const since = thisYear * 12 + thisMonth - count + index;
    const [year, month] = [Math.floor(since / 12), (since % 12) + 1];
    const from = `${year}-${String(month).padStart(2, '0')}-01`;
    const end = addDays(`${month === 12 ? year + 1 : year}-${String((month % 12) + 1).padStart(2, '0')}-01`, -1);
    return { year, month, from, to: end < today ? end : today };
  });
}

/** The sales of a month in the order of their days, which are working days. @param index place of the month in the year */
export function salesIn({ month, from, to }: Month, index: number, items: readonly ItemWanted[]): PlannedSale[] {
  const random = generator(100 + index);
  const pick = picker(random);
  const days = workingDays(from, to);
  const customers = plannedCustomers();
  const count = Math.ceil(((SALES[month - 1] ?? 20) * days.length) / 21);
  const sales = Array.from({ length: count }, (): PlannedSale => {
    // The first customers buy most.
    const customer = customers[Math.floor(random() ** 1.6 * customers.length)]?.name ?? '';
    const lines = Array.from({ length: 2 + Math.floor(random() * 5) }, () => {
      const item = pick(items);
      return { code: item.code, quantity: 6 * (1 + Math.floor(random() * 12)), price: item.salePrice };
    });
    return { customer, date: pick(days), lines };
  });
  return sales.sort(byDate);
}

/** The cost of an item in a month: a little more each month. */
export function costIn(index: number, { purchasePrice }: ItemWanted): number {
  return toNumber(round(decimal(purchasePrice).times(1 + index * 0.006), 2));
}

/** The goods of a month's sales by supplier, a tenth more than is sold. @returns quantities by item code */
export function goodsBySupplier(
  sales: readonly PlannedSale[],
  items: readonly ItemWanted[],
): Map<string, Map<string, number>> {
  const goods = new Map<string, Map<string, number>>();
  for (const { code, quantity } of sales.flatMap(({ lines }) => lines)) {
    const supplier = SUPPLIERS[items.findIndex((item) => item.code === code) % SUPPLIERS.length] ?? SUPPLIERS[0];
    const own = goods.get(supplier) ?? new Map<string, number>();
    own.set(code, (own.get(code) ?? 0) + quantity);
    goods.set(supplier, own);
  }
  for (const own of goods.values()) for (const [code, quantity] of own) own.set(code, Math.ceil(quantity * 1.1));
  return goods;
}

/** The day on which a customer pays; null for the few who do not. @param nth number of the invoice in the year */
export function payDay(date: string, customer: string, nth: number): string | null {
  if (nth % 19 === 18) return null;
  const days = plannedCustomers().find(({ name }) => name === customer)?.paymentTermDays ?? 0;
  return addDays(date, days + 1 + ((nth * 7) % 9));
}

/** The day on which a supplier is paid. */
export function supplierPayDay(date: string): string {
  return addDays(date, 30);
}

/** Puts what has a day in the order of days. */
export function byDate(one: { readonly date: string }, other: { readonly date: string }): number {
  return one.date < other.date ? -1 : one.date > other.date ? 1 : 0;
}

function workingDays(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) {
    if (![0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay())) days.push(day);
  }
  return days.length > 0 ? days : [to];
}
