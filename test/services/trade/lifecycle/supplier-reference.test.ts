import assert from 'node:assert/strict';
import { Partner, PartnerGroup } from '../../../../db/models/records/master-data.ts';
import { insertRow } from '../../../../db/write.ts';
import type { ServiceError } from '../../../../domain/errors.ts';
import type { DocumentInput, DocumentPatch } from '../../../../services/trade/documents/schemas.ts';
import { duplicateDocument } from '../../../../services/trade/lifecycle/duplicate.ts';
import { updateDocument } from '../../../../services/trade/lifecycle/update/update.ts';
import { type Doc, useTrade } from './follow-helpers.ts';

const AT = '/supplierReference';

describe("the supplier's number of an invoice", () => {
  let otherSupplierId: string;
  const trade = useTrade();
  before(async () => {
    const { company } = trade;
    otherSupplierId = await company.run(async (trx) => {
      const group = await PartnerGroup.query(trx).findOne({ is_vendor: true }).throwIfNotFound();
      return (
        await insertRow(trx, company.ctx, Partner, { code: 'P2', name: 'Otro', groupId: group.id, countryCode: 'ES' })
      ).id;
    });
  });

  const lines = () => [{ itemId: trade.company.itemId, quantity: 1 }];
  const enter = (supplierReference: string, more: Partial<DocumentInput> = {}) =>
    trade.create('PINV', { supplierReference, lines: lines(), ...more });
  const change = ({ id }: Doc, patch: DocumentPatch) =>
    trade.company.run((trx) => updateDocument(trx, trade.company.ctx, id, patch, { ifMatch: null }));

  it('is entered once, drafts included, whatever its case and blanks; the refusal names the other', async () => {
    const posted = await trade.post(await enter('F-1'));
    await trade.refused(() => enter('F-1'), 'duplicate', AT);
    await assert.rejects(enter(' f-1'), ({ message, errors }: ServiceError) => {
      assert.match(message, new RegExp(`^${posted.code} is the invoice`));
      assert.match(errors[0]?.message ?? '', new RegExp(String(posted.code)));
      return true;
    });
    await enter('F-2');
    await assert.rejects(enter('F-2'), /the draft of 2026-06-15 is the invoice F-2 of Huerta del Sur/);
    await enter('F-1', { partnerId: otherSupplierId });
  });

  it('is free again when the invoice is cancelled', async () => {
    await trade.cancel(await enter('F-3'));
    await trade.cancel(await trade.post(await enter('F-3')));
    await enter('F-3');
  });

  it('does not matter on orders and notes, and nothing is no number', async () => {
    for (const docType of ['PO', 'PDN'] as const) {
      for (let time = 0; time < 2; time++) await trade.create(docType, { supplierReference: 'S-1', lines: lines() });
    }
    await enter('S-1');
    for (let time = 0; time < 2; time++) await trade.create('PINV', { lines: lines() });
  });

  it('is not taken by a change either, of itself or of the supplier', async () => {
    const one = await enter('F-4');
    const two = await enter('F-5');
    await trade.refused(() => change(two, { supplierReference: 'F-4' }), 'duplicate', AT);
    const foreign = await enter('F-4', { partnerId: otherSupplierId });
    await trade.refused(() => change(foreign, { partnerId: trade.company.supplierId }), 'duplicate', AT);
    await change(one, { supplierReference: 'f-4' });
    await change(two, { supplierReference: null });
    await enter('F-5');
  });

  it('is not that of a rectifying invoice either', async () => {
    const invoice = await trade.post(await enter('F-6'));
    const rectify = (supplierReference: string) => trade.follow(invoice, 'rectify', { reason: 'x', supplierReference });
    await trade.refused(() => rectify('F-6'), 'duplicate', AT);
    await rectify('A-6');
    await trade.refused(() => enter('A-6'), 'duplicate', AT);
  });

  it('comes with invoices of notes, and stays with the original when that is duplicated', async () => {
    const notes = [];
    for (let note = 0; note < 3; note++) notes.push(await trade.create('PDN', { lines: lines() }));
    const [first, ...rest] = notes as [Doc, Doc, Doc];
    const invoice = await trade.follow(first, 'invoice', { supplierReference: 'F-7' });
    await trade.refused(
      () =>
        trade.fromNotes(
          'PINV',
          rest.map(({ id }) => id),
          { supplierReference: 'F-7' },
        ),
      'duplicate',
      AT,
    );
    await trade.fromNotes(
      'PINV',
      rest.map(({ id }) => id),
      { supplierReference: 'F-8' },
    );
    const { company } = trade;
    const like = await company.run((trx) => duplicateDocument(trx, company.ctx, invoice.id, { ifMatch: null }));
    assert.equal(like.supplierReference, null);
  });

  it('of many at once is entered by one; the others are told whose it is', async () => {
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => enter('F-9')));
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const result of results) {
      if (result.status === 'fulfilled') continue;
      const { code, message, errors } = result.reason as ServiceError;
      assert.deepEqual([code, errors[0]?.pointer], ['duplicate', AT]);
      assert.match(message, /the draft of 2026-06-15 is the invoice F-9/);
    }
    const drafts = [await enter('F-10'), await enter('F-11'), await enter('F-12')];
    const changes = await Promise.allSettled(drafts.map((draft) => change(draft, { supplierReference: 'F-13' })));
    assert.equal(changes.filter(({ status }) => status === 'fulfilled').length, 1);
  });
});
