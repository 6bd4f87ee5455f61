import assert from 'node:assert/strict';
import fc from 'fast-check';
import { freeShortName, shortNameFrom } from '../../../../domain/access/companies/short-name.ts';

describe('short names of companies', () => {
  it('are the beginning of the name, as in addresses', () => {
    assert.equal(shortNameFrom('Frutas García, S.L.'), 'frutas-garci');
    assert.equal(shortNameFrom('Ñu & Co'), 'nu-co');
    assert.equal(shortNameFrom('日本'), 'company');
  });

  it('have a number where another company has the name, and are never those of the service', () => {
    assert.equal(
      freeShortName('nu-co', (name) => name === 'nu-co'),
      'nu-co-2',
    );
    assert.equal(
      freeShortName('frutas-garci', (name) => name === 'frutas-garci'),
      'frutas-gar-2',
    );
    assert.equal(
      freeShortName('maintenance', () => false),
      'maintenanc-2',
    );
  });

  it('are free, short, and of letters, digits and hyphens, whatever is taken', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 0, max: 200 }), (name, companies) => {
        const taken = new Set<string>();
        for (let n = 0; n <= companies; n++) {
          const free = freeShortName(shortNameFrom(name), (one) => taken.has(one));
          assert.match(free, /^[a-z0-9](?:[a-z0-9-]{0,10}[a-z0-9])?$/);
          assert.ok(!taken.has(free));
          taken.add(free);
        }
      }),
      { numRuns: 30 },
    );
  });
});
