import assert from 'node:assert/strict';
import { useApp } from '../../../helpers/hooks.ts';
import { addMember } from '../../../helpers/members.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openTrade } from './trade.ts';

const NOBODY = '00000000-0000-7000-8000-000000000000';

describe('exchanging a simplified invoice', () => {
  const app = useApp();
  let [invoice, partnerId] = ['', ''];
  const path = (id = invoice) => `/api/sales/invoices/${id}/full-invoice`;

  before(async () => {
    await openTrade(app);
    const [group] = (await app.client.get('/api/partnerGroups?isCustomer=true')).body.data;
    const partner = async (more: object) =>
      (await app.client.post('/api/partners', { groupId: group.id, countryCode: 'ES', ...more })).body.data.id;
    partnerId = await partner({ name: 'Ana Prado Gil', nif: '12345678Z', email: 'ana@example.test' });
    const lines = [{ description: 'Naranjas', quantity: 4, price: 2.5 }];
    const sale = { partnerId: await partner({ name: 'Clientes de contado' }), lines };
    invoice = (await app.client.post('/api/sales/invoices', sale)).body.data.id;
  });

  it('is refused for drafts, unknown invoices, and bodies that say nothing', async () => {
    assertProblem(await app.client.post(path(), { partnerId }), 409, 'invalid_transition');
    assertProblem(await app.client.post(path(NOBODY), { partnerId }), 404, 'not_found');
    for (const body of [{}, { partnerId: 'x' }, { partnerId, date: 'today' }, { partnerId, full: true }])
      assertProblem(await app.client.post(path(), body), 422, 'validation_failed');
    assertProblem(await app.client.post(path(), { partnerId: NOBODY }), 409, 'invalid_transition');
  });

  it('is for those who may write invoices, and for the version that they have seen', async () => {
    const posted = await app.client.post(`/api/sales/invoices/${invoice}/post`);
    assert.equal(posted.body.data.fullInvoice, null);
    const viewer = await addMember(app, 'viewer');
    assertProblem(await viewer.client.post(path(), { partnerId }), 403, 'forbidden');
    assertProblem(await app.client.post(path(), { partnerId }, { 'If-Match': '"1"' }), 412, 'stale_version');
    assertProblem(await app.client.post(path(), { partnerId: NOBODY }), 422, 'validation_failed');
  });

  it('shows the full invoice wherever the document is read', async () => {
    const { status, body } = await app.client.post(path(), { partnerId });
    assert.equal(status, 200, JSON.stringify(body));
    const { fullInvoice, status: state } = body.data;
    assert.deepEqual([fullInvoice.partner.nif, state], ['12345678Z', 'O']);
    const read = (await app.client.get(`/api/sales/invoices/${invoice}`)).body.data;
    assert.deepEqual(read.fullInvoice, fullInvoice);
    assertProblem(await app.client.post(path(), { partnerId }), 409, 'invalid_transition');
    const logged = (await app.client.get(`/api/audit-logs?entityId=${fullInvoice.id}`)).body.data;
    assert.deepEqual(
      logged.map(({ entityType, action }: Record<string, string>) => [entityType, action]),
      [['FullInvoice', 'CREATE']],
    );
    const mailed = await app.client.post(`/api/sales/invoices/${invoice}/send`);
    assert.equal(mailed.status, 200, JSON.stringify(mailed.body));
    const mail = (await app.client.get(`/api/emails/${mailed.body.data.email.id}`)).body.data;
    assert.deepEqual([mail.to, mail.subject.includes(fullInvoice.code)], ['ana@example.test', true], mail.subject);
  });
});
