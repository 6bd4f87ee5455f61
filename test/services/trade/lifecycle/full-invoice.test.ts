import assert from 'node:assert/strict';
import { loadConfig } from '../../../../config/index.ts';
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import type { Registration } from '../../../../domain/ledger/verifactu/records.ts';
import { sendRecords } from '../../../../services/ledger/verifactu/sending/send-records.ts';
import { replaceVerifactuSettings } from '../../../../services/ledger/verifactu/settings.ts';
import { documentCountSql, documentSearch, readDocument } from '../../../../services/trade/documents/read.ts';
import { ublFile } from '../../../../services/trade/einvoice/en16931/files.ts';
import { facturaeFile } from '../../../../services/trade/einvoice/facturae/file.ts';
import { cancelDocument } from '../../../../services/trade/lifecycle/cancel.ts';
import { createFollowUp } from '../../../../services/trade/lifecycle/create-follow-up.ts';
import { type FullInvoiceInput, issueFullInvoice } from '../../../../services/trade/lifecycle/full-invoice.ts';
import { postInvoice } from '../../../../services/trade/lifecycle/post.ts';
import { loadPaperData } from '../../../../services/trade/pdf/paper-data.ts';
import { certify, issueInvoice, nameCustomer, startTestAgency } from '../../../helpers/agency.ts';
import { use, useCompany } from '../../../helpers/hooks.ts';
import { brokenRules } from '../../../helpers/invoice-rules.ts';
import { ENCRYPTION_KEY } from '../../../helpers/worker.ts';

const any = { ifMatch: null };
const DAY_MS = 86_400_000;
const billingAddress = { street: 'Calle Mayor 1', zipCode: '28013', city: 'Madrid', countryCode: 'ES' };

describe('a full invoice in exchange for a simplified one', function () {
  this.timeout(120_000);
  const company = useCompany();
  const agency = use(() => startTestAgency(() => later().now), { close: (one) => one.close() });
  let customer: string;
  const later = (): Context => ({ ...company.ctx, now: new Date(company.ctx.now.getTime() + 3 * DAY_MS) });
  const sell = () => issueInvoice(company, company.ctx.now);
  const exchange = (id: string, more: Partial<FullInvoiceInput> = {}) =>
    company.run((trx) => issueFullInvoice(trx, later(), id, { partnerId: customer, billingAddress, ...more, ...any }));
  const rectify = (trx: Db, ctx: Context, id: string) =>
    createFollowUp(trx, ctx, id, 'rectify', { reason: 'Precio' } as never, { docType: 'SINV', ...any });
  const refused = (work: Promise<unknown>, message: RegExp) => assert.rejects(work, { message });
  const faults = (work: Promise<unknown>, ...pointers: string[]) =>
    assert.rejects(work, ({ errors }: { errors: { pointer: string }[] }) => {
      assert.deepEqual(
        errors.map(({ pointer }) => pointer),
        pointers,
      );
      return true;
    });
  const records = async (id: string) =>
    (await company.rows('select record from verifactu_records where document_id = ? order by seq', [id])).map(
      ({ record }) => record as Registration,
    );

  before(async () => {
    customer = await nameCustomer(company, { name: 'Tapas y Vinos SL', nif: 'B82846817' });
  });

  it('has its own number and date, and changes nothing of the sale', async () => {
    const id = await sell();
    const books = () =>
      company.rows(
        'select count(*)::int as entries, (select sum(total) from documents) as sales from journal_entries',
        [],
      );
    const before = await books();
    const { code, total, fullInvoice } = await exchange(id);
    assert.deepEqual(await books(), before);
    assert.deepEqual((await company.run((trx) => readDocument(trx, id))).fullInvoice, fullInvoice);
    assert.notEqual(fullInvoice?.code, code);
    assert.deepEqual([fullInvoice?.date, fullInvoice?.partner.nif, total], ['2026-06-18', 'B82846817', 12.1]);
    const paper = await company.run((trx) => loadPaperData(trx, id));
    assert.deepEqual(
      [paper.row.code, paper.row.date, paper.row.operationDate, paper.partner.name, paper.replaces],
      [fullInvoice?.code, '2026-06-18', '2026-06-15', 'Tapas y Vinos SL', { code, date: '2026-06-15' }],
    );
  });

  it('says when the sale was only if it is given on another day', async () => {
    const id = await sell();
    await exchange(id, { date: '2026-06-15' });
    const { row } = await company.run((trx) => loadPaperData(trx, id));
    assert.deepEqual([row.date, row.operationDate], ['2026-06-15', null]);
  });

  it('is refused for what is no simplified invoice, and for one that was exchanged, rectified or cancelled', async () => {
    const id = await sell();
    await exchange(id);
    await refused(exchange(id), /was given for it already/);
    await refused(
      company.run((trx) => cancelDocument(trx, later(), id, any)),
      /cannot be cancelled because the customer has the full invoice/,
    );
    const cancelled = await sell();
    await company.run((trx) => cancelDocument(trx, later(), cancelled, any));
    await refused(exchange(cancelled), /it is cancelled/);
    const full = await issueInvoice(company, company.ctx.now, { partnerId: customer });
    await refused(exchange(full), /is one already/);
    const taken = await sell();
    await company.run((trx) => rectify(trx, company.ctx, taken));
    await refused(exchange(taken), /rectifies it/);
  });

  it('needs a partner with a tax id, a series of invoices, and a date that is not before the other', async () => {
    const id = await sell();
    const nobody = '00000000-0000-7000-8000-000000000000';
    await faults(exchange(id, { partnerId: nobody }), '/partnerId');
    await faults(exchange(id, { partnerId: company.customerId, date: '2026-06-14' }), '/partnerId', '/date');
    await faults(exchange(id, { date: '2026-06-19' }), '/date');
    await faults(exchange(id, { seriesId: nobody }), '/seriesId');
    const [orders] = await company.rows(`select id from series where doc_type = 'SO'`, []);
    await faults(exchange(id, { seriesId: String(orders?.id) }), '/seriesId');
  });

  it('leaves the count of invoices as it is, though it has a number of their series', async () => {
    const count = async () =>
      [
        await company.rows(documentCountSql('SINV'), []),
        await company.rows(`select count(*) from documents where doc_type = 'SINV'`, []),
      ].map(([row]) => Number(row?.count));
    const [shown, stored] = await count();
    assert.equal(shown, stored);
    await exchange(await sell());
    await sell();
    assert.deepEqual(await count(), [(stored ?? 0) + 2, (stored ?? 0) + 2]);
  });

  it('is found by its number and its recipient', async () => {
    const id = await sell();
    const { fullInvoice } = await exchange(id);
    for (const text of [String(fullInvoice?.code), 'tapas y vinos']) {
      const found = await company.run((trx) =>
        documentSearch('SINV')(trx, { pattern: `%${text}%`, part: `%${text}%`, most: 100 }),
      );
      assert.ok(found.includes(id), text);
    }
  });

  it('is written in all formats as the full one', async () => {
    const id = await sell();
    const { fullInvoice } = await exchange(id);
    const { content } = await company.run((trx) => ublFile(trx, id));
    assert.deepEqual(brokenRules('ubl', content).fatal, []);
    assert.ok(content.includes(`<cbc:ID>${fullInvoice?.code}</cbc:ID>`), content);
    assert.match(content, /<cbc:IssueDate>2026-06-18<.*Tapas y Vinos SL/s);
    const facturae = (await company.run((trx) => facturaeFile(trx, company.ctx, id, null))).content;
    assert.match(facturae, /<CorporateName>Tapas y Vinos SL/);
  });

  it('is reported as F3, with the simplified one that it replaces; its rectification names it', async () => {
    await company.run((trx) => replaceVerifactuSettings(trx, company.ctx, { enabled: true }, null));
    const id = await sell();
    const { code, fullInvoice, verifactu } = await exchange(id);
    const [simplified, full] = await records(id);
    assert.deepEqual([simplified?.type, full?.type], ['F2', 'F3']);
    const key = { issuer: 'B12345674', number: code, date: '2026-06-15' };
    assert.deepEqual(full?.substituted, [key]);
    assert.deepEqual(full?.invoice, { ...key, number: fullInvoice?.code, date: '2026-06-18' });
    assert.deepEqual([full?.operationDate, full?.recipients?.[0]?.taxId], ['2026-06-15', 'B82846817']);
    assert.deepEqual([full?.total, full?.details], [simplified?.total, simplified?.details]);
    assert.match(verifactu?.qrUrl ?? '', /fecha=18-06-2026/);
    const draft = await company.run((trx) => rectify(trx, later(), id));
    await company.run((trx) => postInvoice(trx, later(), String(draft.id), any));
    const [rectifying] = await records(String(draft.id));
    assert.deepEqual([rectifying?.type, rectifying?.recipients?.[0]?.taxId], ['R1', 'B82846817']);
    assert.deepEqual(rectifying?.rectified, [{ ...key, number: fullInvoice?.code, date: '2026-06-18' }]);
    const paper = await company.run((trx) => loadPaperData(trx, String(draft.id)));
    assert.deepEqual([paper.partner.name, paper.corrected?.code], ['Tapas y Vinos SL', fullInvoice?.code]);
    await certify(company, agency, company.ctx.now);
    const config = loadConfig({ ...agency.env }).verifactu;
    const send = (now: () => Date) =>
      sendRecords({ database: company.database, config, encryptionKeys: [ENCRYPTION_KEY], now }, company.ctx);
    // Those that come late have a message of their own.
    await send(() => later().now);
    await send(() => new Date(later().now.getTime() + 60_000));
    const answers = await company.rows('select status, error from verifactu_results', []);
    assert.deepEqual(answers, Array(3).fill({ status: 'accepted', error: null }));
  });
});
