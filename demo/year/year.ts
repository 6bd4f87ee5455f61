/** The company's twelve months, one after the other. */
import { sum } from '../../domain/money.ts';
import type { ApiClient, Json } from '../api-client.ts';
import { ensureItems, ensurePartners, loadBasics } from '../master-data.ts';
import { addDays, plannedCustomers, plannedItems } from '../wholesaler.ts';
import { Bank, type Movement } from './bank.ts';
import { hire, payWages, withholdTax } from './people.ts';
import { COSTS, type Month, payDay, SUPPLIERS, salesIn, supplierPayDay } from './plan.ts';
import { type Owed, Trade } from './trade.ts';

const CAPITAL = 120_000;

export class Year {
  /** Ids of all posted invoices. */
  readonly posted: string[] = [];
  readonly #since: string;
  readonly #client: ApiClient;
  readonly #trade: Trade;
  readonly #bank: Bank;
  readonly #items = plannedItems();
  /** Invoices whose payment is still to come, with its day. */
  #expected: { readonly owed: Owed; readonly day: string; readonly sign: 1 | -1 }[] = [];
  #movements: Movement[] = [];
  #sales = 0;
  #revenue = sum([]);
  #lines = 0;
  #matched = 0;
  #payrolls = 0;
  readonly #filed: string[] = [];

  private constructor(client: ApiClient, trade: Trade, bank: Bank, since: string) {
    this.#since = since;
    this.#client = client;
    this.#trade = trade;
    this.#bank = bank;
  }

  /** Creates items, partners, people, a bank account and rules. */
  static async prepare(client: ApiClient, first: Month, now: Date): Promise<Year> {
    const basics = await loadBasics(client);
    const items = await ensureItems(client, basics, plannedItems());
    const customers = await ensurePartners(client, basics.customerGroupId, plannedCustomers());
    const names = [...SUPPLIERS, ...COSTS.map(({ supplier }) => supplier)].map((name) => ({ name }));
    const suppliers = await ensurePartners(client, basics.vendorGroupId, names);
    const accounts = await client.all<{ id: string; code: string }>('/api/accounts');
    const trade = new Trade(
      client,
      {
        items: items.ids,
        customers: customers.ids,
        suppliers: suppliers.ids,
        accounts: new Map(accounts.map(({ code, id }) => [code, id])),
        tax: basics.taxes.get('IVA21') as string,
      },
      `demo-year-${now.toISOString()}`,
    );
    await hire(client, first.from);
    await automate(client);
    const year = new Year(client, trade, await Bank.open(client), first.from);
    year.#movements.push({ date: first.from, text: 'Aportación de los socios', amount: CAPITAL, accountCode: '100' });
    return year;
  }

  /** Buys what the month sells, sells it, and takes some of it back. */
  async trade(month: Month, index: number): Promise<void> {
    const sales = salesIn(month, index, this.#items);
    for (const owed of await this.#trade.purchase(month, index, sales, this.#items)) {
      this.posted.push(owed.id);
      this.#expected.push({ owed, day: supplierPayDay(owed.date), sign: -1 });
    }
    const sold: Owed[] = [];
    for (const sale of sales) {
      const owed = await this.#trade.sell(sale);
      sold.push(owed);
      this.posted.push(owed.id);
      this.#revenue = sum([this.#revenue, owed.subtotal]);
      const day = payDay(owed.date, owed.partner, this.#sales++);
      if (day !== null) this.#expected.push({ owed, day, sign: 1 });
    }
    const broken = sold[3];
    if (broken !== undefined) await this.#takeBack(broken, month);
  }

  /** Goods of one invoice come back: it is not paid as a whole, so it stays out of the bank's lines. */
  async #takeBack(broken: Owed, month: Month): Promise<void> {
    const credit = await this.#trade.takeBack(broken, month.to);
    this.posted.push(credit.id);
    this.#revenue = sum([this.#revenue, credit.subtotal]);
    this.#expected = this.#expected.filter(({ owed }) => owed.id !== broken.id);
    const linked = [broken, credit].map(({ id }) => ({ document_type: 'sales_invoice', document_id: id }));
    const partner = await this.#client.one<{ partner: { id: string } }>(`/api/sales/invoices/${broken.id}`);
    const left = sum([broken.total, credit.total]).toNumber();
    const paid = await this.#client.create<{ id: string }>(
      '/api/payments/in',
      {
        partner_id: partner.partner.id,
        amount: left,
        payment_date: month.to,
        payment_method: 'transfer',
        bank_account_id: this.#bank.accountId,
        linked_documents: linked,
      },
      `demo-year-rest-${broken.id}`,
    );
    const text = `Transferencia ${broken.partner} resto de ${broken.code}`;
    this.#movements.push({ date: month.to, text, amount: left, paymentId: paid.id });
  }

  /** Pays wages and what is owed to authorities, and matches the statement of the month. */
  async settle(month: Month): Promise<void> {
    this.#movements.push(...(await this.#debts(month)));
    if (isWhole(month)) {
      if (month.month === 1) await withholdTax(this.#client, month.from);
      const wages = await payWages(this.#client, month, this.#bank.accountId);
      this.#payrolls += wages.length;
      this.#movements.push(...wages);
    }
    this.#movements.push({
      date: month.to,
      text: `Comisión de mantenimiento ${month.month}/${month.year}`,
      amount: -12,
      accountCode: '626',
    });
    const due = this.#expected.filter(({ day }) => day <= month.to);
    this.#expected = this.#expected.filter(({ day }) => day > month.to);
    const payments = due.map(({ owed, day, sign }): Movement => {
      const text = sign > 0 ? `Transferencia de ${owed.partner} ${owed.code}` : `Pago a ${owed.partner} ${owed.code}`;
      return { date: day, text, amount: sign * owed.total };
    });
    const { lines, accepted } = await this.#bank.statement([...this.#movements, ...payments]);
    this.#movements = [];
    this.#lines += lines;
    this.#matched += accepted;
    await this.#client.post('/api/journal-entries/stock-variation', { date: month.to });
  }

  /** Social security of the month before, and each quarter the VAT that was filed and what was withheld. */
  async #debts({ from, to, year, month }: Month): Promise<Movement[]> {
    const before = addDays(from, -1);
    if (before < this.#since) return [];
    const { data } = await this.#client.get(`/api/reports/trial-balance?from=${this.#since}&to=${before}`);
    const rows = (data as { rows: { code: string; balance: number }[] }).rows;
    const owed = [
      { accountCode: '476', text: 'Seguros sociales', isDue: true },
      { accountCode: '4751', text: 'Modelo 111 y 115', isDue: month % 3 === 1 },
      { accountCode: '4750', text: 'Modelo 303', isDue: month % 3 === 1 },
    ];
    return owed.flatMap(({ accountCode, text, isDue }): Movement[] => {
      const balance = rows.find(({ code }) => code === accountCode)?.balance ?? 0;
      const day = addDays(from, 19) < to ? addDays(from, 19) : to;
      return isDue && balance < 0
        ? [{ date: day, text: `${text} ${month}/${year}`, amount: balance, accountCode }]
        : [];
    });
  }

  /** Files the returns of a quarter that is over, and pays them with the next statement. */
  async file({ year, month }: Month, months: readonly Month[]): Promise<void> {
    const isWhole = months.filter((one) => one.year === year && Math.ceil(one.month / 3) === month / 3).length === 3;
    if (month % 3 !== 0 || !isWhole || (months.at(-1)?.month === month && months.at(-1)?.year === year)) return;
    const isFirst = this.#filed.length === 0;
    await this.#fileOne({ model: '303', year, period: `${month / 3}T`, ...(isFirst ? { overrides: { 110: 0 } } : {}) });
    if (month === 12 && months.filter((one) => one.year === year).length === 12)
      await this.#fileOne({ model: '390', year });
  }

  async #fileOne(body: {
    readonly model: string;
    readonly year: number;
    readonly period?: string;
    readonly overrides?: Json;
  }) {
    const { model, year, period = '' } = body;
    await this.#client.create('/api/tax-returns', { ...body }, `demo-year-${model}-${year}-${period}`);
    this.#filed.push(`${model} ${year} ${period}`.trim());
  }

  rows(): (string | number)[][] {
    return [
      ['what', 'number', 'amount'],
      ['sales posted (order → note → invoice)', this.#sales, this.#revenue.toFixed(2)],
      ['payrolls posted and paid', this.#payrolls, ''],
      ['lines of bank statements', this.#lines, ''],
      ['… of which explained', this.#matched, ''],
      ['tax returns filed', this.#filed.length, this.#filed.join(', ')],
    ];
  }
}

function isWhole({ to }: Month): boolean {
  return addDays(to, 1).endsWith('-01');
}

/** Activates two of the ready rules. */
async function automate(client: ApiClient): Promise<void> {
  const { data } = await client.get('/api/automations/templates');
  const there = new Set((await client.all<{ name: string }>('/api/automations')).map(({ name }) => name));
  for (const { automation } of (data as { automation: { name: string } }[]).slice(0, 2)) {
    if (!there.has(automation.name)) await client.post('/api/automations', automation);
  }
}
