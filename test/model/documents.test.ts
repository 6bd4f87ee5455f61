/**
 * Random sequences of commands on the service and on a plain model. MODEL_SEQUENCES=10000 runs more of them; a failure prints
 * its seed, path and commands, and MODEL_SEED repeats it.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { useCompany } from '../helpers/hooks.ts';
import { EVERYTHING } from './everything.ts';
import { TYPES } from './paper.ts';
import { begin } from './real.ts';
import { sequences } from './sequences.ts';
import { openSite } from './site.ts';
import { endsWithin } from './time-limit.ts';

const SEQUENCES = Number(process.env.MODEL_SEQUENCES ?? 200);
const LONGEST = 30;
/** Outcomes that must occur for the sequences to prove anything. */
const MUST_SEE = [
  ...TYPES,
  ...['post', 'cancel', 'close', 'remove', 'duplicate', 'patch', 'patch order', 'count', 'transfer'],
  ...['return', 'rectify', 'rectify with goods', 'from notes'],
  ...[
    'invalid_transition',
    'insufficient_stock',
    'batch_expired',
    'over_delivery',
    'over_invoicing',
    'validation_failed',
  ],
];

// For each sequence a second and more on a busy machine; usually it is a tenth of that.
const TIMEOUT = 60_000 + SEQUENCES * 2000;

describe('documents and stock against a plain model', function () {
  this.timeout(TIMEOUT);
  const seen = new Map<string, number>();
  const company = useCompany();

  it(`match the model after each step of ${SEQUENCES} random sequences, and of one in which everything happens`, async () => {
    const site = await openSite(company);
    const seed = process.env.MODEL_SEED;
    await fc.assert(
      fc.asyncProperty(sequences(LONGEST), async (commands) => {
        // Made first: what is set up for a sequence must not differ from run to run.
        const state = await begin(company, site, seen);
        await fc.asyncModelRun(() => state, commands);
      }),
      {
        numRuns: SEQUENCES + 1,
        examples: [[EVERYTHING]],
        ...endsWithin(TIMEOUT),
        ...(seed === undefined ? {} : { seed: Number(seed) }),
      },
    );
    assert.deepEqual(
      MUST_SEE.filter((result) => !seen.has(result)),
      [],
      `seen: ${JSON.stringify(Object.fromEntries(seen))}`,
    );
  });
});
