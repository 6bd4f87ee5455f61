/** Finds the master data that the demo needs, and creates what is missing. */
import type { ApiClient, Json } from './api-client.ts';
import { DemoError } from './session.ts';
import { createMany } from './transaction.ts';

export interface Named {
  readonly id: string;
  readonly code: string;
}

/** Initial master data of every company. */
export interface Basics {
  readonly uomId: string;
  readonly customerGroupId: string;
  readonly vendorGroupId: string;
  /** Tax code → id. */
  readonly taxes: ReadonlyMap<string, string>;
}

export interface ItemWanted {
  readonly code: string;
  readonly name: string;
  readonly type: 'product' | 'service';
  readonly salePrice: number;
  readonly purchasePrice: number;
  readonly taxCode: string;
}

export interface PartnerWanted {
  /** Identifies the partner on later runs. */
  readonly name: string;
  readonly countryCode?: string;
  readonly paymentTermDays?: number;
}

/** Loads the initial master data. @throws DemoError if the company lacks some of it */
export async function loadBasics(client: ApiClient): Promise<Basics> {
  const [units, groups, taxes] = await Promise.all([
    client.all<Named>('/api/uom'),
    client.all<Named & { isCustomer: boolean; isVendor: boolean }>('/api/partnerGroups'),
    client.all<Named>('/api/taxes'),
  ]);
  const uomId = units.find((unit) => unit.code === 'UD')?.id;
  const customerGroupId = groups.find((group) => group.isCustomer)?.id;
  const vendorGroupId = groups.find((group) => group.isVendor)?.id;
  if (uomId === undefined || customerGroupId === undefined || vendorGroupId === undefined) {
    throw new DemoError(
      'The company has no unit UD, no group of customers or no group of suppliers; create them first',
    );
  }
  return { uomId, customerGroupId, vendorGroupId, taxes: new Map(taxes.map((tax) => [tax.code, tax.id])) };
}

/** Finds items by code, and creates missing ones. @returns code → id */
export async function ensureItems(
  client: ApiClient,
  basics: Basics,
  wanted: readonly ItemWanted[],
): Promise<{ ids: ReadonlyMap<string, string>; created: number }> {
  const ids = new Map((await client.all<Named>('/api/items')).map((item) => [item.code, item.id]));
  const missing = wanted.filter((item) => !ids.has(item.code));
  const bodies = missing.map(({ taxCode, ...fields }) => {
    const taxId = basics.taxes.get(taxCode);
    if (taxId === undefined) throw new DemoError(`The company has no tax ${taxCode}; create it first`);
    return { ...fields, uomId: basics.uomId, salesTaxGroupId: taxId, purchaseTaxGroupId: taxId };
  });
  const created = await createMany(client, '/api/items', bodies, ({ code }) => code);
  for (const { code, id } of created as unknown as Named[]) ids.set(code, id);
  return { ids, created: missing.length };
}

/** Finds partners of a group by name, and creates missing ones. @returns name → id */
export async function ensurePartners(
  client: ApiClient,
  groupId: string,
  wanted: readonly PartnerWanted[],
): Promise<{ ids: ReadonlyMap<string, string>; created: number }> {
  const there = await client.all<{ id: string; name: string }>('/api/partners', { groupId });
  const ids = new Map(there.map((partner) => [partner.name, partner.id]));
  const missing = wanted.filter((partner) => !ids.has(partner.name));
  const bodies = missing.map((partner) => ({ ...partner, groupId }));
  const created = await createMany(client, '/api/partners', bodies, ({ name }) => name);
  for (const { name, id } of created as unknown as (Named & { name: string })[]) ids.set(name, id);
  return { ids, created: missing.length };
}

export interface Period {
  readonly code: string;
  readonly from: string;
  readonly to: string;
  readonly status: string;
}

/** Creates the missing periods of a year. @throws DemoError if the period of one of the days is closed */
export async function ensurePeriods(client: ApiClient, year: number, days: readonly string[]): Promise<void> {
  let periods = await client.all<Period>('/api/periods');
  const missing = days.some((day) => !periods.some((period) => period.from <= day && day <= period.to));
  if (missing) {
    await client.post('/api/periods/generate', { year });
    periods = await client.all<Period>('/api/periods');
  }
  for (const day of days) {
    const period = periods.find((candidate) => candidate.from <= day && day <= candidate.to);
    if (period?.status !== 'O')
      throw new DemoError(`The period ${period?.code ?? 'of'} ${day} is closed; reopen it first`);
  }
}

const SERIES = {
  SO: { docType: 'SO', prefix: 'SO', name: 'Orders' },
  SDN: { docType: 'SDN', prefix: 'SDN', name: 'Delivery notes' },
  SINV: { docType: 'SINV', prefix: 'SINV', name: 'Invoices' },
  PDN: { docType: 'PDN', prefix: 'PDN', name: 'Goods received' },
  rectifying: { docType: 'SINV', prefix: 'R', name: 'Rectifying invoices', rectifying: true },
} as const;
export type SeriesIds = Readonly<Record<keyof typeof SERIES, string>>;

/** Finds or creates separate series for documents of another year, so that they do not mix with today's numbers. */
export async function ensureSeries(client: ApiClient, year: number): Promise<SeriesIds> {
  const there = await client.all<{ id: string; docType: string; prefix: string }>('/api/series');
  const ids: Record<string, string> = {};
  for (const [key, kind] of Object.entries(SERIES)) {
    const prefix = `${kind.prefix}${year}-`;
    const known = there.find((series) => series.docType === kind.docType && series.prefix === prefix);
    const body: Json = { ...kind, name: `${kind.name} ${year}`, prefix, padding: 5, year, isDefault: false };
    ids[key] = known?.id ?? (await client.create<{ id: string }>('/api/series', body, `demo-series-${prefix}`)).id;
  }
  return ids as SeriesIds;
}
