import assert from 'node:assert/strict';
import fc from 'fast-check';
import { replaceSettings } from '../../services/platform/settings/settings.ts';
import { assertSound } from '../helpers/hooks.ts';
import { secondWarehouse } from '../helpers/invoiced-costs.ts';
import { useTrade } from '../services/trade/lifecycle/follow-helpers.ts';
import { endsWithin } from './time-limit.ts';
import { balances, compare, compareAgain, compareBooks, compareProfit, compareSettled } from './values/compare.ts';
import { type History, type Site, step } from './values/history.ts';
import { Values } from './values/model.ts';
import { EVERYTHING, OWED, RELEASED, RETURNED, wish } from './values/wishes.ts';

/** Outcomes that must occur for the histories to prove anything. */
const MUST_SEE = [
  ...['receive', 'sell', 'sell there', 'return', 'move', 'below zero', 'settled', 'books'],
  ...['invoice', 'rectify', 'freight', 'freight again', 'two lines', 'two lines again'],
  ...[
    'sell directly',
    'bill',
    'credit',
    'credit with goods',
    'release',
    'cancel bill',
    'cancel return',
    'profit',
    'settled profit',
  ],
];

/** Steps between two comparisons of the books. */
const BOOKS_EVERY = 5;

/** Time for all histories, in ms; usually they take a third of it. */
const TIMEOUT = 300_000;

/** Histories that always run: each by FIFO and by average. */
const EXAMPLES = [EVERYTHING, RETURNED, OWED, RELEASED].flatMap((history) => [history, history]);

describe('values of stock against a plain model', function () {
  this.timeout(TIMEOUT);
  const trade = useTrade();
  /** Counts each operation and each comparison. */
  const seen = new Map<string, number>();
  const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
  before(async () => {
    const { company } = trade;
    await company.run((trx) => replaceSettings(trx, company.ctx, 'flags', { allowNegativeStock: true }));
  });

  it('match the model after each step of random histories, even below zero and with late prices', async () => {
    const { company } = trade;
    const site: Site = { trade, otherId: await secondWarehouse(company), count };
    let histories = 0;
    const wishes = fc.array(wish, { minLength: 10, maxLength: 18 });
    await fc.assert(
      fc.asyncProperty(wishes, async (list) => {
        const byFifo = histories % 2 === 0;
        const { id: itemId } = await company.item({ costMethod: byFifo ? 'fifo' : 'average' });
        const history: History = {
          itemId,
          byFifo,
          model: new Values(),
          bought: [],
          sales: [],
          start: await balances(site),
        };
        histories++;
        for (const [index, one] of list.entries()) {
          await step(site, history, one);
          await compare(site, history, index + 1);
          // Books and reports look at everything so far: they are compared now and then, and at the end.
          if (index % BOOKS_EVERY !== BOOKS_EVERY - 1 && index < list.length - 1) continue;
          await compareBooks(site, history, index + 1);
          await compareProfit(site, history);
        }
        await compareSettled(site, history, list.length);
        await compareAgain(site, history);
      }),
      { numRuns: 29, examples: EXAMPLES.map((list) => [[...list]]), ...endsWithin(TIMEOUT) },
    );
    const missing = MUST_SEE.filter((kind) => !seen.has(kind));
    assert.deepEqual(missing, []);
    await assertSound(company.url);
  });
});
