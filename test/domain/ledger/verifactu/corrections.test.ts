import assert from 'node:assert/strict';
import { annulmentFlags, correctionFlags, type PastRecord } from '../../../../domain/ledger/verifactu/corrections.ts';

type Short = readonly ['registration' | 'annulment', PastRecord['status'], string?];

describe('records that mend others', () => {
  const past = (...records: Short[]): PastRecord[] =>
    records.map(([kind, status, errorCode = null]) => ({ kind, status, errorCode }));
  const refused: Short = ['registration', 'rejected', '1189'];
  const stored: Short = ['registration', 'accepted'];

  it('say whether the agency has a record, and refused the last', () => {
    assert.deepEqual(correctionFlags(past(stored)), { correction: 'S' });
    assert.deepEqual(correctionFlags(past(['registration', 'accepted_with_errors', '2001'])), { correction: 'S' });
    assert.deepEqual(correctionFlags(past(refused)), { correction: 'S', rejected: 'X' });
    assert.deepEqual(correctionFlags(past(refused, refused)), { correction: 'S', rejected: 'X' });
    assert.deepEqual(correctionFlags(past(stored, refused)), { correction: 'S', rejected: 'S' });
    assert.deepEqual(correctionFlags(past(['registration', 'rejected', '3000'])), { correction: 'S', rejected: 'S' });
  });

  it('annul what the agency has, or is about to get, or never had', () => {
    assert.deepEqual(annulmentFlags(past(stored)), {});
    assert.deepEqual(annulmentFlags(past(['registration', null])), {});
    assert.deepEqual(annulmentFlags(past(refused)), { withoutRecord: 'S' });
    assert.deepEqual(annulmentFlags(past(refused, ['annulment', 'rejected', '3002'])), {
      withoutRecord: 'S',
      rejected: 'S',
    });
    assert.deepEqual(annulmentFlags(past(stored, ['annulment', 'rejected', '3003'])), { rejected: 'S' });
  });
});
