/** Mails with documents: copies, files of one's own, and all that templates can say. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { use, useApp } from '../../../helpers/hooks.ts';
import { sendMails } from '../../../helpers/mails.ts';
import { openTrade } from '../../trade/documents/trade.ts';

describe('a mail with a document', () => {
  const app = useApp({ clock: { now: new Date('2026-03-12T10:00:00Z') } });
  const trade = use(() => openTrade(app, 1000));
  const order = async (members: object = {}): Promise<{ id: string; code: string }> => {
    const lines = [
      { itemId: trade.itemId, quantity: 3, price: 10 },
      { description: 'Transport', quantity: 1, price: 5 },
    ];
    const { status, body } = await app.client.post('/api/sales', { partnerId: trade.customerId, lines, ...members });
    assert.equal(status, 201, JSON.stringify(body));
    return body.data;
  };
  const send = (id: string, body: object) => app.client.post(`/api/sales/${id}/send`, body);
  const attach = async (id: string, name: string): Promise<string> => {
    const answer = await fetch(`${app.address}/api/files?entityType=SalesOrder&entityId=${id}&name=${name}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${app.token}`, 'Content-Type': 'text/plain' },
      body: `This is ${name}`,
    });
    return ((await answer.json()) as { data: { id: string } }).data.id;
  };

  it('goes to those of copies, too, whom only its log tells apart', async () => {
    const { id } = await order();
    const sent = await send(id, {
      to: 'ana@example.test',
      cc: 'eva@example.test, ANA@example.test',
      bcc: 'boss@example.test',
    });
    assert.equal(sent.status, 200, JSON.stringify(sent.body));
    const [mail] = await sendMails(app);
    assert.deepEqual(
      [mail?.to, mail?.cc, mail?.recipients],
      ['ana@example.test', ['eva@example.test'], ['ana@example.test', 'eva@example.test', 'boss@example.test']],
    );
    const { data } = (await app.client.get(`/api/emails/${sent.body.data.email.id}`)).body;
    assert.deepEqual(
      data.recipients.map(({ address, as }: { address: string; as?: string }) => [address, as ?? 'to']),
      [
        ['ana@example.test', 'to'],
        ['eva@example.test', 'cc'],
        ['boss@example.test', 'bcc'],
      ],
    );
    assert.equal(data.to, 'ana@example.test, eva@example.test');
    const again = await app.client.post(`/api/emails/${data.id}/resend`);
    assert.deepEqual(again.body.data.recipients.length, 3);
    await sendMails(app);
  });

  it('carries files of its document, with the PDF or without', async () => {
    const { id } = await order();
    const files = [await attach(id, 'terms.txt'), await attach(id, 'plan.txt')];
    await send(id, { to: 'ana@example.test', attachments: files });
    const [whole] = await sendMails(app);
    assert.deepEqual(whole?.attachments.map(({ name }) => name).slice(1), ['terms.txt', 'plan.txt']);
    await send(id, { to: 'ana@example.test', attachPdf: false, attachments: files.slice(1) });
    const [alone] = await sendMails(app);
    assert.deepEqual(
      alone?.attachments.map(({ name, content }) => [name, content.toString()]),
      [['plan.txt', 'This is plan.txt']],
    );
    await send(id, { to: 'ana@example.test', attachPdf: false });
    assert.deepEqual((await sendMails(app))[0]?.attachments, []);
  });

  it('is refused what it cannot carry or reach', async () => {
    const { id } = await order();
    const other = await attach((await order()).id, 'other.txt');
    const many = Array.from({ length: 20 }, (_, nth) => `a${nth}@example.test`).join(',');
    for (const [body, pointer, code] of [
      [{ attachments: [other] }, '/attachments/0', 'invalid_reference'],
      [{ attachments: [trade.itemId] }, '/attachments/0', 'invalid_reference'],
      [{ cc: 'nobody' }, '/cc', 'format'],
      [{ bcc: 'nobody' }, '/bcc', 'format'],
      [{ cc: many }, '/cc', 'too_many'],
    ] as const) {
      const { status, body: told } = await send(id, { to: 'ana@example.test', ...body });
      assert.deepEqual([status, told.errors[0].pointer, told.errors[0].code], [422, pointer, code]);
    }
    assert.deepEqual(await sendMails(app), []);
  });

  it('says all that its paper says, as values with their types', async () => {
    await app.client.post('/api/custom-fields', {
      ...{ table_name: 'SalesOrder', field_name: 'route', label: 'Route', type: 'TEXT' },
    });
    await app.client.post('/api/custom-fields', {
      ...{ table_name: 'SalesOrder', field_name: 'fee', label: 'Fee', type: 'DECIMAL' },
    });
    const body = [
      '{% for line in document.lines %}{{ line.quantity }} × {{ line.description }} = {{ line.amount | money }};{% endfor %}',
      '{% for tax in document.taxes %}{{ tax.code }} {{ tax.amount }};{% endfor %}',
      '{% if document.outstanding > 10 %}open {{ document.outstanding | money }}{% endif %}',
      '{{ document.dueDate | date }} {{ document.dueDate | date: "%d.%m." }}',
      '{{ document.custom_route }} {{ document.custom_fee | times: 2 }} {{ partner.code }} {{ document.notes }}',
    ].join('\n');
    const template = await app.client.post('/api/email-templates', {
      ...{ docType: 'SO', language: 'es', subject: '{{ document.number }}', body },
    });
    assert.equal(template.status, 201, JSON.stringify(template.body));
    assert.equal(template.body.data.warnings, undefined);
    const { id } = await order({ custom_route: 'North', custom_fee: 1.25, dueDate: '2026-04-12', notes: 'Ring twice' });
    await send(id, { to: 'ana@example.test' });
    const [mail] = await sendMails(app);
    const { code } = (await app.client.get(`/api/partners/${trade.customerId}`)).body.data;
    assert.deepEqual(
      mail?.text.replaceAll(/\s/gu, ' ').trim().split('  ')[0],
      [
        '3 × Naranjas = 30,00 €;1 × Transport = 5,00 €;',
        'IVA21 7,35 €;',
        'open 42,35 €',
        '12/04/2026 12.04.',
        `North 2,5 ${code} Ring twice`,
      ].join(' '),
    );
  });

  it('is previewed with what its template names in vain', async () => {
    const { body: list } = await app.client.get('/api/email-templates?docType=SO');
    const preview = await app.client.post(`/api/email-templates/${list.data[0].id}/preview`, {
      body: '{{ document.lines[0].weight }} {{ document.custom_none }} {{ document.total | date }}',
    });
    const { warnings } = preview.body.data as { warnings: { message: string }[] };
    assert.ok(
      warnings.some(({ message }) => message.includes('document.custom_none')),
      JSON.stringify(warnings),
    );
    assert.ok(
      warnings.some(({ message }) => message.includes('is not a date')),
      JSON.stringify(warnings),
    );
  });

  it('of a quotation has the link on which it is answered', async () => {
    const lines = [{ itemId: trade.itemId, quantity: 1, price: 10 }];
    const { body } = await app.client.post('/api/sales/quotations', { partnerId: trade.customerId, lines });
    const sent = await app.client.post(`/api/sales/quotations/${body.data.id}/send`, { to: 'ana@example.test' });
    assert.deepEqual([sent.body.data.status, sent.body.data.code], ['O', 'SQ2026-00001']);
    const [mail] = await sendMails(app);
    const [link = ''] = /http\S+quotations\S+/.exec(mail?.text ?? '') ?? [];
    const page = await fetch(link.replace(app.deps.config.appUrl, app.address));
    assert.ok((await page.text()).includes('SQ2026-00001'));
  });
});
