import assert from 'node:assert/strict';
import type { Context } from '../../../../db/context.ts';
import type { ServiceError } from '../../../../domain/errors.ts';
import { loadSettings, replaceSettings } from '../../../../services/platform/settings/settings.ts';
import type { DocumentAnswer } from '../../../../services/trade/documents/to-json.ts';
import { cancelDocument } from '../../../../services/trade/lifecycle/cancel.ts';
import { closeOrder } from '../../../../services/trade/lifecycle/close.ts';
import { createDocument } from '../../../../services/trade/lifecycle/create.ts';
import { createFollowUp } from '../../../../services/trade/lifecycle/create-follow-up.ts';
import { deleteDocument } from '../../../../services/trade/lifecycle/delete.ts';
import { duplicateDocument } from '../../../../services/trade/lifecycle/duplicate.ts';
import { lockDocument, lockIfDue, unlockDocument } from '../../../../services/trade/lifecycle/lock.ts';
import { postInvoice } from '../../../../services/trade/lifecycle/post.ts';
import { sendDocument } from '../../../../services/trade/lifecycle/send.ts';
import { updateDocument } from '../../../../services/trade/lifecycle/update/update.ts';
import { useCompany } from '../../../helpers/hooks.ts';
import { received } from '../../../helpers/receivables.ts';

const ANY = { ifMatch: null };
/** In Madrid the day of the company's clock, 15 June, ends at this time. */
const END_OF_DAY = '2026-06-15T22:00:00.000Z';

describe('locks of documents', () => {
  const company = useCompany();
  before(() => company.stockUp(company.itemId, 1000));

  const at = (time: string): Context => ({ ...company.ctx, now: new Date(time) });
  const create = (docType: 'SO' | 'SDN' | 'SINV' | 'PDN', more: object = {}) => {
    const { ctx, customerId, supplierId, itemId } = company;
    const partnerId = docType === 'PDN' ? supplierId : customerId;
    return company.run((trx) =>
      createDocument(trx, ctx, docType, { partnerId, lines: [{ itemId, quantity: 3, price: 5, ...more }] }),
    );
  };
  const lock = (id: string, when: 'now' | 'end_of_day' = 'now', ctx: Context = company.ctx) =>
    company.run((trx) => lockDocument(trx, ctx, id, when, ANY));
  const unlock = (id: string) => company.run((trx) => unlockDocument(trx, company.ctx, id, ANY));
  const due = (id: string, ctx: Context) => company.run((trx) => lockIfDue(trx, ctx, id));
  const refused = (work: Promise<unknown>) =>
    assert.rejects(
      work,
      (error: ServiceError) => error.code === 'document_locked' && /is locked and/.test(error.message),
    );
  const events = async (id: string) =>
    (
      await company.rows(
        `select event, payload -> 'changed_fields' as fields from outbox where entity_id = ? order by seq`,
        [id],
      )
    ).map(({ event, fields }) => `${event} ${JSON.stringify(fields)}`);
  const times = ({ lockedAt, lockDueAt }: Pick<DocumentAnswer, 'lockedAt' | 'lockDueAt'>) => [lockedAt, lockDueAt];

  it('hold at once, with one event, and however often they are set', async () => {
    const { id } = await create('SO');
    const locked = await lock(id);
    assert.deepEqual(times(locked), [company.ctx.now.toISOString(), null]);
    assert.deepEqual(await lock(id), locked);
    assert.deepEqual(await lock(id, 'end_of_day'), locked);
    assert.deepEqual((await events(id)).slice(1), ['document.locked ["lockedAt"]']);
  });

  it('refuse to change, close, cancel and delete', async () => {
    const { run, ctx } = company;
    const [order, draft, receipt] = [await create('SO'), await create('SINV'), await create('PDN')];
    for (const { id } of [order, draft, receipt]) await lock(id);
    const lines = [{ itemId: company.itemId, quantity: 4 }];
    for (const patch of [{ notes: 'n' }, { tags: ['t'] }, { internalNotes: 'i' }, { lines }])
      await refused(run((trx) => updateDocument(trx, ctx, draft.id, patch, ANY)));
    await refused(run((trx) => closeOrder(trx, ctx, order.id, ANY)));
    await refused(run((trx) => cancelDocument(trx, ctx, order.id, ANY)));
    await refused(run((trx) => deleteDocument(trx, ctx, draft.id, ANY)));
    await refused(run((trx) => deleteDocument(trx, ctx, receipt.id, ANY)));
  });

  it('take a document that is sent back as it is', async () => {
    const { id, lines } = await create('SINV');
    const { version } = await lock(id);
    const patch = { reference: null, lines: lines.map((line) => ({ id: line.id, quantity: line.quantity })) } as object;
    const same = await company.run((trx) => updateDocument(trx, company.ctx, id, patch, ANY));
    assert.equal(same.version, version);
  });

  it('let go on what follows: deliveries, posting, payments, mails, copies', async () => {
    const { run, ctx } = company;
    const [order, draft] = [await create('SO'), await create('SINV')];
    for (const { id } of [order, draft]) await lock(id);
    await run((trx) => createFollowUp(trx, ctx, order.id, 'deliver', {}, { ...ANY, docType: 'SO' }));
    await run((trx) => duplicateDocument(trx, ctx, order.id, ANY));
    const posted = await run((trx) => postInvoice(trx, ctx, draft.id, ANY));
    await received(company, Number(posted.total), {
      linked_documents: [{ document_type: 'SINV', document_id: draft.id }],
    });
    await run((trx) => sendDocument(trx, ctx, draft.id, { ...ANY, to: 'a@example.test' }));
    const states = await company.rows('select status, locked_at is null as free from documents where id = any(?)', [
      [order.id, draft.id],
    ]);
    assert.deepEqual(states, [
      { status: 'C', free: false },
      { status: 'C', free: false },
    ]);
  });

  it('begin when the day of the company ends, also before anybody has noted it', async () => {
    const { run } = company;
    const note = await create('SDN');
    assert.deepEqual(times(await lock(note.id, 'end_of_day')), [null, END_OF_DAY]);
    assert.deepEqual(times(await lock(note.id, 'end_of_day', at('2026-06-15T21:00:00Z'))), [null, END_OF_DAY]);
    const tagged = (ctx: Context) => run((trx) => updateDocument(trx, ctx, note.id, { internalNotes: 'late' }, ANY));
    await tagged(at('2026-06-15T21:59:59.999Z'));
    await refused(run((trx) => cancelDocument(trx, at(END_OF_DAY), note.id, ANY)));
    assert.equal(await due(note.id, at('2026-06-15T21:59:59Z')), END_OF_DAY);
    assert.equal(await due(note.id, at('2026-06-16T05:00:00Z')), null);
    assert.equal(await due(note.id, at('2026-06-16T05:00:00Z')), null);
    const [row] = await company.rows('select locked_at, lock_due_at from documents where id = ?', [note.id]);
    assert.deepEqual([new Date(String(row?.locked_at)).toISOString(), row?.lock_due_at], [END_OF_DAY, null]);
    assert.deepEqual((await events(note.id)).slice(1), [
      'document.updated ["lockDueAt"]',
      'document.updated ["internalNotes"]',
      'document.locked ["lockedAt","lockDueAt"]',
    ]);
  });

  it('take the day of the zone, also when the clocks change', async () => {
    const ends = async (now: string) => (await lock((await create('SO')).id, 'end_of_day', at(now))).lockDueAt;
    assert.equal(await ends('2026-06-15T22:30:00Z'), '2026-06-16T22:00:00.000Z');
    assert.equal(await ends('2026-10-24T22:30:00Z'), '2026-10-25T23:00:00.000Z');
    assert.equal(await ends('2027-03-27T23:30:00Z'), '2027-03-28T22:00:00.000Z');
    await company.run(async (trx) => {
      const format = await loadSettings(trx, 'format');
      await replaceSettings(trx, company.ctx, 'format', { ...format, timezone: 'America/New_York' }, null);
    });
    assert.equal(await ends('2026-06-16T03:59:00Z'), '2026-06-16T04:00:00.000Z');
  });

  it('end by hand, and are not due any more', async () => {
    const [locked, waiting] = [await create('SO'), await create('SO')];
    await lock(locked.id);
    await lock(waiting.id, 'end_of_day');
    for (const { id } of [locked, waiting]) assert.deepEqual(times(await unlock(id)), [null, null]);
    assert.equal((await unlock(locked.id)).version, 3);
    assert.equal(await due(waiting.id, at('2026-07-01T00:00:00Z')), null);
    await company.run((trx) => cancelDocument(trx, company.ctx, locked.id, ANY));
    await assert.rejects(lock(locked.id), { code: 'invalid_transition' });
  });

  it('are not due any more for what is cancelled or deleted', async () => {
    const [order, draft] = [await create('SO'), await create('SINV')];
    for (const { id } of [order, draft]) await lock(id, 'end_of_day');
    const cancelled = await company.run((trx) => cancelDocument(trx, company.ctx, order.id, ANY));
    assert.deepEqual(times(cancelled), [null, null]);
    await company.run((trx) => deleteDocument(trx, company.ctx, draft.id, ANY));
    for (const { id } of [order, draft]) assert.equal(await due(id, at('2026-07-01T00:00:00Z')), null);
  });
});
