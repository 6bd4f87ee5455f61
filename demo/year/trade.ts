/** The documents of a month: goods and costs that come in, sales that go out, and some that come back. */
import type { ApiClient, Json } from '../api-client.ts';
import type { ItemWanted } from '../master-data.ts';
import { type DocumentHead, linesReferring, sellAtOnce } from '../sale.ts';
import { transact } from '../transaction.ts';
import type { PlannedSale } from '../wholesaler.ts';
import { COSTS, costIn, goodsBySupplier, type Month } from './plan.ts';

/** An invoice that is to be paid. */
export interface Owed extends DocumentHead {
  readonly partner: string;
  readonly date: string;
}

export interface Names {
  readonly items: ReadonlyMap<string, string>;
  readonly customers: ReadonlyMap<string, string>;
  readonly suppliers: ReadonlyMap<string, string>;
  /** Ids of accounts by code. */
  readonly accounts: ReadonlyMap<string, string>;
  readonly tax: string;
}

export class Trade {
  readonly #client: ApiClient;
  readonly #names: Names;
  readonly #run: string;
  #number = 0;

  /** @param run part of the idempotency keys */
  constructor(client: ApiClient, names: Names, run: string) {
    this.#client = client;
    this.#names = names;
    this.#run = run;
  }

  /** Receives what the month will sell, with an invoice from each supplier, and the costs of the month. */
  async purchase(
    month: Month,
    index: number,
    sales: readonly PlannedSale[],
    items: readonly ItemWanted[],
  ): Promise<Owed[]> {
    const owed: Owed[] = [];
    const costs = new Map(items.map((item) => [item.code, costIn(index, item)]));
    for (const [supplier, goods] of goodsBySupplier(sales, items)) {
      const lines = [...goods].map(([code, quantity]) => ({
        itemId: this.#names.items.get(code) as string,
        quantity,
        price: costs.get(code) as number,
      }));
      const head = { partnerId: this.#names.suppliers.get(supplier) as string, date: month.from };
      const answers = await this.#transact([
        { id: 'dn', method: 'POST', path: '/api/purchases/delivery-notes', body: { ...head, lines } },
        {
          id: 'inv',
          method: 'POST',
          path: '/api/purchases/invoices',
          body: { ...head, supplierReference: this.#reference(supplier), lines: linesReferring('PDN', 'dn', lines) },
        },
        { id: 'posted', method: 'POST', path: '/api/purchases/invoices/{inv.data.id}/post' },
      ]);
      owed.push(invoice(answers.get('posted'), supplier, month.from));
    }
    for (const { supplier, text, account, price, withholdingRate } of COSTS) {
      const body = {
        partnerId: this.#names.suppliers.get(supplier) as string,
        date: month.from,
        supplierReference: this.#reference(supplier),
        ...(withholdingRate > 0 ? { withholdingRate } : {}),
        lines: [
          {
            description: text,
            quantity: 1,
            price,
            taxGroupId: this.#names.tax,
            accountId: this.#names.accounts.get(account) as string,
          },
        ],
      };
      const answers = await this.#transact([
        { id: 'inv', method: 'POST', path: '/api/purchases/invoices', body },
        { id: 'posted', method: 'POST', path: '/api/purchases/invoices/{inv.data.id}/post' },
      ]);
      owed.push(invoice(answers.get('posted'), supplier, month.from));
    }
    return owed;
  }

  /** Sells: order, delivery note and invoice, all or none. */
  async sell({ customer, date, lines }: PlannedSale): Promise<Owed> {
    const head = { partnerId: this.#names.customers.get(customer) as string, date };
    const sold = lines.map(({ code, quantity, price }) => ({
      itemId: this.#names.items.get(code) as string,
      quantity,
      price,
    }));
    const reference = `PED-${String(++this.#number).padStart(5, '0')}`;
    const posted = await sellAtOnce(this.#client, { ...head, reference, lines: sold });
    return { ...posted, partner: customer, date };
  }

  /** Takes a part of an invoice back, with its goods. */
  async takeBack({ id, partner }: Owed, day: string): Promise<Owed> {
    const { lines } = await this.#client.one<{ lines: { id: string; quantity: number }[] }>(
      `/api/sales/invoices/${id}`,
    );
    const [line] = lines;
    const body = { reason: 'Mercancía dañada', date: day, lines: [{ baseLineId: line?.id as string, quantity: 6 }] };
    const credit = await this.#client.create<DocumentHead>(`/api/sales/invoices/${id}/rectify`, body, this.#key());
    const posted = await this.#client.post(`/api/sales/invoices/${credit.id}/post`, undefined, this.#key());
    return invoice(posted.data as Json, partner, day);
  }

  #transact(operations: Parameters<typeof transact>[1]): Promise<ReadonlyMap<string, Json>> {
    return transact(this.#client, operations, this.#key());
  }

  #key(): string {
    return `${this.#run}-${++this.#number}`;
  }

  #reference(supplier: string): string {
    return `${supplier.slice(0, 2).toUpperCase()}-${String(this.#number + 1).padStart(5, '0')}`;
  }
}

function invoice(posted: Json | undefined, partner: string, date: string): Owed {
  return { ...(posted as unknown as DocumentHead), partner, date };
}
