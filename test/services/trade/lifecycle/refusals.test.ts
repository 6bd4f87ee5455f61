import assert from 'node:assert/strict';
import { newId } from '../../../../db/ids.ts';
import { ServiceError } from '../../../../domain/errors.ts';
import type { DocType } from '../../../../domain/trade/documents/types.ts';
import type { DocumentInput } from '../../../../services/trade/documents/schemas.ts';
import { cancelDocument } from '../../../../services/trade/lifecycle/cancel.ts';
import { createDocument } from '../../../../services/trade/lifecycle/create.ts';
import { postInvoice } from '../../../../services/trade/lifecycle/post.ts';
import { useCompany, useOtherCompany } from '../../../helpers/hooks.ts';

const any = { ifMatch: null };

describe('documents that are refused', () => {
  const company = useCompany();
  const other = useOtherCompany(company);
  before(async () => {
    await company.stockUp(company.itemId, 1000, '2026-01-02');
  });

  const create = (docType: DocType, input: DocumentInput) =>
    company.run((trx) => createDocument(trx, company.ctx, docType, input));
  const sale = (changes: Partial<DocumentInput> = {}): DocumentInput => ({
    partnerId: company.customerId,
    lines: [{ itemId: company.itemId, quantity: 1 }],
    ...changes,
  });

  /** Expects a refusal and that nothing at all was written. */
  async function refused(work: () => Promise<unknown>, code: string, ...pointers: string[]): Promise<void> {
    const count = async () =>
      company.rows(
        'select (select count(*) from documents)::int d, (select count(*) from outbox)::int o, (select sum(on_hand) from stock_levels) s',
      );
    const before = await count();
    await assert.rejects(work(), (error: unknown) => {
      assert.ok(error instanceof ServiceError, String(error));
      assert.equal(error.code, code, error.message);
      for (const pointer of pointers)
        assert.ok(
          error.errors.some((fault) => fault.pointer === pointer),
          `${pointer} in ${JSON.stringify(error.errors)}`,
        );
      return true;
    });
    assert.deepEqual(await count(), before);
  }

  it('references that do not exist, or belong to another company', async () => {
    for (const id of [newId(), other.customerId])
      await refused(() => create('SO', sale({ partnerId: id })), 'validation_failed', '/partnerId');
    for (const id of [newId(), other.itemId])
      await refused(
        () => create('SO', sale({ lines: [{ itemId: id, quantity: 1 }] })),
        'validation_failed',
        '/lines/0/itemId',
      );
    for (const id of [newId(), other.taxId]) {
      await refused(
        () => create('SO', sale({ lines: [{ itemId: company.itemId, quantity: 1, taxGroupId: id }] })),
        'validation_failed',
        '/lines/0/taxGroupId',
      );
    }
    for (const id of [newId(), other.warehouseId])
      await refused(() => create('SO', sale({ warehouseId: id })), 'validation_failed', '/warehouseId');
    await refused(() => create('SO', sale({ seriesId: newId() })), 'validation_failed', '/seriesId');
    await refused(() => create('SO', sale({ periodId: newId() })), 'validation_failed', '/periodId');
    await refused(
      () => create('SDN', sale({ lines: [{ baseId: newId(), quantity: 1 }] })),
      'validation_failed',
      '/lines/0/baseId',
    );
  });

  it('a document of another company as base', async () => {
    await other.stockUp(other.itemId, 5);
    const foreign = await other.run((trx) =>
      createDocument(trx, other.ctx, 'SO', {
        partnerId: other.customerId,
        lines: [{ itemId: other.itemId, quantity: 1 }],
      }),
    );
    await refused(
      () => create('SDN', sale({ lines: [{ baseId: String(foreign.id), quantity: 1 }] })),
      'validation_failed',
      '/lines/0/baseId',
    );
    await refused(() => company.run((trx) => cancelDocument(trx, company.ctx, String(foreign.id), any)), 'not_found');
  });

  it('a supplier as customer, and the other way round', async () => {
    await refused(() => create('SO', sale({ partnerId: company.supplierId })), 'validation_failed', '/partnerId');
    await refused(() => create('PO', sale()), 'validation_failed', '/partnerId');
  });

  it('several faults are told together', async () => {
    await refused(
      () => create('SO', sale({ lines: [{ quantity: 1 }, { itemId: newId(), quantity: 1.234 }] })),
      'validation_failed',
      '/lines/0/itemId',
      '/lines/1/itemId',
      '/lines/1/quantity',
    );
  });

  it('dates without a period, and outside the one named', async () => {
    await refused(() => create('SO', sale({ date: '2031-01-01' })), 'validation_failed', '/date');
    const [january] = await company.rows(`select id from periods where '2026-01-15' between "from" and "to"`);
    await refused(
      () => create('SO', sale({ date: '2026-03-01', periodId: String(january?.id) })),
      'validation_failed',
      '/date',
    );
    await refused(
      () => create('SO', sale({ date: '2026-03-01', dueDate: '2026-02-01' })),
      'validation_failed',
      '/dueDate',
    );
  });

  it('bases of the wrong type, of another partner, or cancelled', async () => {
    const order = await create('SO', sale());
    await refused(
      () => create('PDN', { partnerId: company.supplierId, lines: [{ baseId: String(order.id), quantity: 1 }] }),
      'validation_failed',
      '/lines/0/baseId',
    );
    await refused(
      () => create('SDN', sale({ lines: [{ baseType: 'PO', baseId: String(order.id), quantity: 1 }] })),
      'validation_failed',
      '/lines/0/baseType',
    );
    await refused(
      () => create('SDN', sale({ lines: [{ baseId: String(order.id), baseLineId: newId(), quantity: 1 }] })),
      'validation_failed',
      '/lines/0/baseLineId',
    );
    const second = await company.item();
    await refused(
      () => create('SDN', sale({ lines: [{ baseId: String(order.id), itemId: second.id, quantity: 1 }] })),
      'validation_failed',
      '/lines/0/itemId',
    );
    await company.run((trx) => cancelDocument(trx, company.ctx, String(order.id), any));
    await refused(
      () => create('SDN', sale({ lines: [{ baseId: String(order.id), quantity: 1 }] })),
      'validation_failed',
      '/lines/0/baseId',
    );
  });

  it('amounts beyond what can be stored', async () => {
    await refused(
      () => create('SO', sale({ lines: [{ itemId: company.itemId, quantity: 999_999_999_999, price: 999_999 }] })),
      'validation_failed',
      '/lines/0/quantity',
    );
  });

  it('anything dated into a closed period', async () => {
    const draft = await create('SINV', sale({ date: '2026-02-10' }));
    const order = await create('SO', sale({ date: '2026-02-10' }));
    await company.run((trx) => trx('periods').whereRaw(`'2026-02-10' between "from" and "to"`).update({ status: 'C' }));
    await refused(() => create('SO', sale({ date: '2026-02-11' })), 'period_closed');
    await refused(() => company.run((trx) => postInvoice(trx, company.ctx, String(draft.id), any)), 'period_closed');
    await refused(() => company.run((trx) => cancelDocument(trx, company.ctx, String(order.id), any)), 'period_closed');
    await company.run((trx) => trx('periods').update({ status: 'O' }));
    await company.run((trx) => postInvoice(trx, company.ctx, String(draft.id), any));
  });

  it('over-invoicing a note, also when its invoice is only a draft', async () => {
    const note = await create('SDN', sale({ lines: [{ itemId: company.itemId, quantity: 3 }] }));
    await create('SINV', sale({ lines: [{ baseId: String(note.id), quantity: 2 }] }));
    await refused(
      () => create('SINV', sale({ lines: [{ baseId: String(note.id), quantity: 2 }] })),
      'over_invoicing',
      '/lines/0/quantity',
    );
  });
});
