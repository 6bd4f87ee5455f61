import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Answer, TestClient } from '../helpers/client.ts';
import { use, useApp } from '../helpers/hooks.ts';
import { longestStandstill, MAX_STANDSTILL_MS } from '../helpers/standstill.ts';

/** Sizes of what is sent, until the service refuses it for its length. */
const SIZES = [1, 8, 64, 512, 4096];

describe('texts that are made to be slow', function () {
  this.timeout(180_000);

  const app = useApp();
  const other = use(async (): Promise<TestClient> => {
    const { status, body } = await app.client.post('/api/tenants', {
      name: 'Otra SL',
      taxId: 'B98765431',
      country: 'ES',
    });
    assert.equal(status, 201, JSON.stringify(body));
    return app.as(app.token, body.data.id);
  });
  const template = use(async (): Promise<{ id: string }> => {
    const { body } = await app.client.post('/api/email-templates', {
      docType: 'SINV',
      language: 'en',
      subject: 'x',
      body: 'x',
    });
    return body.data;
  });

  const double = '{% assign a = a | append: a %}';
  const preview = (body: string) => app.client.post(`/api/email-templates/${template.id}/preview`, { body });
  const field = (validation_regex: string, default_value: string) =>
    app.client.post('/api/custom-fields', {
      table_name: 'Item',
      field_name: `f_${randomUUID().slice(0, 8)}`,
      label: 'F',
      type: 'TEXTAREA',
      validation_regex,
      default_value,
    });
  const rule = (conditions: object[]) =>
    app.client.post('/api/automations', {
      name: `Rule ${randomUUID()}`,
      trigger: { type: 'document.created' },
      conditions,
      actions: [{ type: 'notification.create', user_id: app.userId, title: 'x', body: '{{document.number}}' }],
    });

  const KINDS: Readonly<Record<string, (size: number) => Promise<Answer>>> = {
    'templates that search long texts': (n) =>
      preview(
        `{% assign a = 'aaaaaaaa' %}${double.repeat(Math.min(n, 11))}{% assign b = a | append: 'b' | append: a %}` +
          `${double.repeat(2)}{% if a contains b ${'or a contains b '.repeat(Math.min(n, 500))}%}{% endif %}`,
      ),
    'templates that loop': (n) =>
      preview(`${'{% for i in (1..99) %}'.repeat(n)}{% if i contains 'x' %}{% endif %}${'{% endfor %}'.repeat(n)}`),
    'templates that nest': (n) => preview(`${'{% if a %}'.repeat(n)}${'{% endif %}'.repeat(n)}`),
    'templates without an end': (n) => preview('{{ a | append: '.repeat(n)),
    'patterns that repeat': (n) => field(`(.*a){${Math.min(n, 900)}}$`, 'a'.repeat(n)),
    'patterns that nest': (n) => field(`${'('.repeat(n)}a${'?)*'.repeat(n)}`, 'a'.repeat(n)),
    'patterns of classes': (n) => field('\\p{L}?'.repeat(n), 'a'.repeat(n)),
    'conditions on many values': (n) =>
      rule([{ field: 'lines.quantity', operator: 'in', value: Array.from({ length: n }, (_, at) => `${at}.50`) }]),
    'conditions on long texts': (n) => rule([{ field: 'document.notes', operator: 'contains', value: 'a'.repeat(n) }]),
    'conditions on long paths': (n) => rule([{ field: 'a.'.repeat(n), operator: 'is_empty' }]),
    searches: (n) => app.client.get(`/api/partners?search=${encodeURIComponent('%_\\a'.repeat(n / 4 + 1))}`),
  };

  for (const [what, send] of Object.entries(KINDS)) {
    it(`do not keep the service from answering another company: ${what}`, async () => {
      for (const size of SIZES) {
        const standstill = await longestStandstill(async () => {
          const hostile = Promise.all([send(size), send(size), send(size)]);
          const answered = await other.get('/api/partners');
          assert.equal(answered.status, 200);
          for (const { status } of await hostile) assert.ok(status < 500, `${status} at ${size}`);
        });
        assert.ok(standstill <= MAX_STANDSTILL_MS, `it stood still for ${standstill} ms at ${size}`);
      }
    });
  }
});
