import assert from 'node:assert/strict';
import {
  bookFileName,
  bookNumber,
  booksFileName,
  presentBy,
} from '../../../../domain/reports/accounting/legal-books.ts';

describe('books for the commercial register', () => {
  const of = { year: 2025, taxId: 'B12345674', language: 'es' } as const;

  it('are presented within four months of the close, by the date', () => {
    assert.equal(presentBy('2025-12-31'), '2026-04-30');
    assert.equal(presentBy('2025-06-30'), '2025-10-30');
    assert.equal(presentBy('2025-10-31'), '2026-02-28');
  });

  it('are numbered from the first year of the books', () => {
    assert.deepEqual([bookNumber(2025, 2025), bookNumber(2027, 2025)], [1, 3]);
    // No entries, or none yet.
    assert.deepEqual([bookNumber(2025, null), bookNumber(2024, 2025)], [1, 1]);
  });

  it('name their files in ASCII, with the part if there are several', () => {
    assert.equal(bookFileName(of, 'journal', { number: 1, count: 1 }), 'B12345674-2025-diario');
    assert.equal(
      bookFileName(of, 'inventories-and-accounts', { number: 2, count: 3 }),
      'B12345674-2025-inventarios-y-cuentas-anuales-2-de-3',
    );
    assert.equal(
      bookFileName({ ...of, language: 'en' }, 'journal', { number: 2, count: 3 }),
      'B12345674-2025-journal-2-of-3',
    );
    assert.equal(booksFileName(of, true), 'B12345674-2025-libros');
    assert.equal(booksFileName(of, false), 'B12345674-2025-libros-provisional');
  });

  it('take nothing from a tax number but letters and digits', () => {
    assert.equal(booksFileName({ ...of, taxId: '../ES b-1/"\r\nñ' }, true), 'ESb1-2025-libros');
    assert.equal(booksFileName({ ...of, taxId: '' }, true), '2025-libros');
  });
});
