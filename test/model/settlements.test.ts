/**
 * Random histories of invoices, entries by hand, payments and what comes back, on the service and on a plain model. MODEL_HISTORIES=1000
 * runs more of them; a failure prints its seed, and MODEL_SEED repeats it.
 */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PaymentTerms } from '../../db/models/records/master-data.ts';
import { insertRow } from '../../db/write.ts';
import { ServiceError } from '../../domain/errors.ts';
import { assertSound, useCompany } from '../helpers/hooks.ts';
import { Book } from './settlements/book.ts';
import { compare } from './settlements/compare.ts';
import { type Desk, openDesk, setMonth } from './settlements/desk.ts';
import { TODAY } from './settlements/entries.ts';
import { EVERYTHING } from './settlements/everything.ts';
import { DAYS, KINDS, plannedAction, type Wish, wish } from './settlements/steps.ts';
import { endsWithin } from './time-limit.ts';

/** Outcomes that must occur for the histories to prove anything. */
const MUST_SEE = [
  ...KINDS,
  ...['validation_failed', 'period_closed', 'invalid_transition', 'has_payments', 'in_use', 'nothing_open'],
];
const HISTORIES = Number(process.env.MODEL_HISTORIES ?? 20);
const TIMEOUT = 60_000 + HISTORIES * 20_000;

describe('settlements against a plain model', function () {
  this.timeout(TIMEOUT);
  const company = useCompany();
  /** Counts each operation, and each refusal by its code. */
  const seen = new Map<string, number>();
  const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);

  async function month(book: Book, desk: Desk, { kind, day }: Wish): Promise<void> {
    const name = (DAYS[day] as string).slice(0, 7);
    if (book.closed.has(name) === (kind === 'close')) return;
    await setMonth(desk, name, kind === 'close');
    if (kind === 'close') book.closed.add(name);
    else book.closed.delete(name);
    count(kind);
  }

  /** Takes the step, and checks that the model predicted the outcome. */
  async function step(book: Book, desk: Desk, one: Wish): Promise<void> {
    if (one.kind === 'close' || one.kind === 'open') return await month(book, desk, one);
    const action = plannedAction(book, desk, one);
    if (action === undefined) return;
    const { what, outcome, act } = action;
    const answer = await act().catch((error: unknown) => {
      if (error instanceof ServiceError) return error;
      throw error;
    });
    count('refused' in outcome ? outcome.refused : what);
    if (answer instanceof ServiceError) {
      assert.equal(
        answer.code,
        'refused' in outcome ? outcome.refused : 'allowed',
        `${what}: ${answer.message} ${JSON.stringify(answer.errors)}`,
      );
    } else {
      assert.ok('apply' in outcome, `${what} was done, which the model refuses: ${JSON.stringify(outcome)}`);
      outcome.apply(answer);
    }
  }

  it('match the model after each step of random histories', async () => {
    const { id: halvesId } = await company.run((trx) => {
      const lines = [
        { percent: 50, days: 30, endOfMonth: false },
        { percent: null, days: 60, endOfMonth: false },
      ];
      return insertRow(trx, company.ctx, PaymentTerms, { code: 'HALVES', name: 'Halves', lines });
    });
    let histories = 0;
    const seed = process.env.MODEL_SEED;
    await fc.assert(
      fc.asyncProperty(fc.noBias(fc.array(wish, { minLength: 1, maxLength: 30, size: 'max' })), async (wishes) => {
        const desk = await openDesk(company, halvesId, ++histories);
        const book = new Book();
        try {
          for (const [index, one] of wishes.entries()) {
            await step(book, desk, one);
            await compare(desk, book, [TODAY, DAYS[index % DAYS.length] as string]);
          }
        } finally {
          for (const name of book.closed) await setMonth(desk, name, false);
        }
      }),
      {
        numRuns: HISTORIES + EVERYTHING.length,
        examples: EVERYTHING.map((wishes) => [[...wishes]]),
        ...endsWithin(TIMEOUT),
        ...(seed === undefined ? {} : { seed: Number(seed) }),
      },
    );
    assert.deepEqual(
      MUST_SEE.filter((what) => !seen.has(what)),
      [],
      `seen: ${JSON.stringify(Object.fromEntries(seen))}`,
    );
    await assertSound(company.url);
  });
});
