import assert from 'node:assert/strict';
import { MAX_UNSUMMED } from '../../../services/ledger/accounting/balances/sum-entries.ts';
import { ledger } from '../../../worker/followers/companies.ts';
import { NOW } from '../../helpers/clock.ts';
import { use, useCompany } from '../../helpers/hooks.ts';
import { openLedger } from '../../helpers/ledger.ts';
import { absentTemporal } from '../../helpers/relay.ts';

describe('follow-up work for a company after its events', () => {
  const company = useCompany();
  const accounts = use(() => openLedger(company));
  const enter = async (count: number) => {
    for (let n = 0; n < count; n++) await accounts.enter('2026-03-01', { 430: '1', 700: '-1' });
  };
  const summed = async () => {
    const [row] = await company.rows('select coalesce(sum(debit), 0)::float8 as debit from journal_balances');
    return row?.debit;
  };
  const relay = async () => {
    const { client, close } = absentTemporal();
    await ledger.forCompany?.({ database: company.database, client, now: () => NOW }, company.ctx.tenantId, []);
    await close();
  };

  it('numbers its entries, and sums them when enough wait', async () => {
    await enter(MAX_UNSUMMED - 1);
    await relay();
    assert.equal((await company.rows('select from journal_entries where number is null')).length, 0);
    assert.equal(await summed(), 0);
    await enter(1);
    await relay();
    assert.equal(await summed(), MAX_UNSUMMED);
  });
});
