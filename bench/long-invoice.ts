/** Posts invoices with 1,000 and with 10 lines in turn: the cost of a line must not grow with the number of lines. */
import { type Check, median } from './report.ts';
import type { Stage } from './stage.ts';
import { openTrade } from './trade.ts';

const LONG = 1000;
const SHORT = 10;
const LIMIT = 20;
const WARM_UP = 2;
const ROUNDS = 9;

export async function longInvoice(stage: Stage): Promise<Check> {
  const trade = await openTrade(stage, { items: LONG, goods: true, series: 0 });
  const { client } = stage;
  const postTime = async (count: number) => {
    const lines = trade.items.slice(0, count).map((itemId) => ({ itemId, quantity: 1 }));
    const draft = await client.post('/api/sales/invoices', { partnerId: trade.customerId, lines });
    if (draft.status !== 201) throw new Error(`The draft was answered ${draft.status}: ${JSON.stringify(draft.body)}`);
    const started = performance.now();
    const { status } = await client.post(`/api/sales/invoices/${draft.body.data.id}/post`);
    const time = performance.now() - started;
    if (status !== 200) throw new Error(`The posting was answered ${status}`);
    return time;
  };
  const times: { long: number; short: number }[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const one = { short: await postTime(SHORT), long: await postTime(LONG) };
    if (round >= 0) times.push(one);
  }
  const long = median(times.map((one) => one.long));
  const short = median(times.map((one) => one.short));
  return {
    name: `post an invoice with ${LONG} lines`,
    measured: `${(long / short).toFixed(1)} × one with ${SHORT} (${long.toFixed(0)} ms against ${short.toFixed(0)} ms)`,
    limit: `${LIMIT} ×`,
    passed: long / short <= LIMIT,
  };
}
