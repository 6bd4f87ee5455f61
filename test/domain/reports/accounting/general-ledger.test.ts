/** Pages of the general ledger. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { pageParts } from '../../../../domain/reports/accounting/general-ledger.ts';

describe('pages of the general ledger', () => {
  it('have the row of the opening balance before the lines of each account', () => {
    const accounts = [{ lines: 2 }, { lines: 0 }, { lines: 3 }];
    assert.deepEqual(pageParts(accounts, { offset: 1, limit: 4 }), [
      { account: accounts[0], opening: false, skip: 0, take: 2 },
      { account: accounts[1], opening: true, skip: 0, take: 0 },
      { account: accounts[2], opening: true, skip: 0, take: 0 },
    ]);
    assert.deepEqual(pageParts(accounts, { offset: 6, limit: 4 }), [
      { account: accounts[2], opening: false, skip: 1, take: 2 },
    ]);
    assert.deepEqual(pageParts(accounts, { offset: 8, limit: 4 }), []);
  });

  it('together have each row once, in order', () => {
    const counts = fc.array(fc.nat({ max: 7 }), { maxLength: 6 });
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 9 }), (lines, limit) => {
        const accounts = lines.map((count, index) => ({ lines: count, index }));
        const rows: string[] = [];
        for (
          let offset = 0;
          offset <= accounts.length + lines.reduce((all, count) => all + count, 0);
          offset += limit
        ) {
          const page = pageParts(accounts, { offset, limit }).flatMap(({ account, opening, skip, take }) => [
            ...(opening ? [`${account.index} opening`] : []),
            ...Array.from({ length: take }, (_, line) => `${account.index} ${skip + line}`),
          ]);
          assert.ok(page.length <= limit);
          rows.push(...page);
        }
        const all = accounts.flatMap(({ lines: count, index }) => [
          `${index} opening`,
          ...Array.from({ length: count }, (_, line) => `${index} ${line}`),
        ]);
        assert.deepEqual(rows, all);
      }),
    );
  });
});
