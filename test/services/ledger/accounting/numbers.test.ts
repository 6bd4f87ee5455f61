import assert from 'node:assert/strict';
import { numberEntries } from '../../../../services/ledger/accounting/numbers.ts';
import { createDocument } from '../../../../services/trade/lifecycle/create.ts';
import { postInvoice } from '../../../../services/trade/lifecycle/post.ts';
import { useCompany } from '../../../helpers/hooks.ts';

describe('numbers of entries', () => {
  const company = useCompany();

  const draft = async (date: string) => {
    const { ctx, customerId, taxId } = company;
    const lines = [{ description: 'Portes', quantity: 1, price: 5, taxGroupId: taxId }];
    const made = await company.run((trx) => createDocument(trx, ctx, 'SINV', { partnerId: customerId, date, lines }));
    return String(made.id);
  };
  const post = (id: string) => company.run((trx) => postInvoice(trx, company.ctx, id, { ifMatch: null }));
  const number = () => company.run((trx) => numberEntries(trx, company.ctx));
  const numbers = () =>
    company.rows(`select number, to_char(date, 'YYYY-MM-DD') as date from journal_entries order by number nulls last`);

  it('are assigned after posting, by date', async () => {
    for (const date of ['2026-03-03', '2026-03-01', '2026-03-02']) await post(await draft(date));
    assert.deepEqual(
      (await numbers()).map((row) => row.number),
      [null, null, null],
    );
    assert.equal((await number()).numbered, 3);
    await post(await draft('2026-01-01'));
    assert.equal((await number()).numbered, 1);
    assert.equal((await number()).numbered, 0);
    assert.deepEqual(await numbers(), [
      { number: 1, date: '2026-03-01' },
      { number: 2, date: '2026-03-02' },
      { number: 3, date: '2026-03-03' },
      { number: 4, date: '2026-01-01' },
    ]);
  });

  it('have no gaps or repeats when assigned concurrently while invoices are posted', async () => {
    const drafts = [];
    for (let index = 0; index < 30; index++) drafts.push(await draft('2026-04-01'));
    const numbering = Array.from({ length: 10 }, async () => {
      for (let round = 0; round < 5; round++) await number();
    });
    await Promise.all([...drafts.map(post), ...numbering]);
    await number();
    assert.deepEqual(
      (await numbers()).map((row) => row.number),
      Array.from({ length: 34 }, (_, index) => index + 1),
    );
  });
});
