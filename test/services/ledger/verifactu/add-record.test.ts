import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import pg from 'pg';
import type { Context } from '../../../../db/context.ts';
import { ServiceError } from '../../../../domain/errors.ts';
import { openChainFile } from '../../../../services/ledger/verifactu/chain-file.ts';
import { inheritChain } from '../../../../services/ledger/verifactu/inherit-chain.ts';
import { replaceVerifactuSettings } from '../../../../services/ledger/verifactu/settings.ts';
import { loadVersionedSettings, replaceSettings } from '../../../../services/platform/settings/settings.ts';
import { cancelDocument } from '../../../../services/trade/lifecycle/cancel.ts';
import { createDocument } from '../../../../services/trade/lifecycle/create.ts';
import { postInvoice } from '../../../../services/trade/lifecycle/post.ts';
import { issueInvoice } from '../../../helpers/agency.ts';
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

describe('a chain that goes on where another program has ended', () => {
  const company = useCompany();
  const last = { number: 'A-99', date: '2026-05-31', hash: 'AB'.repeat(32) };
  const issue = () => issueInvoice(company, company.ctx.now);
  const chain = async () => {
    const chunks: Buffer[] = [];
    const output = new Writable({
      write(chunk: Buffer, _, done) {
        chunks.push(chunk);
        done();
      },
    });
    await company.database.snapshot(company.ctx, async (db) => (await openChainFile(db, company.ctx)).write(output));
    return Buffer.concat(chunks)
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  };

  it('names its last record first, and is intact', async () => {
    await assert.rejects(
      company.run((trx) => inheritChain(trx, last)),
      /makes no records/,
    );
    await company.run((trx) => replaceVerifactuSettings(trx, company.ctx, { enabled: true }, null));
    await company.run((trx) => inheritChain(trx, { ...last, number: 'wrong' }));
    const { inherited } = await company.run((trx) => inheritChain(trx, last));
    assert.deepEqual(inherited, { issuer: 'B12345674', ...last });
    await issue();
    await issue();
    const [, first, second, end] = await chain();
    assert.deepEqual(first.previous, inherited);
    assert.equal(second.previous.hash, first.hash);
    assert.deepEqual([end.records, end.isIntact], [2, true]);
    await assert.rejects(
      company.run((trx) => inheritChain(trx, null)),
      /has records of its own/,
    );
  });
});

describe('a chain that was to go on, and begins after all', () => {
  const company = useCompany();

  it('has a first record without one before', async () => {
    await company.run((trx) => replaceVerifactuSettings(trx, company.ctx, { enabled: true }, null));
    await company.run((trx) => inheritChain(trx, { number: 'A-99', date: '2026-05-31', hash: 'AB'.repeat(32) }));
    await company.run((trx) => inheritChain(trx, null));
    await issueInvoice(company, company.ctx.now);
    const [record] = await company.rows('select previous from verifactu_records', []);
    assert.equal(record?.previous, null);
  });
});
