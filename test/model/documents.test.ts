/**
 * Random sequences of commands on the service and on a plain model. MODEL_SEQUENCES=10000 runs more of them; a failure prints
 * its seed, path and commands, and MODEL_SEED repeats it.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { broken, describeFindings, verifyDatabase } from '../../db/verify.ts';
import { type TestCompany, testCompany } from '../helpers/company.ts';
import { Books, TYPES, type Type } from './books.ts';
import { commandsOf, type Real } from './commands.ts';

const SEQUENCES = Number(process.env.MODEL_SEQUENCES ?? 200);
const ITEMS = 2;
const LONGEST = 20;
/** What the sequences must have come to, so that they prove something. */
const MUST_SEE = [
  ...TYPES,
  ...['post', 'cancel', 'close', 'remove', 'count', 'post invalid_transition', 'cancel invalid_transition'],
  ...[
    'SDN insufficient_stock',
    'post insufficient_stock',
    'SDN over_delivery',
    'PINV over_invoicing',
    'SINV validation_failed',
  ],
];

describe('documents and stock against a plain model', function () {
  // For each sequence a second and more on a busy machine; usually it is a tenth of that.
  this.timeout(60_000 + SEQUENCES * 2000);
  let company: TestCompany;
  const seen = new Map<string, number>();
  before(async () => {
    company = await testCompany();
  });
  after(async () => {
    if (!company) return;
    const findings = await verifyDatabase(company.url);
    await company.close();
    assert.deepEqual(broken(findings), [], describeFindings(findings));
  });

  /** New items with some stock; numbers go on from where the last sequence ended. */
  const begin = async (): Promise<{ model: Books; real: Real }> => {
    const items = await Promise.all(Array.from({ length: ITEMS }, async () => (await company.item()).id));
    for (const itemId of items) await company.stockUp(itemId, 6);
    const rows = await company.rows('select doc_type, next_number from series where is_default and not rectifying');
    const next = Object.fromEntries(rows.map((row) => [row.doc_type, row.next_number])) as Record<Type, number>;
    const model = new Books(ITEMS, next);
    for (const level of model.levels) level.onHand = 6;
    return { model, real: { company, items, seen } };
  };

  it(`${SEQUENCES} sequences end as the model foretells, step by step`, async () => {
    const sequences = fc.commands(commandsOf(ITEMS), { maxCommands: LONGEST, size: 'max' });
    const seed = process.env.MODEL_SEED;
    await fc.assert(
      fc.asyncProperty(sequences, async (commands) => {
        // Made first: what is set up for a sequence must not differ from run to run.
        const state = await begin();
        await fc.asyncModelRun(() => state, commands);
      }),
      { numRuns: SEQUENCES, ...(seed === undefined ? {} : { seed: Number(seed) }) },
    );
    assert.deepEqual(
      MUST_SEE.filter((result) => !seen.has(result)),
      [],
    );
  });
});
