/** Goods whose cost changes after they came: some are elsewhere by then, some were sold before they came. */
import { Warehouse } from '../../db/models/records/master-data.ts';
import { insertRow } from '../../db/write.ts';
import type { DocType } from '../../domain/trade/documents/types.ts';
import type { DocumentInput } from '../../services/trade/documents/schemas.ts';
import { createDocument } from '../../services/trade/lifecycle/create.ts';
import { postInvoice } from '../../services/trade/lifecycle/post.ts';
import { transferStock } from '../../services/trade/stock/operations/transfer.ts';
import type { TestCompany } from './company.ts';

/** A second warehouse. @returns its id */
export async function secondWarehouse({ ctx, run }: Pick<TestCompany, 'ctx' | 'run'>): Promise<string> {
  const { id } = await run((trx) => insertRow(trx, ctx, Warehouse, { code: 'W2', name: 'Second' }));
  return id;
}

/** Buys goods by a note, moves some to another warehouse, sells one of each, and posts the invoice of the note at a higher price. */
export async function changeCosts(company: TestCompany): Promise<void> {
  const { ctx, customerId, supplierId, warehouseId, run } = company;
  const create = (docType: DocType, input: Partial<DocumentInput> & Pick<DocumentInput, 'lines'>) => {
    const partnerId = docType.startsWith('P') ? supplierId : customerId;
    return run((trx) => createDocument(trx, ctx, docType, { partnerId, ...input }));
  };
  const { id: itemId } = await company.item();
  const toWarehouseId = await secondWarehouse(company);
  const note = await create('PDN', { lines: [{ itemId, quantity: 6, price: 2 }] });
  await run((trx) => transferStock(trx, ctx, { warehouseId, toWarehouseId, lines: [{ itemId, quantity: 3 }] }));
  for (const place of [warehouseId, toWarehouseId]) {
    await create('SDN', { lines: [{ itemId, quantity: 1, price: 9, warehouseId: place }] });
  }
  const invoice = await create('PINV', {
    supplierReference: 'MORE',
    lines: [{ baseId: note.id, quantity: 6, price: 3 }],
  });
  await run((trx) => postInvoice(trx, ctx, invoice.id, { ifMatch: null }));
}
