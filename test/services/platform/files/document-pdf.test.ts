import assert from 'node:assert/strict';
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { CustomField } from '../../../../db/models/records/custom-fields.ts';
import { BankAccount, Item, Partner } from '../../../../db/models/records/master-data.ts';
import { insertRow, patchRow } from '../../../../db/write.ts';
import { findDocumentPdf, storeDocumentPdf } from '../../../../services/platform/files/files.ts';
import { replaceSettings } from '../../../../services/platform/settings/settings.ts';
import { createDocument } from '../../../../services/trade/lifecycle/create.ts';
import { postInvoice } from '../../../../services/trade/lifecycle/post.ts';
import { useCompany } from '../../../helpers/hooks.ts';

const HOUR = 3_600_000;

describe('stored PDFs of documents', () => {
  let hours = 0;

  const company = useCompany();
  before(async () => {
    await company.stockUp(company.itemId, 10);
  });

  /** An hour after the last one. */
  function later(): Context {
    hours += 1;
    return { ...company.ctx, now: new Date(company.ctx.now.getTime() + hours * HOUR) };
  }
  const invoice = () =>
    company.run((trx) =>
      createDocument(trx, company.ctx, 'SINV', {
        partnerId: company.customerId,
        lines: [{ itemId: company.itemId, quantity: 1 }],
      }),
    );
  const store = (documentId: string, version: number) =>
    company.run((trx) =>
      storeDocumentPdf(trx, later(), { documentId, version, name: 'x.pdf', content: Buffer.from('%PDF') }),
    );
  const kept = async (documentId: string, version: number) =>
    (await company.run((trx) => findDocumentPdf(trx, documentId, version))) !== undefined;

  const CHANGES: Readonly<Record<string, (trx: Db, ctx: Context) => Promise<unknown>>> = {
    branding: (trx, ctx) => replaceSettings(trx, ctx, 'branding', { colorPrimary: '#123456' }),
    'the partner': async (trx, ctx) =>
      patchRow(trx, ctx, Partner, await Partner.query(trx).findById(company.customerId).throwIfNotFound(), {
        name: `Café ${hours}`,
      }),
    'an item of its lines': async (trx, ctx) =>
      patchRow(trx, ctx, Item, await Item.query(trx).findById(company.itemId).throwIfNotFound(), {
        code: `N${hours}`,
      }),
    'a custom field': (trx, ctx) =>
      insertRow(trx, ctx, CustomField, {
        tableName: 'SalesInvoice',
        fieldName: 'obra',
        storageKey: 'obra',
        label: 'Obra',
        type: 'TEXT',
        position: 0,
        visibleInList: false,
        visibleInForm: true,
        required: false,
        active: true,
        filterable: false,
      } as never),
    'a bank account': (trx, ctx) =>
      insertRow(trx, ctx, BankAccount, { name: 'Caja', iban: `ES00000000000000000000${hours}`, isDefault: false }),
  };

  for (const [name, change] of Object.entries(CHANGES)) {
    it(`are out of date for a draft, but not for a posted invoice, when ${name} changes`, async () => {
      const [draft, posted] = [String((await invoice()).id), String((await invoice()).id)];
      const { version } = await company.run((trx) => postInvoice(trx, company.ctx, posted, { ifMatch: null }));
      await store(draft, 1);
      await store(posted, Number(version));
      assert.deepEqual([await kept(draft, 1), await kept(posted, Number(version))], [true, true]);
      await company.run((trx) => change(trx, later()));
      assert.deepEqual([await kept(draft, 1), await kept(posted, Number(version))], [false, true]);
    });
  }
});
