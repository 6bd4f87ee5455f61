import assert from 'node:assert/strict';
import { counted, joinWords, spacedWords } from '../../domain/words.ts';

describe('words', () => {
  it('come from the names of entities', () => {
    assert.deepEqual(['PartnerGroup', 'Item', 'SalesDeliveryNote'].map(spacedWords), [
      ...['partner group', 'item', 'sales delivery note'],
    ]);
  });

  it('count', () => {
    const things = ['item', 'category', 'partner address', 'document series', 'key', 'tax'];
    assert.deepEqual(
      things.map((thing) => counted(2, thing)),
      ['2 items', '2 categories', '2 partner addresses', '2 document series', '2 keys', '2 taxes'],
    );
    assert.equal(counted(1, 'category'), '1 category');
  });

  it('are listed as in a sentence', () => {
    assert.deepEqual(
      [[], ['a'], ['a', 'b'], ['a', 'b', 'c']].map((texts) => joinWords(texts)),
      ['', 'a', 'a and b', 'a, b and c'],
    );
  });
});
