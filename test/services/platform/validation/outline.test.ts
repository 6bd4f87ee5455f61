import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ServiceError } from '../../../../domain/errors.ts';
import { assertOutline } from '../../../../services/platform/validation/outline.ts';

/** The code of the fault of a text; null if it has none. */
function fault(text: string): string | null {
  try {
    assertOutline(text);
    return null;
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    assert.equal(error.code, 'validation_failed');
    return error.errors?.[0]?.code ?? null;
  }
}

/** Counts the values of a value, and its levels. */
function counted(value: unknown): { values: number; levels: number } {
  if (typeof value !== 'object' || value === null) return { values: 0, levels: 0 };
  const inner = Object.values(value).map(counted);
  return {
    values: 1 + Math.max(0, inner.length - 1) + inner.reduce((sum, { values }) => sum + values, 0),
    levels: 1 + Math.max(0, ...inner.map(({ levels }) => levels)),
  };
}

describe('the outline of a JSON text', () => {
  it('has at most 5,000 levels, whatever follows', () => {
    const nested = (levels: number) => `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`;
    assert.equal(fault(nested(5000)), null);
    assert.equal(fault(nested(5002)), 'too_deep');
    assert.equal(fault('['.repeat(1024 * 1024)), 'too_deep');
  });

  it('has at most 50,000 values', () => {
    const list = (count: number) => `[${Array(count).fill('0').join(',')}]`;
    assert.equal(fault(list(50_000)), null);
    assert.equal(fault(list(50_001)), 'too_many');
    assert.equal(fault(`[${'{},'.repeat(25_000)}{}]`), 'too_many');
  });

  it('is not seen in texts', () => {
    assert.equal(fault(JSON.stringify({ a: '[{,'.repeat(60_000), '[,': '\\"[,'.repeat(60_000) })), null);
    assert.equal(fault(`["${'['.repeat(60_000)}\\"${'['.repeat(60_000)}`), null, 'a text without end');
  });

  it('is that of the value, for any value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.string({ unit: 'binary' }), (value, text) => {
        const { values, levels } = counted(value);
        const fill = 50_000 - values - 2;
        // A list of the value, a text of any kind that is long enough to be looked at, and zeros up to the limit.
        const of = (zeros: number) => JSON.stringify([value, text + 'x'.repeat(9000), ...Array(zeros).fill(0)]);
        assert.ok(levels < 5000);
        assert.equal(fault(of(fill)), null);
        assert.equal(fault(of(fill + 1)), 'too_many');
      }),
      { numRuns: 20 },
    );
  });
});
