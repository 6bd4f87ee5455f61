import assert from 'node:assert/strict';
import { pino } from 'pino';
import { Type } from 'typebox';
import { replaceSettings } from '../../../../services/platform/settings/settings.ts';
import { amount, nullable, quantity, text } from '../../../../services/platform/validation/schemas.ts';
import { openReport } from '../../../../services/reports/engine/content.ts';
import { defineReport, percent, RANGE, type Report } from '../../../../services/reports/engine/declaration.ts';
import { renderReport } from '../../../../services/reports/engine/paper.ts';
import { SECTIONS, sectionTable } from '../../../../services/reports/engine/sections.ts';
import { MAX_PDF_ROWS } from '../../../../services/reports/engine/size.ts';
import { Browser } from '../../../../worker/browser.ts';
import { use, useCompany } from '../../../helpers/hooks.ts';
import { pdfPages } from '../../../helpers/pdf-text.ts';
import { testChromium } from '../../../helpers/servers.ts';

const ROW = Type.Object({ code: text(), name: text(), quantity: quantity(), amount: amount(), share: percent() });

const listed = (rows: number): Report =>
  defineReport({
    name: 'listed',
    title: { en: 'Sold items', es: 'Artículos vendidos' },
    area: 'sales',
    parameters: RANGE,
    data: Type.Object({ rows: Type.Array(ROW) }),
    summary: Type.Object({ amount: amount() }),
    async read() {
      const row = (index: number) => {
        const name = index === 0 ? '<img src=x onerror=alert(1)> & «Ñandú»' : `Artículo ${index}`;
        return { code: `A${index}`, name, quantity: 1.5, amount: 1234.5, share: 12.25 };
      };
      return {
        data: { rows: Array.from({ length: rows }, (_, index) => row(index)) },
        summary: { amount: rows * 1234.5 },
      };
    },
  });

const shaped = defineReport({
  name: 'shaped',
  title: { en: 'Annual accounts', es: 'Cuentas anuales' },
  area: 'accounting',
  parameters: RANGE,
  data: Type.Object({ sections: SECTIONS }),
  summary: Type.Object({}),
  async read() {
    const none: never[] = [];
    const inventories = { code: 'B.I', name: 'Existencias', amount: 20, previous: -10, children: none };
    const sections = [{ code: 'B', name: 'ACTIVO CORRIENTE', amount: 20, previous: -10, children: [inventories] }];
    return { data: { sections }, summary: {} };
  },
  file: ({ data: { sections } }) => ({
    tables: [sectionTable({ sections })],
    forms: [
      {
        title: 'Modelo 303',
        notes: ['Según los libros, sin presentar'],
        groups: [
          {
            title: 'IVA devengado',
            heads: ['Base imponible', 'Tipo %', 'Cuota'],
            lines: [
              {
                label: 'Régimen general',
                boxes: [
                  { number: '07', value: 1234.5 },
                  { number: '08', value: 21, kind: 'percent' },
                  { number: '09', value: 259.25 },
                ],
              },
              {
                label: 'Inversión del sujeto pasivo',
                boxes: [
                  { number: '12', value: 700 },
                  { number: '13', value: 147 },
                ],
              },
              { label: 'Sin importe', boxes: [{ number: '14', value: 0 }] },
              { label: 'Total cuota devengada', boxes: [{ number: '27', value: 0 }], total: true },
            ],
          },
        ],
      },
    ],
  }),
  charts: () => [
    {
      title: 'Ventas por mes',
      kind: 'bar',
      categories: ['enero', '<script>'],
      series: [
        { name: 'Ventas', values: [1500, 2500.5] },
        { name: 'Compras', values: [800, -100] },
      ],
    },
    { title: 'Reparto', kind: 'pie', categories: ['A', 'B'], series: [{ name: 'x', values: [1, 3] }] },
  ],
});

/** Eight columns. */
const wideFile = () => ({
  tables: [{ row: Type.Object(Object.fromEntries([...'abcdefgh'].map((name) => [name, text()]))), rows: [] }],
});

describe('reports as PDF', function () {
  this.timeout(60_000);
  const company = useCompany();
  const browser = use(() => new Browser(testChromium, pino({ level: 'silent' })), {
    close: (opened) => opened.close(),
  });
  const reportPage = (report: Report) =>
    company.database.readTenant(company.ctx, async (db) =>
      renderReport(await openReport(db, { report, params: {}, ctx: company.ctx }), null),
    );
  const pdf = async (report: Report) => pdfPages(await browser.print(await reportPage(report)));

  it('repeat head and page number on every page, and end with the totals', async () => {
    const pages = await pdf(listed(90));
    assert.ok(pages.length >= 3, `${pages.length} pages`);
    for (const [index, page] of pages.entries()) {
      assert.match(page, /CÓDIGO\s+NOMBRE\s+CANTIDAD\s+IMPORTE/i);
      assert.match(page, new RegExp(`Página\\s+${index + 1}\\s+de\\s+${pages.length}`));
    }
    assert.match(
      pages[0] ?? '',
      /Frutas García[\s\S]*NIF B12345674[\s\S]*Artículos vendidos\s+01\/01\/2026 – 15\/06\/2026/,
    );
    assert.match(pages[0] ?? '', /<img src=x onerror=alert\(1\)> & «Ñandú»\s+1,5\s+1\.234,50\s+12,25 %/);
    // 90 × 1234.5 = 111,105.
    assert.match(pages.at(-1) ?? '', /Total\s+111\.105,00/);
  });

  it('print every column of a very wide table that has a value', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `column_${index + 1}`);
    const values = names.map((name, index) => [name, index % 3 === 2 ? null : 1_234_567 + index]);
    const table = { row: Type.Object(Object.fromEntries(names.map((name) => [name, nullable(amount())]))) };
    const file = () => ({ tables: [{ ...table, rows: [Object.fromEntries(values)] }] });
    const [page = ''] = await pdf({ ...listed(1), file });
    assert.match(page, /1\.234\.595,00/);
    assert.doesNotMatch(page, /COLUMN\s+3\b/i);
  });

  it('print forms with their boxes, sections and charts', async () => {
    const [first = ''] = await pdf(shaped);
    // The head tells the report; what the form is of stands below.
    assert.match(first, /Cuentas anuales[\s\S]*Modelo 303[\s\S]*Régimen general/);
    assert.match(first, /Régimen general\s+07\s+1\.234,50\s+08\s+21,00 %\s+09\s+259,25/);
    assert.match(first, /Modelo 303 Según los libros, sin presentar IVA devengado Base imponible Tipo % Cuota/);
    // A box of zero is blank, but a total says it.
    assert.match(first, /Sin importe\s+14\s+Total cuota devengada\s+27\s+0,00/);
    assert.match(first, /ACTIVO CORRIENTE\s+20,00\s+-10,00\s+B\.I\s+Existencias/);
    assert.match(first, /Ventas por mes/);
    const { html } = await reportPage(shaped);
    const [, svg = ''] = /data:image\/svg\+xml;base64,([^"]+)/.exec(html) ?? [];
    const drawn = Buffer.from(svg, 'base64').toString();
    assert.match(drawn, /^<svg[\s\S]*2\.500[\s\S]*&lt;script&gt;/);
    assert.doesNotMatch(html + drawn, /<script/);
  });

  it('have base and tax of a form in their columns, and its letters bold', async () => {
    const { html } = await reportPage(shaped);
    const [line = ''] = /<th>Inversión del sujeto pasivo<\/th>.*?<\/tr>/s.exec(html) ?? [];
    // The row has a base and a tax, but no rate.
    assert.deepEqual(
      line.match(/<td[^>]*>.*?<\/td>/g)?.map((cell) =>
        cell
          .replaceAll(/<[^>]*>/g, ' ')
          .trim()
          .split(/\s+/)
          .join(' '),
      ),
      ['12 700,00', '', '13 147,00'],
    );
    assert.match(html, /<tr class="strong"><td[^>]*>B<\/td>/);
    assert.doesNotMatch(html, /<tr class="strong"><td[^>]*>B\.I<\/td>/);
  });

  it('say of debit and credit only what is not zero', async () => {
    const row = Type.Object({ name: text(), debit: amount(), credit: amount(), balance: amount() });
    const rows = [{ name: 'Clientes', debit: 12.5, credit: 0, balance: 0 }];
    const ledger = { ...listed(1), file: () => ({ tables: [{ row, rows }] }) } as Report;
    const { html } = await reportPage(ledger);
    const cells = [...html.matchAll(/<td[^>]*>([^<]*)<\/td>/g)].map(([, value]) => value);
    assert.deepEqual(cells, ['Clientes', '12,50', '', '0,00']);
  });

  it('print wide tables in landscape', async () => {
    const wide = { ...listed(1), file: wideFile } as Report;
    // A4 has 842 × 595 points in landscape.
    const bytes = Buffer.from(await browser.print(await reportPage(wide)));
    assert.match(bytes.toString('latin1'), /\/MediaBox \[0 0 841\.\d+ 59[45]\.\d+\]/);
  });

  it('say that there is nothing instead of a total', async () => {
    const [first = ''] = await pdf(listed(0));
    assert.match(first, /IMPORTE[\s\S]*Sin datos/i);
    assert.doesNotMatch(first, /Total/);
  });

  it('speak English to an English company, with its signs', async () => {
    const english = { locale: 'en-GB', dateFormat: 'dd/MM/yyyy', timezone: 'Europe/London' };
    await company.run((trx) => replaceSettings(trx, company.ctx, 'format', english));
    const [first = ''] = await pdf(listed(1));
    await company.run((trx) => replaceSettings(trx, company.ctx, 'format', {}));
    assert.match(first, /Sold items[\s\S]*Total\s+1,234\.50[\s\S]*Page\s+1\s+of\s+1/);
  });

  it('cannot have more rows than can be laid out', async () => {
    await assert.rejects(reportPage(listed(MAX_PDF_ROWS + 1)), { code: 'invalid_parameter' });
  });
});
