import assert from 'node:assert/strict';
import { Account, Period } from '../../../../db/models/records/master-data.ts';
import { patchRow } from '../../../../db/write.ts';
import { type EntryLine, entryLine } from '../../../../domain/ledger/accounting/entries.ts';
import type { Decimal } from '../../../../domain/money.ts';
import { writeEntry, writeReversal } from '../../../../services/ledger/accounting/write-entry.ts';
import { useCompany } from '../../../helpers/hooks.ts';

describe('entry of an event', () => {
  let bank: string;
  let customers: string;
  let periodId: string;
  const company = useCompany();
  before(async () => {
    const account = async (code: string) => {
      const { id } = await company.run(async (trx) => await Account.query(trx).findOne({ code }).throwIfNotFound());
      return id;
    };
    [bank, customers] = [await account('572'), await account('430')];
    const period = await company.run(
      async (trx) => await Period.query(trx).findOne({ code: '2026-06' }).throwIfNotFound(),
    );
    periodId = period.id;
  });

  const entry = (lines: readonly EntryLine[], date = '2026-06-10') => ({
    date,
    periodId,
    area: 'general' as const,
    description: 'Cobro',
    sourceType: null,
    sourceId: null,
    lines,
  });
  const receipt = (amount: Decimal) => [
    entryLine('debit', bank, amount),
    entryLine('credit', customers, amount, { partnerId: company.customerId, description: 'Factura 1' }),
  ];
  const entryLines = (id: string) =>
    company.rows(
      `select account_id, debit::float8, credit::float8, partner_id, description from journal_lines where entry_id = ?
        order by line_number`,
      [id],
    );

  it('has its lines in order, and is reversed once', async () => {
    const { ctx } = company;
    const id = await company.run((trx) => writeEntry(trx, ctx, entry(receipt('12.34'))));
    const partner = { partner_id: company.customerId, description: 'Factura 1' };
    const nobody = { partner_id: null, description: null };
    assert.deepEqual(await entryLines(id), [
      { account_id: bank, debit: 12.34, credit: 0, ...nobody },
      { account_id: customers, debit: 0, credit: 12.34, ...partner },
    ]);
    const on = { date: '2026-06-11', periodId, area: 'general' } as const;
    const reversal = await company.run((trx) => writeReversal(trx, ctx, id, on));
    assert.deepEqual(await entryLines(reversal), [
      { account_id: bank, debit: 0, credit: 12.34, ...nobody },
      { account_id: customers, debit: 12.34, credit: 0, ...partner },
    ]);
    await assert.rejects(
      company.run((trx) => writeReversal(trx, ctx, id, on)),
      { code: 'duplicate' },
    );
  });

  it('is rejected when it does not balance, or its period has been closed', async () => {
    const { ctx } = company;
    const unbalanced = [...receipt('1'), entryLine('debit', bank, '0.01')];
    await assert.rejects(
      company.run((trx) => writeEntry(trx, ctx, entry(unbalanced))),
      /does not balance/,
    );
    const closed = await company.run(async (trx) => {
      const may = await Period.query(trx).findOne({ code: '2026-05' }).throwIfNotFound();
      return await patchRow(trx, ctx, Period, may, { status: 'C' });
    });
    const late = { ...entry(receipt('1'), '2026-05-10'), periodId: closed.id };
    await assert.rejects(
      company.run((trx) => writeEntry(trx, ctx, late)),
      { code: 'period_closed' },
    );
  });
});
