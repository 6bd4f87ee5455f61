import assert from 'node:assert/strict';
import { Type } from 'typebox';
import { ServiceError } from '../../../../domain/errors.ts';
import { bodyValidator } from '../../../../services/platform/validation/validate.ts';

const LENGTH = 100_000;
/** How many times as much CPU as parsing a body its validation may take, at best of a few runs. */
const TIMES = 5;
const RUNS = 5;

const entry = Type.Object({
  a: Type.String(),
  b: Type.String(),
  price: Type.Optional(Type.Number({ decimalPlaces: 2 })),
});
const validate = bodyValidator(
  Type.Object({
    lines: Type.Optional(Type.Array(entry)),
    prices: Type.Optional(Type.Array(Type.Number({ decimalPlaces: 2 }))),
    either: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Array(Type.Number())])),
  }),
);

function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function faults(body: unknown): number {
  try {
    validate(body);
    return 0;
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    return error.errors.length;
  }
}

describe('the validation of large bodies', function () {
  this.timeout(60_000);

  const list = <Value>(make: (index: number) => Value) => Array.from({ length: LENGTH }, (_, index) => make(index));
  const BODIES: Readonly<Record<string, { body: object; faults: number }>> = {
    'lists of empty objects': { body: { lines: list(() => ({})) }, faults: 100 },
    'lists of numbers in place of objects': { body: { lines: list(() => 1) }, faults: 100 },
    'unknown members': { body: Object.fromEntries(list((index) => [`member${index}`, 1])), faults: 100 },
    'wrong decimals': { body: { prices: list(() => 1.2345) }, faults: 100 },
    'correct decimals': { body: { prices: list(() => 1.25) }, faults: 0 },
    'lists of the other kind': { body: { either: list(() => 1) }, faults: 0 },
  };

  for (const [what, { body, faults: expected }] of Object.entries(BODIES)) {
    it(`costs about as much as parsing them: ${what}`, () => {
      const text = JSON.stringify(body);
      let best = Number.POSITIVE_INFINITY;
      for (let run = 1; run <= RUNS && best > TIMES; run += 1) {
        let parsed: unknown;
        const parsing = cpuMs(() => {
          parsed = JSON.parse(text);
        });
        const validation = cpuMs(() => assert.equal(faults(parsed), expected));
        best = Math.min(best, (validation - 20) / Math.max(parsing, 5));
      }
      assert.ok(best <= TIMES, `it takes ${best.toFixed(1)} times as long`);
    });
  }
});
