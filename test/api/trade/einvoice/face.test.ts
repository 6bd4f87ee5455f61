import assert from 'node:assert/strict';
import { startTestAgency } from '../../../helpers/agency.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { addMember } from '../../../helpers/members.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openTrade } from '../documents/trade.ts';

const OFFICES = { dir3AccountingOffice: 'L01280796', dir3ManagingBody: 'L01280796', dir3ProcessingUnit: 'LA0001234' };
const NOBODY = '00000000-0000-7000-8000-000000000000';

describe('sending invoices to public bodies', () => {
  const app = useApp();
  const agency = use(() => startTestAgency(() => app.deps.now()), { close: (one) => one.close() });
  let invoice: string;
  const path = (action: string, id = invoice) => `/api/sales/invoices/${id}/facturae/${action}`;

  before(async () => {
    await openTrade(app);
    const company = (await app.client.get('/api/company')).body;
    const place = { address: 'Calle Alta 2', zipCode: '39001', city: 'Santander', email: 'facturas@ejemplo.es' };
    assert.equal((await app.client.put('/api/company', { ...company, ...place })).status, 200);
    const [group] = (await app.client.get('/api/partnerGroups?isCustomer=true')).body.data;
    const town = {
      name: 'Ayuntamiento de Ejemplo',
      groupId: group.id,
      nif: 'P2807900B',
      countryCode: 'ES',
      ...OFFICES,
    };
    const partner = (await app.client.post('/api/partners', town)).body.data;
    const billingAddress = { street: 'Plaza Mayor 1', zipCode: '28012', city: 'Madrid', countryCode: 'ES' };
    const lines = [{ description: 'Poda', quantity: 1, price: 500 }];
    const made = await app.client.post('/api/sales/invoices', { partnerId: partner.id, billingAddress, lines });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    invoice = made.body.data.id;
  });

  it('goes to the test environment unless the company says otherwise', async () => {
    const { body } = await app.client.get('/api/config/face');
    assert.deepEqual(body, { environment: 'test', email: null });
    assertProblem(await app.client.put('/api/config/face', { email: 'nobody' }), 422, 'validation_failed');
    assertProblem(await app.client.put('/api/config/face', { environment: 'staging' }), 422, 'validation_failed');
    assert.equal((await app.client.put('/api/config/face', { email: 'face@ejemplo.es' })).status, 200);
  });

  it('is refused for drafts, others’ documents, and without certificate', async () => {
    assertProblem(await app.client.post(path('send')), 409, 'invalid_transition');
    assert.equal((await app.client.post(`/api/sales/invoices/${invoice}/post`)).status, 200);
    assertProblem(await app.client.post(path('send')), 409, 'invalid_transition');
    assertProblem(await app.client.post(path('send', NOBODY)), 404, 'not_found');
    const { taxId, name } = (await app.client.get('/api/company')).body;
    const file = agency.certificate({ taxId, name });
    assert.equal((await app.client.put('/api/verifactu/certificate', file)).status, 200);
  });

  it('is refused for what it must be told wrong', async () => {
    for (const body of [{ email: 'x' }, { email: 7 }, { again: true }, []])
      assertProblem(await app.client.post(path('send'), body), 422, 'validation_failed');
    for (const body of [{}, { reason: '' }, { reason: 'x'.repeat(501) }])
      assertProblem(await app.client.post(path('annul'), body), 422, 'validation_failed');
    for (const body of [{}, { registryCode: '../..' }, { registryCode: 'x'.repeat(101) }])
      assertProblem(await app.client.post(path('registered'), body), 422, 'validation_failed');
    assertProblem(await app.client.post(path('annul'), { reason: 'No' }), 409, 'invalid_transition');
    assertProblem(await app.client.post(path('registered'), { registryCode: '1' }), 409, 'invalid_transition');
    assert.deepEqual((await app.client.get('/api/face/submissions')).body.data, []);
  });

  it('makes a submission, which is listed', async () => {
    const answer = await app.client.post(path('send'));
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    const { data } = answer.body;
    assert.deepEqual([data.status, data.environment, data.email], ['waiting', 'test', 'face@ejemplo.es']);
    assert.equal(answer.headers.get('location'), `/api/face/submissions/${data.id}`);
    assert.deepEqual((await app.client.get(`/api/face/submissions/${data.id}`)).body.data, data);
    const listed = await app.client.get(`/api/face/submissions?documentId=${invoice}&status=waiting`);
    assert.deepEqual(listed.body.data, [data], JSON.stringify(listed.body));
    assertProblem(await app.client.post(path('send')), 409, 'invalid_transition');
    assertProblem(await app.client.get(`/api/face/submissions/${NOBODY}`), 404, 'not_found');
  });

  it('is counted for operators', async () => {
    const metrics = await (await fetch(`${app.address}/metrics`)).text();
    assert.match(metrics, /face_submissions\{status="waiting"\} 1/);
    assert.match(metrics, /face_submissions_failing\{status="waiting"\} 0/);
  });

  it('is for those who may change invoices; others of the company may look', async () => {
    const viewer = await addMember(app, 'viewer');
    assertProblem(await viewer.client.post(path('send')), 403, 'forbidden');
    assertProblem(await viewer.client.post(path('annul'), { reason: 'No' }), 403, 'forbidden');
    assertProblem(await viewer.client.post(path('registered'), { registryCode: '1' }), 403, 'forbidden');
    assert.equal((await viewer.client.get('/api/face/submissions')).status, 200);
  });
});
