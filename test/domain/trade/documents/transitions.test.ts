import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import {
  DOCUMENT_ACTIONS,
  isAllowed,
  isFinished,
  isLocked,
  lockRefusal,
  possibleStatuses,
  refusal,
  TRANSITIONS,
} from '../../../../domain/trade/documents/transitions.ts';
import { DOC_TYPES, DOCUMENT_STATUS, type DocType } from '../../../../domain/trade/documents/types.ts';

describe('transitions', () => {
  it('name only states that a document of the type can be in', () => {
    for (const docType of DOC_TYPES) {
      for (const action of DOCUMENT_ACTIONS) {
        for (const status of TRANSITIONS[docType][action]) {
          assert.ok(possibleStatuses(docType).includes(status), `${docType} ${action} ${status}`);
        }
      }
    }
  });

  it('leave what is cancelled as it is', () => {
    for (const docType of DOC_TYPES) {
      const allowed = DOCUMENT_ACTIONS.filter((action) => isAllowed(docType, 'X', action));
      assert.deepEqual(allowed, ['duplicate'], docType);
    }
  });

  it('are over when a document is closed or cancelled, but a closed one may still have to be locked', () => {
    const over = (lockDueAt: string | null) =>
      (['D', 'O', 'P', 'C', 'X'] as const).filter((status) => isFinished(status, { lockDueAt }));
    assert.deepEqual([over(null), over('2026-06-15T22:00:00Z')], [['C', 'X'], ['X']]);
  });

  it('are refused by a lock where they change or undo what a document says, from the time at which it is due', () => {
    const refused = DOCUMENT_ACTIONS.filter((action) => lockRefusal(action, 'F-7') !== null);
    assert.deepEqual(refused, ['update', 'close', 'cancel', 'delete']);
    assert.equal(lockRefusal('cancel', 'F-7'), 'F-7 is locked and cannot be cancelled');
    const due = '2026-06-15T22:00:00.000Z';
    const locked = (lockedAt: string | null, lockDueAt: string | null) =>
      ['2026-06-15T21:59:59.999Z', due].map((now) => isLocked({ lockedAt, lockDueAt }, new Date(now)));
    assert.deepEqual(
      [locked(null, null), locked(due, null), locked(null, due)],
      [
        [false, false],
        [true, true],
        [false, true],
      ],
    );
  });

  it('post drafts of invoices only', () => {
    assert.ok(isAllowed('SINV', 'D', 'post') && isAllowed('PINV', 'D', 'post'));
    assert.ok(!isAllowed('SINV', 'O', 'post'));
    assert.ok(!isAllowed('SO', 'O', 'post'));
  });

  it('delete drafts of quotations and invoices, and receipts, no other document', () => {
    const deletable = DOC_TYPES.filter((docType) => TRANSITIONS[docType].delete.length > 0);
    assert.deepEqual(deletable, ['SQ', 'SINV', 'PR', 'PDN', 'PINV']);
  });

  it('are told in docs/documents.md', () => {
    const columns: [title: string, docTypes: readonly DocType[]][] = [
      ['Quotation', ['SQ', 'PR']],
      ['Order', ['SO', 'PO']],
      ['Sales delivery note', ['SDN']],
      ['Purchase delivery note', ['PDN']],
      ['Invoice', ['SINV', 'PINV']],
    ];
    const rows = DOCUMENT_ACTIONS.map((action) => {
      const cells = columns.map(([, docTypes]) => {
        const told = new Set(docTypes.map((docType) => TRANSITIONS[docType][action].join(' ') || '–'));
        assert.equal(told.size, 1, `${docTypes.join(' and ')} differ in ${action}: the page needs a column more`);
        return [...told][0];
      });
      return `| ${[action, ...cells].join(' | ')} |`;
    });
    const table = [
      `| Action | ${columns.map(([title]) => title).join(' | ')} |`,
      `|${'---|'.repeat(columns.length + 1)}`,
      ...rows,
    ].join('\n');
    const page = readFileSync(new URL('../../../../docs/documents.md', import.meta.url), 'utf8');
    assert.ok(page.includes(table), `docs/documents.md should have this table:\n${table}`);
  });

  it('refuses in words that say what would be allowed', () => {
    assert.equal(
      refusal('SINV', DOCUMENT_STATUS.open, 'post', 'F-7'),
      'F-7 is posted; only an invoice that is a draft can be posted',
    );
    assert.equal(
      refusal('SO', DOCUMENT_STATUS.cancelled, 'deliver', 'P-1'),
      'P-1 is cancelled; only an order that is open or partly delivered can be delivered',
    );
    assert.equal(refusal('SDN', DOCUMENT_STATUS.open, 'post', 'A-3'), 'A-3 is open; a delivery note cannot be posted');
  });
});
