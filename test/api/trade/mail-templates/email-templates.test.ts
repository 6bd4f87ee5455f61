import assert from 'node:assert/strict';
import type { Answer } from '../../../helpers/client.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { sendMails } from '../../../helpers/mails.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openTrade } from '../documents/trade.ts';

const PATH = '/api/email-templates';

describe('templates of mails', () => {
  const app = useApp();
  const trade = use(() => openTrade(app, 1000));
  /** Each case has its own. */
  afterEach(async () => {
    const { body } = await app.client.get(PATH);
    for (const { id } of body.data) assert.equal((await app.client.del(`${PATH}/${id}`)).status, 204);
  });

  const write = (template: object = {}) =>
    app.client.post(PATH, { docType: 'SINV', language: 'es', subject: 'Factura', body: 'Hola', ...template });
  const written = async (template: object = {}) => {
    const { status, body } = await write(template);
    assert.equal(status, 201, JSON.stringify(body));
    return body.data as Record<string, unknown> & { id: string };
  };
  const invoice = async (partnerId = trade.customerId) => {
    const lines = [{ itemId: trade.itemId, quantity: 1 }];
    const { body } = await app.client.post('/api/sales/invoices', { partnerId, lines });
    const posted = await app.client.post(`/api/sales/invoices/${body.data.id}/post`);
    assert.equal(posted.status, 200, JSON.stringify(posted.body));
    return posted.body.data as { id: string; code: string };
  };
  const assertFault = (answer: Answer, pointer: string, code: string) => {
    assertProblem(answer, 422, 'validation_failed');
    assert.deepEqual([answer.body.errors[0].pointer, answer.body.errors[0].code], [pointer, code]);
  };

  it('are used for mails with documents, until they are deleted', async () => {
    const template = await written({
      subject: 'Su factura {{ document.number }}',
      body: 'Estimado {{ partner.name }}, total {{ document.total }}.',
    });
    const { id, code } = await invoice();
    const send = () => app.client.post(`/api/sales/invoices/${id}/send`, { to: 'a@example.test' });
    assert.equal((await send()).status, 200);
    const [mail] = await sendMails(app);
    assert.equal(mail?.subject, `Su factura ${code}`);
    assert.match(mail?.text ?? '', /^Estimado .+, total [\d.,]+\s€\.$/);
    assert.match(mail?.html ?? '', /<p>Estimado /);
    await app.client.del(`${PATH}/${template.id}`);
    await send();
    assert.notEqual((await sendMails(app))[0]?.subject, `Su factura ${code}`);
  });

  it('have a subject, whatever the data', async () => {
    assertFault(await write({ subject: '{{ document.nothing }}', body: 'x' }), '/subject', 'required');
    // The sample has a reference, the invoice has none.
    const template = await written({ subject: '{{ document.reference }}', body: 'x' });
    const { id, code } = await invoice();
    await app.client.post(`/api/sales/invoices/${id}/send`, { to: 'a@example.test' });
    assert.match((await sendMails(app))[0]?.subject ?? '', new RegExp(`${code} – `));
    await app.client.del(`${PATH}/${template.id}`);
  });

  it('begin as copies of those of the service, one for each type and language', async () => {
    const { body } = await app.client.get(`${PATH}/defaults`);
    assert.equal(body.data.length, 16);
    for (const template of body.data) assert.equal((await write(template)).body.data.warnings, undefined);
    assert.equal((await app.client.get(`${PATH}?docType=PO`)).body.pagination.total, 2);
    const taken = await write({ docType: 'sales_invoice' });
    assertProblem(taken, 409, 'duplicate');
    assert.match(taken.body.detail, /docType, language/);
    const { id, version, subject } = (await app.client.get(`${PATH}?docType=SDN&language=en`)).body.data[0];
    const changed = await app.client.patch(`${PATH}/${id}`, { body: 'See {{ document.reference }}' });
    assert.deepEqual([changed.body.data.version, changed.body.data.subject], [version + 1, subject]);
    assertProblem(await app.client.patch(`${PATH}/${id}`, { body: 'x' }, { 'If-Match': '"1"' }), 412, 'stale_version');
  });

  it('are previewed with a sample, the latest document, or one of their type', async () => {
    const template = await written({ docType: 'PO', language: 'en', subject: 'Order {{ document.number }}' });
    const preview = (body?: object) => app.client.post(`${PATH}/${template.id}/preview`, body);
    const sample = await preview();
    assert.deepEqual([sample.body.data.documentId, sample.body.data.subject], [null, 'Order PO2026-00017']);
    const lines = [{ itemId: trade.itemId, quantity: 1, price: 3 }];
    const ordered = async () =>
      (await app.client.post('/api/purchases', { partnerId: trade.supplierId, lines })).body.data;
    const [first, second] = [await ordered(), await ordered()];
    assert.equal((await preview({})).body.data.documentId, second.id);
    const own = await preview({
      documentId: first.id,
      body: 'To {{ partner.name }}',
      bodyHtml: '<b>{{ document.size }}</b>',
    });
    assert.equal(own.body.data.subject, `Order ${first.code}`);
    assert.match(own.body.data.text, /^To ./);
    assert.deepEqual(own.body.data.warnings, [
      { pointer: '/bodyHtml', message: 'document.size is empty because there is no such name' },
    ]);
    const { body } = await app.client.get(`${PATH}/${template.id}`);
    assert.deepEqual([body.data.body, body.data.version], ['Hola', 1]);
    assert.deepEqual(await sendMails(app), []);
    assertProblem(await preview({ documentId: (await invoice()).id }), 404, 'not_found');
  });

  it('escape what they show as HTML, also where they are told not to', async () => {
    const name = 'Bar <script>alert(1)</script> & Co.';
    const customer = (await app.client.get(`/api/partners/${trade.customerId}`)).body.data;
    const { body } = await app.client.post('/api/partners', { name, groupId: customer.groupId });
    const { id } = await invoice(body.data.id);
    const template = await written({
      subject: '{{ partner.name }}\n2',
      bodyHtml: '<h1>{{ partner.name | raw }}</h1>{{ partner.name }}',
    });
    const shown = (await app.client.post(`${PATH}/${template.id}/preview`, { documentId: id })).body.data;
    const escaped = 'Bar &lt;script&gt;alert(1)&lt;/script&gt; &amp; Co.';
    assert.equal(shown.html, `<h1>${escaped}</h1>${escaped}`);
    assert.equal(shown.subject, `${name} 2`);
    assert.doesNotMatch(shown.text, /&amp;/);
  });

  it('are refused when their data makes them too large, with nothing sent', async () => {
    const customer = (await app.client.get(`/api/partners/${trade.customerId}`)).body.data;
    const { body } = await app.client.post('/api/partners', { name: '&'.repeat(200), groupId: customer.groupId });
    const { id } = await invoice(body.data.id);
    // 49,000 characters of text, 245,000 of HTML; the sample's are far fewer.
    const template = await written({ body: '{% for i in (1..245) %}{{ partner.name }}{% endfor %}' });
    const preview = await app.client.post(`${PATH}/${template.id}/preview`, { documentId: id });
    assertFault(preview, '/body', 'too_long');
    const sent = await app.client.post(`/api/sales/invoices/${id}/send`, { to: 'a@example.test' });
    assertFault(sent, '/template/body', 'too_long');
    assert.deepEqual(await sendMails(app), []);
  });

  it('tell which of their names are empty', async () => {
    const template = await written({
      subject: 'No. {{ document.nmber }} {{ rocket }}',
      body: '{{ partner.name.size }}',
    });
    assert.deepEqual(template.warnings, [
      { pointer: '/subject', message: 'document.nmber is empty because there is no such name' },
      { pointer: '/subject', message: 'rocket is empty because there is no such name' },
    ]);
  });

  for (const [what, wrong, pointer, code] of [
    ['no template', { subject: '{{ document.number' }, '/subject', 'invalid_template'],
    ['unknown filters', { body: '{{ document.number | shout }}' }, '/body', 'invalid_template'],
    ['files', { body: "{% include '/etc/passwd' %}" }, '/body', 'invalid_template'],
    ['ways out of the data', { body: '{{ document.constructor.name }}' }, '/body', 'invalid_path'],
    ['ways out in HTML', { bodyHtml: '{{ company["__proto__"] }}' }, '/bodyHtml', 'invalid_path'],
    ['long loops', { body: '{% for i in (1..9999999) %}{{ i }}{% endfor %}' }, '/body', 'invalid_template'],
    ['what grows', { body: `{% for i in (1..100) %}${'x'.repeat(520)}{% endfor %}` }, '/body', 'too_long'],
    ['no text', { body: '' }, '/body', 'too_short'],
    ['other languages', { language: 'fr' }, '/language', 'invalid_choice'],
  ] as const) {
    it(`refuse ${what}`, async () => {
      assertFault(await write(wrong), pointer, code);
      assert.equal((await app.client.get(PATH)).body.pagination.total, 0);
    });
  }
});
