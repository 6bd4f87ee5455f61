import assert from 'node:assert/strict';
import { CustomField } from '../../../../db/models/records/custom-fields.ts';
import { BankAccount } from '../../../../db/models/records/master-data.ts';
import { DocumentPaper, PaperSettings } from '../../../../db/models/trade/papers.ts';
import { insertRow } from '../../../../db/write.ts';
import { removeLogo, uploadLogo } from '../../../../services/platform/settings/logo.ts';
import { loadSettings, replaceSettings } from '../../../../services/platform/settings/settings.ts';
import { cancelDocument } from '../../../../services/trade/lifecycle/cancel.ts';
import { createDocument } from '../../../../services/trade/lifecycle/create.ts';
import { postInvoice } from '../../../../services/trade/lifecycle/post.ts';
import { updateDocument } from '../../../../services/trade/lifecycle/update/update.ts';
import { documentView } from '../../../../services/trade/pdf/document-view.ts';
import { freezePaper } from '../../../../services/trade/pdf/freeze-paper.ts';
import { TEXTS } from '../../../../services/trade/pdf/texts/index.ts';
import type { Company } from '../../../helpers/company.ts';
import { useCompany, useOtherCompany } from '../../../helpers/hooks.ts';

const ANY = { ifMatch: null };
const LOGO = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
const OTHER_LOGO = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="9"/>');

/** Whatever a paper shows beside its document's own rows, as SQL that changes it. */
const CHANGES: Readonly<Record<string, string>> = {
  'the partner': `update partners set name = 'Otra Razón', nif = 'X' || code, code = code || '-9', language = 'en',
    email = 'b@example.test', phone = '9', payment_method = 'transfer'`,
  'the company': `update settings set value = value || '{"name": "Verduras Pérez", "taxId": "Z", "city": "Lugo", "country": "PT"}'
    where name = 'company'`,
  branding: `update settings set value = value || '{"colorPrimary": "#123456", "fontFamily": "mono", "appName": "Otra"}'
    where name = 'branding'`,
  'the format': `update settings set value = value || '{"locale": "en-GB", "dateFormat": "yyyy-MM-dd", "timezone": "Asia/Tokyo"}'
    where name = 'format'`,
  'the bank account': `update bank_accounts set iban = 'ES7921000813610123456789', bank_name = 'Otro', bic = 'X'`,
  'a custom field': `update custom_fields set label = 'Otro'`,
  'an item': `update items set code = code || '-9'`,
  'a unit': `update uoms set code = code || '9'`,
  'a batch': `update batches set batch_num = 'L9', expiry_date = '2030-01-01'`,
};

describe('the paper of a posted invoice', () => {
  const company = useCompany();
  const other = useOtherCompany(company);
  /** The item that each company sells, kept by batch. */
  const goods = new Map<string, string>();
  before(async () => {
    await furnish(company);
    await furnish(other);
  });

  /** Sets everything that papers show beyond the data of a new company. */
  async function furnish({ run, ctx, supplierId, item }: Company): Promise<void> {
    const { id: itemId } = await item();
    goods.set(ctx.tenantId, itemId);
    const batchDetails = [{ batchNum: 'L1', expiryDate: '2027-01-31', quantity: 100 }];
    const lines = [{ itemId, quantity: 100, batchDetails }];
    await run((trx) => replaceSettings(trx, ctx, 'flags', { autoConfirmBatches: true }));
    await run((trx) => createDocument(trx, ctx, 'PDN', { partnerId: supplierId, lines }));
    await run(async (trx) => {
      const company = await loadSettings(trx, 'company');
      await replaceSettings(trx, ctx, 'company', { ...company, city: 'Sevilla' });
      await replaceSettings(trx, ctx, 'branding', { colorPrimary: '#facc15' });
      await replaceSettings(trx, ctx, 'format', { locale: 'es-ES' });
      await replaceSettings(trx, ctx, 'format', { quantityPrecision: 3 });
      await uploadLogo(trx, ctx, LOGO);
      await insertRow(trx, ctx, BankAccount, { name: 'B', iban: 'ES9121000418450200051332', isDefault: true });
      for (const tableName of ['SalesInvoice', 'PurchaseInvoice']) {
        const shown = { visibleInList: false, visibleInForm: true, required: false, active: true, filterable: false };
        const named = { fieldName: 'obra', storageKey: 'obra', label: 'Obra', type: 'TEXT', position: 0 };
        await insertRow(trx, ctx, CustomField, { tableName, ...named, ...shown } as never);
      }
    });
  }
  async function draft(docType: 'SINV' | 'PINV', of: Company = company): Promise<string> {
    const partnerId = docType === 'PINV' ? of.supplierId : of.customerId;
    const itemId = goods.get(of.ctx.tenantId) ?? '';
    const [batch] = await of.rows('select batch_num as "batchNum", 1 as quantity from batches where item_id = ?', [
      itemId,
    ]);
    const line = { itemId, quantity: 1, price: 2, batchDetails: [batch] };
    const input = { partnerId, custom_obra: 'Norte', supplierReference: crypto.randomUUID(), lines: [line] };
    const { id } = await of.run((trx) => createDocument(trx, of.ctx, docType, input as never));
    return String(id);
  }
  async function posted(docType: 'SINV' | 'PINV', of: Company = company): Promise<string> {
    const id = await draft(docType, of);
    await of.run((trx) => postInvoice(trx, of.ctx, id, ANY));
    return id;
  }
  /** Returns what is printed. */
  const shown = (id: string, of: Company = company) =>
    of.run(async (trx) => {
      const { view, logo, logoUrl } = await documentView(trx, id);
      return { view, logo: logo && Buffer.from(logo).toString('utf8'), logoUrl };
    });
  const change = (sql: string, of: Company = company) => of.run(async (trx) => void (await trx.raw(sql)));

  for (const [what, sql] of Object.entries(CHANGES)) {
    it(`shows what was when it was posted, though ${what} changes`, async () => {
      const ids = [await posted('SINV'), await posted('PINV')];
      const drafts = [await draft('SINV'), await draft('PINV')];
      const before = await Promise.all(ids.map((id) => shown(id)));
      const draftsBefore = await Promise.all(drafts.map((id) => shown(id)));
      await change(sql);
      assert.deepEqual(await Promise.all(ids.map((id) => shown(id))), before);
      // A draft names batches by itself.
      if (what !== 'a batch') assert.notDeepEqual(await Promise.all(drafts.map((id) => shown(id))), draftsBefore);
    });
  }

  it('keeps the logo, whether another takes its place or none', async () => {
    const [first, unposted] = [await posted('SINV'), await draft('SINV')];
    assert.equal((await shown(first)).logo, String(LOGO));
    await company.run((trx) => uploadLogo(trx, company.ctx, OTHER_LOGO));
    const second = await posted('SINV');
    assert.deepEqual([(await shown(first)).logo, (await shown(second)).logo], [String(LOGO), String(OTHER_LOGO)]);
    assert.equal((await shown(unposted)).logo, String(OTHER_LOGO));
    await company.run((trx) => removeLogo(trx, company.ctx));
    assert.deepEqual([(await shown(first)).logo, (await shown(second)).logo], [String(LOGO), String(OTHER_LOGO)]);
    assert.equal((await shown(unposted)).logo, null);
  });

  it('shows the same once it is cancelled, with the word for it, and whatever is written on it since', async () => {
    const id = await posted('SINV');
    const { view } = await shown(id);
    await change(`update partners set name = 'Una Más'`);
    await company.run((trx) => updateDocument(trx, company.ctx, id, { custom_obra: 'Sur' } as never, ANY));
    const noted = (await shown(id)).view;
    assert.deepEqual(noted, {
      ...view,
      custom: { short: [{ ...view.custom.short[0], value: 'Sur' }], long: [] },
      document: { custom_obra: 'Sur' },
    });
    await company.run((trx) => cancelDocument(trx, company.ctx, id, ANY));
    assert.deepEqual((await shown(id)).view, { ...noted, watermark: TEXTS[view.language].cancelled.invoice });
  });

  it('is of what is there when a draft is cancelled', async () => {
    const id = await draft('SINV');
    await company.run((trx) => cancelDocument(trx, company.ctx, id, ANY));
    await change(`update partners set name = 'La Última'`);
    assert.equal((await shown(id)).view.partner.name, 'La Última');
  });

  it('is frozen without waiting for a posting that freezes the same at the same moment', async () => {
    const ids = [await draft('SINV'), await draft('PINV')];
    await change(`update settings set value = value || '{"city": "Soria"}' where name = 'company'`);
    const both = company.run(async (first) => {
      await freezePaper.run(first, company.ctx, { documentId: ids[0] ?? '', docType: 'SINV' });
      await company.run(async (second) => {
        await second.raw(`set local lock_timeout = '1s'`);
        await freezePaper.run(second, company.ctx, { documentId: ids[1] ?? '', docType: 'PINV' });
        throw new Error('both are frozen, but not posted');
      });
    });
    await assert.rejects(both, /both are frozen/);
  });

  it('shares what is of the company with others, and with no other company', async () => {
    await change(`update settings set value = value || '{"city": "Cádiz"}' where name = 'company'`);
    const counted = (of: Company) => of.run((trx) => PaperSettings.query(trx).resultSize());
    const before = await counted(company);
    assert.equal(await counted(other), 0);
    const ids: string[] = [];
    while (ids.length < 5) ids.push(await posted('SINV'));
    const papers = await company.run(async (trx) => DocumentPaper.query(trx).whereIn('document_id', ids));
    assert.equal(papers.length, 5);
    assert.equal(new Set(papers.map(({ settingsId }) => settingsId)).size, 1);
    const theirs = await posted('SINV', other);
    const theirsBefore = await shown(theirs, other);
    assert.deepEqual([await counted(company), await counted(other)], [before + 1, 1]);
    await change(`update partners set name = 'Suyo'`);
    assert.deepEqual(await shown(theirs, other), theirsBefore);
    assert.equal(theirsBefore.view.company.lines.includes('Sevilla'), true);
    assert.equal(await company.run((trx) => DocumentPaper.query(trx).where('document_id', theirs).resultSize()), 0);
  });

  it('cannot be changed by the service', async () => {
    await posted('SINV');
    for (const sql of [
      'update document_papers set content = content',
      'delete from paper_settings',
      'delete from paper_logos',
    ]) {
      await assert.rejects(change(sql), /permission denied/);
    }
  });
});
