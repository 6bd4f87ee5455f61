import assert from 'node:assert/strict';
import { cancelDocument } from '../../../services/trade/cancel.ts';
import { closeOrder } from '../../../services/trade/close.ts';
import { createDocument } from '../../../services/trade/create.ts';
import { deleteDocument } from '../../../services/trade/delete.ts';
import { postInvoice } from '../../../services/trade/post.ts';
import { sendDocument } from '../../../services/trade/send.ts';
import { updateDocument } from '../../../services/trade/update/update.ts';
import { useCompany } from '../../helpers/hooks.ts';

const any = { ifMatch: null };

describe('events of documents', () => {
  const company = useCompany();
  before(async () => {
    await company.stockUp(company.itemId, 10);
  });

  const create = async (docType: 'SO' | 'SINV') => {
    const { ctx, customerId, itemId } = company;
    const lines = [{ itemId, quantity: 2 }];
    const { id } = await company.run((trx) => createDocument(trx, ctx, docType, { partnerId: customerId, lines }));
    return String(id);
  };
  const told = async (id: string) =>
    (await company.rows('select event, payload from outbox where entity_id = ? order by seq', [id])) as {
      event: string;
      payload: Record<string, unknown>;
    }[];

  it('carry the head of the document as it is then, and besides what changed', async () => {
    const { ctx, run } = company;
    const id = await create('SINV');
    await run((trx) =>
      updateDocument(trx, ctx, id, { notes: 'n', lines: [{ itemId: company.itemId, quantity: 4 }] }, any),
    );
    await run((trx) => postInvoice(trx, ctx, id, any));
    await run((trx) => sendDocument(trx, ctx, id, { ...any, to: 'a@example.test' }));
    await run((trx) => cancelDocument(trx, ctx, id, any));
    const [prefix] = await company.rows(
      `select prefix from series where doc_type = 'SINV' and is_default and not rectifying`,
    );
    const head = {
      document_type: 'sales_invoice',
      document_id: id,
      series: prefix?.prefix,
      number: null,
      partner_id: company.customerId,
      partner_name: 'Café Central',
      total: 6.05,
      currency: 'EUR',
      status: 'D',
      created_by: null,
      created_at: ctx.now.toISOString(),
    };
    const changed = { ...head, total: 12.1 };
    const posted = { ...changed, number: 1, status: 'O' };
    assert.deepEqual(await told(id), [
      { event: 'document.created', payload: head },
      {
        event: 'document.updated',
        payload: {
          ...changed,
          changed_fields: ['subtotal', 'taxTotal', 'total', 'outstanding', 'notes', 'lines', 'taxes'].sort(),
        },
      },
      {
        event: 'document.locked',
        payload: { ...posted, changed_fields: ['status', 'number', 'code', 'postedAt'], previous_status: 'D' },
      },
      { event: 'document.sent', payload: { ...posted, changed_fields: ['sentAt'], to: 'a@example.test' } },
      {
        event: 'document.cancelled',
        payload: { ...posted, status: 'X', changed_fields: ['status', 'cancelledAt'], previous_status: 'O' },
      },
    ]);
  });

  it('tell of what is deleted how it was, and of a closed order what it was before', async () => {
    const { ctx, run } = company;
    const draft = await create('SINV');
    await run((trx) => deleteDocument(trx, ctx, draft, any));
    const deleted = (await told(draft)).at(-1);
    assert.deepEqual(
      {
        event: deleted?.event,
        document_id: deleted?.payload.document_id,
        total: deleted?.payload.total,
        status: deleted?.payload.status,
      },
      { event: 'document.deleted', document_id: draft, total: 6.05, status: 'D' },
    );
    assert.equal(deleted?.payload.changed_fields, undefined);
    const order = await create('SO');
    await run((trx) => closeOrder(trx, ctx, order, any));
    const closed = (await told(order)).at(-1);
    assert.deepEqual(
      {
        event: closed?.event,
        status: closed?.payload.status,
        previous_status: closed?.payload.previous_status,
        changed_fields: closed?.payload.changed_fields,
      },
      { event: 'document.updated', status: 'C', previous_status: 'O', changed_fields: ['status', 'closedAt', 'lines'] },
    );
  });
});
