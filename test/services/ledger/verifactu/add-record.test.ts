import assert from 'node:assert/strict';
import pg from 'pg';
import type { Context } from '../../../../db/context.ts';
import { ServiceError } from '../../../../domain/errors.ts';
import { replaceVerifactuSettings } from '../../../../services/ledger/verifactu/settings.ts';
import { loadVersionedSettings, replaceSettings } from '../../../../services/platform/settings/settings.ts';
import { cancelDocument } from '../../../../services/trade/lifecycle/cancel.ts';
import { createDocument } from '../../../../services/trade/lifecycle/create.ts';
import { postInvoice } from '../../../../services/trade/lifecycle/post.ts';
import { useCompany } from '../../../helpers/hooks.ts';

const any = { ifMatch: null };

describe('the chain of records', () => {
  const company = useCompany();

  const at = (seconds: number): Context => ({
    ...company.ctx,
    now: new Date(company.ctx.now.getTime() + seconds * 1000),
  });
  const name = (taxId: string) =>
    company.run(async (trx) => {
      const { value } = await loadVersionedSettings(trx, 'company');
      await replaceSettings(trx, company.ctx, 'company', { ...value, name: 'Almacenes Prueba SL', taxId });
    });
  const turnOn = () => company.run((trx) => replaceVerifactuSettings(trx, company.ctx, { enabled: true }, null));
  const draft = async () => {
    const lines = [{ description: 'Portes', quantity: 1, price: 10, taxGroupId: company.taxId }];
    const made = await company.run((trx) =>
      createDocument(trx, company.ctx, 'SINV', { partnerId: company.customerId, lines }),
    );
    return String(made.id);
  };
  const issue = async (ctx: Context) => {
    const id = await draft();
    await company.run((trx) => postInvoice(trx, ctx, id, any));
    return id;
  };
  const records = () =>
    company.rows(
      `select c.issuer, r.seq, r.kind, r.generated_text, extract(epoch from r.generated_at)::int - ?::int as seconds
       from verifactu_records r join verifactu_chains c on c.id = r.chain_id order by r.id`,
      [Math.floor(company.ctx.now.getTime() / 1000)],
    );

  before(turnOn);

  it('has times that never go back, though a clock does', async () => {
    await issue(at(60));
    const second = await issue(at(-30));
    await company.run((trx) => cancelDocument(trx, at(61), second, any));
    const made = await records();
    assert.deepEqual(
      made.map(({ seq, kind, seconds }) => [seq, kind, seconds]),
      [
        [1, 'registration', 60],
        [2, 'registration', 60],
        [3, 'annulment', 61],
      ],
    );
    assert.equal(made[0]?.generated_text, made[1]?.generated_text);
  });

  it('ends with the tax id, and another one begins when the company wants it', async () => {
    await name('A58818501');
    const refused = await draft();
    await assert.rejects(
      company.run((trx) => postInvoice(trx, company.ctx, refused, any)),
      (error) =>
        error instanceof ServiceError &&
        error.code === 'validation_failed' &&
        /tax id of the company/.test(error.message),
    );
    await turnOn();
    await company.run((trx) => postInvoice(trx, company.ctx, refused, any));
    assert.deepEqual(
      (await records()).map(({ issuer, seq }) => [issuer, seq]),
      [
        ['B12345674', 1],
        ['B12345674', 2],
        ['B12345674', 3],
        ['A58818501', 1],
      ],
    );
  });

  it('keeps its records, even from the owner of the database', async () => {
    const owner = new pg.Client({ connectionString: company.url });
    await owner.connect();
    try {
      for (const change of ["update verifactu_records set hash = 'X'", 'delete from verifactu_records'])
        await assert.rejects(owner.query(change), /never changed or deleted/);
    } finally {
      await owner.end();
    }
  });
});
