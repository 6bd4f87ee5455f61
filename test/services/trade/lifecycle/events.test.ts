import assert from 'node:assert/strict';
import { cancelDocument } from '../../../../services/trade/lifecycle/cancel.ts';
import { closeOrder } from '../../../../services/trade/lifecycle/close.ts';
import { createDocument } from '../../../../services/trade/lifecycle/create.ts';
import { deleteDocument } from '../../../../services/trade/lifecycle/delete.ts';
import { postInvoice } from '../../../../services/trade/lifecycle/post.ts';
import { sendDocument } from '../../../../services/trade/lifecycle/send.ts';
import { updateDocument } from '../../../../services/trade/lifecycle/update/update.ts';
import { useCompany } from '../../../helpers/hooks.ts';
import { deliverMails } from '../../../helpers/mails.ts';

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

  it('tell the project and the cost center of the document', async () => {
    const { ctx, customerId: partnerId, itemId, run } = company;
    const [project] = await company.rows(
      `insert into projects (id, tenant_id, code, name, active, version, created_at, updated_at)
       values (gen_random_uuid(), ?, 'OBRA', 'Obra', true, 1, now(), now()) returning id`,
      [company.ctx.tenantId],
    );
    const projectId = String((project as { id: string }).id);
    const input = { partnerId, projectId, lines: [{ itemId, quantity: 1 }] };
    const { id } = await run((trx) => createDocument(trx, ctx, 'SO', input));
    const [created] = await told(String(id));
    assert.deepEqual([created?.payload.project_id, created?.payload.cost_center_id], [projectId, null]);
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

  describe('of an invoice, from its draft to its cancellation,', () => {
    let heard: Awaited<ReturnType<typeof told>>;
    let head: Record<string, unknown>;
    before(async () => {
      const { ctx, run } = company;
      const id = await create('SINV');
      const lines = [{ itemId: company.itemId, quantity: 4 }];
      await run((trx) => updateDocument(trx, ctx, id, { notes: 'n', lines }, any));
      await run((trx) => postInvoice(trx, ctx, id, any));
      await run((trx) =>
        sendDocument(trx, ctx, id, { ...any, to: 'a@example.test', subject: 'Factura', body: 'Hola' }),
      );
      await deliverMails(company, ctx.now);
      await run((trx) => cancelDocument(trx, ctx, id, any));
      heard = await told(id);
      const [prefix] = await company.rows(
        `select prefix from series where doc_type = 'SINV' and is_default and not rectifying`,
      );
      head = {
        document_type: 'sales_invoice',
        document_id: id,
        series: prefix?.prefix,
        number: null,
        partner_id: company.customerId,
        partner_name: 'Café Central',
        project_id: null,
        cost_center_id: null,
        total: 6.05,
        currency: 'EUR',
        status: 'D',
        created_by: null,
        created_at: ctx.now.toISOString(),
      };
    });
    const payloads = (event: string) => heard.filter((one) => one.event === event).map(({ payload }) => payload);

    it('are one for each change, in order', () => {
      assert.deepEqual(
        heard.map(({ event }) => event),
        ['document.created', 'document.updated', 'document.locked', 'document.sent', 'document.cancelled'],
      );
    });

    it('carry the head of the document', () => {
      assert.deepEqual(payloads('document.created'), [head]);
    });

    it('carry the head as it is then, and besides what changed', () => {
      const changed = ['subtotal', 'taxTotal', 'total', 'outstanding', 'instalments', 'notes', 'lines', 'taxes'];
      assert.deepEqual(payloads('document.updated'), [{ ...head, total: 12.1, changed_fields: changed.sort() }]);
    });

    it('carry the status of before where it changed', () => {
      const posted = { ...head, total: 12.1, number: 1, status: 'O' };
      assert.deepEqual(payloads('document.locked'), [
        { ...posted, changed_fields: ['status', 'number', 'code', 'postedAt'], previous_status: 'D' },
      ]);
      assert.deepEqual(payloads('document.cancelled'), [
        { ...posted, status: 'X', changed_fields: ['status', 'cancelledAt'], previous_status: 'O' },
      ]);
    });

    it('carry to whom it was sent', () => {
      const posted = { ...head, total: 12.1, number: 1, status: 'O' };
      const mail = { to: 'a@example.test', subject: 'Factura', body: 'Hola' };
      assert.deepEqual(payloads('document.sent'), [{ ...posted, changed_fields: ['sentAt'], ...mail }]);
    });
  });
});
