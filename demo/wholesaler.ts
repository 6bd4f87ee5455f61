/** A small wholesaler, generated from a seed: the same items, customers and sales on every run. */
import { wallTime } from '../domain/records/tables/times.ts';
import type { ItemWanted, PartnerWanted, Period } from './master-data.ts';

const ITEMS = [
  'Aceite de oliva virgen extra 5 l',
  'Aceitunas manzanilla 2 kg',
  'Agua mineral 1,5 l',
  'Arroz bomba 1 kg',
  'Atún claro en aceite',
  'Azúcar blanco 1 kg',
  'Café molido natural 250 g',
  'Cerveza lager 33 cl',
  'Chocolate a la taza',
  'Detergente líquido 3 l',
  'Espárragos blancos',
  'Fideos 500 g',
  'Galletas María',
  'Garbanzos cocidos',
  'Gel de manos 500 ml',
  'Harina de trigo 1 kg',
  'Leche entera 1 l',
  'Lejía 2 l',
  'Lentejas pardinas 1 kg',
  'Macarrones 500 g',
  'Mermelada de fresa',
  'Miel de romero 500 g',
  'Papel de cocina',
  'Pimentón de la Vera',
  'Queso curado en cuña',
  'Sal fina 1 kg',
  'Servilletas 100 uds',
  'Tomate triturado 800 g',
  'Vinagre de Jerez 750 ml',
  'Vino tinto crianza',
] as const;
/** Staples, which are taxed less than other food, which is taxed less than other goods. */
const SUPER_REDUCED = /aceite de oliva|harina|leche|queso|arroz/i;
const GENERAL = /cerveza|vino|detergente|gel|lejía|papel|servilletas/i;

const CUSTOMERS = [
  'Alimentación Robledo',
  'Autoservicio La Plaza',
  'Bar El Rincón',
  'Bodega San Telmo',
  'Cafetería Central',
  'Casa Manolo',
  'Comedores del Norte SL',
  'Despensa Mediterránea SL',
  'El Colmado de Ana',
  'Gastrobar Nómada',
  'Hostal Los Arcos',
  'Hotel Mirador SL',
  'La Tahona',
  'Mesón del Puerto',
  'Panadería Espiga',
  'Restaurante Lúa',
  'Residencia Los Olivos',
  'Supermercados Vega SL',
  'Taberna Abrasador',
  'Ultramarinos Pilar',
] as const;

const SALES_PER_DAY = 2;

export interface PlannedSale {
  readonly customer: string;
  readonly date: string;
  readonly lines: readonly { readonly code: string; readonly quantity: number; readonly price: number }[];
}

/** Plans thirty items with prices from 1 to 40. */
export function plannedItems(): ItemWanted[] {
  const random = generator(30);
  return ITEMS.map((name, index) => {
    const cents = 100 + Math.floor(random() * 3900);
    return {
      code: `DEMO-${String(index + 1).padStart(3, '0')}`,
      name,
      type: 'product',
      salePrice: cents / 100,
      purchasePrice: Math.round(cents * 0.6) / 100,
      taxCode: itemTaxCode(name),
    };
  });
}

/** Plans twenty customers, some of whom pay later. */
export function plannedCustomers(): PartnerWanted[] {
  return CUSTOMERS.map((name, index) => ({ name, paymentTermDays: (index % 3) * 30 }));
}

/** Plans two sales a day with one to six lines. */
export function plannedSales(days: readonly string[], items: readonly ItemWanted[]): PlannedSale[] {
  const random = generator(20);
  const pick = picker(random);
  return days.flatMap((date) =>
    Array.from({ length: SALES_PER_DAY }, () => ({
      customer: pick(CUSTOMERS),
      date,
      lines: Array.from({ length: 1 + Math.floor(random() * 6) }, () => {
        const item = pick(items);
        return { code: item.code, quantity: 1 + Math.floor(random() * 24), price: item.salePrice };
      }),
    })),
  );
}

/**
 * Chooses the days to sell on: up to today, within open periods; at the start of a company's first year the following days. Periods of a
 * year after the last one are created by its first document.
 * @returns up to `length` (at most 30) days YYYY-MM-DD, empty when no period is open
 */
export function chooseDays(periods: readonly Period[], today: string, length = 30): string[] {
  const lastYear = Math.max(...periods.map(({ to }) => Number(to.slice(0, 4))));
  const isOpen = (day: string) =>
    Number(day.slice(0, 4)) > lastYear ||
    periods.some((period) => period.status === 'O' && period.from <= day && day <= period.to);
  const around = Array.from({ length: 61 }, (_, index) => addDays(today, index - 30)).filter(isOpen);
  const past = around.filter((day) => day <= today);
  return past.length >= Math.min(10, length) ? past.slice(-length) : around.slice(0, length);
}

/** Returns the date of an instant in the company's time zone. */
export function dayAt(now: Date, timezone: string): string {
  return new Date(wallTime(now.toISOString(), timezone)).toISOString().slice(0, 10);
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

function itemTaxCode(name: string): string {
  if (GENERAL.test(name)) return 'IVA21';
  return SUPER_REDUCED.test(name) ? 'IVA4' : 'IVA10';
}

/** Picks entries by a generator's numbers. */
export function picker(random: () => number): <T>(entries: readonly T[]) => T {
  return <T>(entries: readonly T[]) => entries[Math.floor(random() * entries.length)] as T;
}

/** Generates numbers from 0 to 1, the same for the same seed (a linear congruential generator, as in Numerical Recipes). */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
