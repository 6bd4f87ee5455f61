import assert from 'node:assert/strict';
import { formatsFor } from '../../../../domain/locale/formats.ts';
import { isEmptySummary, type Summary, summaryText } from '../../../../domain/messages/notifications/summary-text.ts';

const NONE = { count: 0, total: '0' } as const;
const NOTHING: Summary = { customers: null, suppliers: null, drafts: [], failedTasks: 0, unread: [] };
const FORMAT = { locale: 'es-ES', dateFormat: 'dd/MM/yyyy', decimalPrecision: 2, quantityPrecision: 3 };

const FULL: Summary = {
  customers: { overdue: { count: 2, total: '1234.5' }, soon: NONE },
  suppliers: { overdue: NONE, soon: { count: 1, total: '99.99' } },
  drafts: [{ type: 'SINV', count: 3 }],
  failedTasks: 1,
  unread: [{ type: 'mention', count: 4 }],
};

const written = (summary: Summary, locale: string, companyName = 'Frutas García') =>
  summaryText(summary, {
    formats: formatsFor(FORMAT, locale),
    companyName,
    currency: 'EUR',
    day: '2026-06-15',
    appUrl: 'https://erp.example.test',
    unsubscribe: 'https://erp.example.test/stop?a=1&b=2',
  });

describe('summaryText', () => {
  it('renders a Spanish summary with its links', () => {
    const { subject, text, html } = written(FULL, 'es');
    assert.equal(subject, 'Resumen del 15/06/2026 – Frutas García');
    const lines = text.replaceAll('\u00a0', ' ').split('\n');
    for (const line of [
      '- Clientes, vencido: 2 (1.234,50 €)',
      '  https://erp.example.test/api/reports/aging-lines?side=customers',
      '- Proveedores, vence en una semana: 1 (99,99 €)',
      '- Factura de venta: 3',
      '  https://erp.example.test/api/sales/invoices?status=D',
      '- Fallidas desde ayer: 1',
      '- Menciones: 4',
      'No recibir más resúmenes diarios: https://erp.example.test/stop?a=1&b=2',
    ]) {
      assert.ok(lines.includes(line), `${line} in\n${text}`);
    }
    assert.doesNotMatch(text, /: 0/);
    assert.match(html, /<html lang="es">/);
    assert.match(html, /href="https:\/\/erp\.example\.test\/stop\?a=1&amp;b=2"/);
  });

  it("renders the same summary in English, in the reader's formats", () => {
    const { text, html } = written(FULL, 'en-GB');
    assert.match(text, /Customers, overdue: 2 \(€1,234\.50\)/);
    assert.match(text, /Sales invoice: 3/);
    assert.match(html, /<html lang="en">/);
  });

  it('leaves out sections without lines', () => {
    const { text } = written({ ...NOTHING, failedTasks: 1 }, 'en');
    assert.deepEqual(
      text.split('\n').filter((line) => line.startsWith('- ')),
      ['- Failed since yesterday: 1'],
    );
    assert.doesNotMatch(text, /Due|Drafts|Notifications since/);
  });

  it('escapes a hostile name', () => {
    const { subject, html } = written(FULL, 'es', 'A <img src=x>\r\nBcc: eve (at) example·test');
    assert.equal(subject, 'Resumen del 15/06/2026 – A <img src=x> Bcc: eve (at) example·test');
    assert.doesNotMatch(html, /<img/);
  });

  it('recognises a summary with nothing to report', () => {
    const none = { overdue: NONE, soon: NONE };
    assert.ok(isEmptySummary({ ...NOTHING, customers: none, suppliers: none }));
    assert.ok(!isEmptySummary({ ...NOTHING, customers: { ...none, soon: { count: 1, total: '1' } } }));
    assert.ok(!isEmptySummary({ ...NOTHING, failedTasks: 1 }));
  });
});
