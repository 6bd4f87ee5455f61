/** A parent with a subsidiary, in which the same person works. */
import type { TestApp } from '../../../helpers/app.ts';
import type { TestClient } from '../../../helpers/client.ts';
import { type GoldenQuarter, openReports } from '../golden-quarter.ts';

export interface Company extends GoldenQuarter {
  readonly id: string;
  readonly client: TestClient;
  /** Makes a partner, customer or supplier, that is another company of the group. */
  partner(side: 'isCustomer' | 'isVendor', companyId: string): Promise<string>;
}

export interface OpenedGroup {
  readonly parent: Company;
  readonly subsidiary: Company;
  /** Row of the subsidiary in the group. */
  readonly member: { readonly id: string };
}

async function open(app: TestApp, id: string): Promise<Company> {
  const client = app.as(app.token, id);
  // The account of investments in group companies, which a new chart does not divide.
  await client.post('/api/accounts', { code: '2403', name: 'Participaciones en empresas del grupo', type: 'asset' });
  const books = await openReports({ ...app, client, tenantId: id });
  return {
    ...{ ...books, id, client },
    async partner(side, companyId) {
      const { body } = await client.get(`/api/partnerGroups?${side}=true`);
      const partner = { name: `Group ${side}`, groupId: body.data[0].id, companyId };
      return (await books.make('/api/partners', partner)).id;
    },
  };
}

/** Founds another company of the caller. */
export async function found(app: TestApp, name: string, more: object = {}): Promise<Company> {
  const { status, body } = await app.client.post('/api/tenants', { name, taxId: 'B24680241', country: 'ES', ...more });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return await open(app, body.data.id);
}

/** Makes a group of two. @param more members of its row */
export async function openGroup(app: TestApp, more: object = {}): Promise<OpenedGroup> {
  const parent = await openParent(app);
  const subsidiary = await found(app, 'Filial');
  return { parent, subsidiary, member: await take(parent, subsidiary, more) };
}

/** Sells services from one company to another, each with its own books. */
export async function trade(from: Company, to: Company, price: number, bought = price): Promise<void> {
  const customer = await from.partner('isCustomer', to.id);
  const supplier = await to.partner('isVendor', from.id);
  await from.invoice('sales', '2026-03-10', price, { partnerId: customer });
  await to.invoice('purchases', '2026-03-10', bought, { partnerId: supplier });
}

/** Takes a company into the group of another. @returns the row of it */
export async function take(parent: Company, member: Company, more: object = {}): Promise<{ readonly id: string }> {
  await member.make('/api/parent-companies', { companyId: parent.id, name: 'Matriz' });
  const row = { companyId: member.id, name: 'Filial', joinedOn: '2026-01-01', ...more };
  return await parent.make('/api/group-companies', row);
}

/** Opens the caller's company as a parent. */
export async function openParent(app: TestApp): Promise<Company> {
  return await open(app, app.tenantId);
}

interface Heading {
  readonly code: string;
  readonly amount: number;
  readonly amounts: readonly number[];
  readonly children: readonly Heading[];
}

/** The amounts of headings by code, the sum last; those without any are left out. */
export function headingAmounts(sections: readonly Heading[]): Record<string, number[]> {
  const all = ({ code, amount, amounts, children }: Heading): [string, number[]][] => [
    [code, [...amounts, amount]],
    ...children.flatMap(all),
  ];
  return Object.fromEntries(sections.flatMap(all).filter(([, amounts]) => amounts.some((amount) => amount !== 0)));
}
