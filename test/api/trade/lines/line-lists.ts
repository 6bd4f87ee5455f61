/** A trade whose lines are listed: what the tests of these lists make. */
import type { TestApp } from '../../../helpers/app.ts';
import { openTrade, type Trade } from '../documents/trade.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
export type Answered = any;

export interface Lines extends Trade {
  /** Creates what must be accepted, with the customer or the supplier. */
  make(path: string, body: object): Promise<Answered>;
  /** A follow-up of a quantity of the first line. */
  follow(path: string, base: Answered, quantity: number): Promise<Answered>;
  /** A follow-up that is an invoice, posted. */
  invoiced(path: string, body?: object): Promise<Answered>;
  posted(body: object): Promise<Answered>;
  /** A posted invoice of the supplier. */
  bought(body: object): Promise<Answered>;
  /** A page of the lines of sales. */
  lines(parameters: string): Promise<Answered[]>;
}

/** Prepares the company of an app: 100 oranges on stock, bought at 1.20 and sold at 2.50. */
export async function openLines(app: Pick<TestApp, 'client'>): Promise<Lines> {
  const trade = await openTrade(app);
  const answered = async (path: string, body: object = {}) => {
    const answer = await app.client.post(path, body);
    if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body.data as Answered;
  };
  const make = (path: string, body: object) =>
    answered(path, { partnerId: path.startsWith('/api/sales') ? trade.customerId : trade.supplierId, ...body });
  const post = (side: string, { id }: Answered) => answered(`/api/${side}/invoices/${id}/post`);
  return {
    ...trade,
    make,
    follow: (path, base, quantity) => answered(path, { lines: [{ baseLineId: base.lines[0].id, quantity }] }),
    invoiced: async (path, body) => await post('sales', await answered(path, body)),
    posted: async (body) => await post('sales', await make('/api/sales/invoices', body)),
    bought: async (body) => await post('purchases', await make('/api/purchases/invoices', body)),
    lines: async (parameters) => {
      const { status, body } = await app.client.get(`/api/sales/lines?${parameters}`);
      if (status !== 200) throw new Error(`${parameters}: ${JSON.stringify(body)}`);
      return body.data as Answered[];
    },
  };
}
