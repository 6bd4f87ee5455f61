import assert from 'node:assert/strict';
import { formatsFor, LANGUAGES } from '../../../../domain/locale/formats.ts';
import { defaultTemplate } from '../../../../domain/messages/mail/templates.ts';
import { dayData, decimalData, type Printing } from '../../../../domain/messages/mail/values.ts';
import type { DocType } from '../../../../domain/trade/documents/types.ts';
import { DOC_TYPES } from '../../../../domain/trade/documents/types.ts';
import { renderTemplate } from '../../../../services/messages/mail/render.ts';
import { sampleView } from '../../../../services/trade/mail-templates/view.ts';

const choices = { locale: 'es-ES', dateFormat: 'dd/MM/yyyy', decimalPrecision: 2, quantityPrecision: 3 };
const PRINTING: Printing = { choices, language: null, timezone: 'Europe/Madrid', currency: 'EUR' };
const VIEW = {
  names: {
    document: {
      dueDate: dayData('2026-04-12'),
      date: dayData('2026-03-02'),
      total: decimalData('1234.10', 'EUR'),
      tenth: decimalData('0.1', null),
      none: null,
      text: '12/04/2026',
      parts: [decimalData('0.1', 'EUR'), decimalData('0.2', 'EUR')],
    },
  },
  printing: PRINTING,
};

const render = (body: string, view: { readonly names: object; readonly printing: Printing } = VIEW) =>
  renderTemplate('a company', { subject: 'x', body }, view);
/** Spaces of amounts are non-breaking. */
const shown = async (body: string) => (await render(body)).text.replaceAll(/\s/g, ' ');

describe('typed values of templates', function () {
  this.timeout(60_000);

  for (const [body, expected] of [
    ['{{ document.dueDate }}', '12/04/2026'],
    ["{{ document.dueDate | date: '%d/%m/%Y' }}", '12/04/2026'],
    ["{{ document.dueDate | date: '%-d de %B de %Y' }}", '12 de abril de 2026'],
    ["{{ document.dueDate | date: 'yyyy.MM.dd' }}", '2026.04.12'],
    ['{{ document.dueDate | date }}', '12/04/2026'],
    ["{{ '2026-04-12' | date: '%d/%m/%Y' }}", '12/04/2026'],
    ['{{ document.dueDate | date_to_xmlschema }}', '2026-04-12T00:00:00+00:00'],
    ['{{ document.dueDate | append: "!" }}', '12/04/2026!'],
    ['{% if document.dueDate > document.date %}later{% endif %}', 'later'],
    ["{% if document.dueDate == '2026-04-12' %}then{% endif %}", 'then'],
    ['{{ document.total }}', '1.234,10 €'],
    ['{{ document.total | money }}', '1.234,10 €'],
    ["{{ document.total | money: '0.0' }}", '1234,1 €'],
    ['{{ document.total | number }}', '1.234,10'],
    ["{{ document.total | number: '#,##0' }}", '1.234'],
    ['{{ document.total | number: 3 }}', '1.234,100'],
    ['{{ document.total | plus: 1 }}', '1.235,10 €'],
    ['{{ document.total | times: 0.21 | round: 2 }}', '259,16 €'],
    ['{{ document.total | divided_by: document.total }}', '1'],
    ['{{ document.tenth | plus: 0.2 }}', '0,3'],
    ['{{ 0.1 | plus: 0.2 }}', '0,3'],
    ['{{ document.parts | sum }}', '0,30 €'],
    ['{% if document.total > 10 %}more{% endif %}', 'more'],
    ['{% if document.total > 9999 %}more{% else %}less{% endif %}', 'less'],
    ['{% assign sum = document.tenth | plus: 0.2 %}{% if sum == 0.3 %}exact{% endif %}', 'exact'],
    ['{% if document.none %}there{% else %}empty{% endif %}{{ document.none }}', 'empty'],
    ['{{ document.parts | size }}', '2'],
  ] as const) {
    it(`render ${body} as ${expected}`, async () => {
      assert.equal(await shown(body), expected);
      assert.deepEqual((await render(body)).warnings, []);
    });
  }

  for (const [body, text, message] of [
    ["{{ document.text | date: '%d/%m/%Y' }}", '12/04/2026', '“12/04/2026” is not a date'],
    ["{{ document.dueDate | date: 'day' }}", '12/04/2026', /^“day” is not a format of dates/],
    ["{{ document.total | money: 'euros' }}", /^1\.234,10/, /^“euros” is not a format of numbers/],
    ["{{ document.total | plus: 'two' }}", /^1\.234,10/, '“two” is not a number'],
    ['{{ document.total | divided_by: 0 }}', '', '“0” is not a number to divide by'],
    ["{% if document.dueDate > '12/04/2026' %}later{% endif %}", '', /^“12\/04\/2026” is not a date such as/],
    ["{% if document.total > 'much' %}more{% endif %}", '', '“much” is not a number'],
  ] as const) {
    it(`warn of ${body}`, async () => {
      const rendered = await render(body);
      const [warning, ...others] = rendered.warnings;
      if (typeof text === 'string') assert.equal(rendered.text, text);
      else assert.match(rendered.text, text);
      assert.equal(warning?.pointer, '/body');
      if (typeof message === 'string') assert.equal(warning?.message, message);
      else assert.match(warning?.message ?? '', message);
      assert.deepEqual(others, []);
    });
  }

  it('stay bounded when a loop squares a number', async () => {
    const squared = '{% assign n = 99 %}{% for i in (1..60) %}{% assign n = n | times: n %}{% endfor %}{{ n }}';
    const { warnings } = await render(squared);
    assert.match(warnings[0]?.message ?? '', /is not a number that templates can work with$/);
  });

  for (const language of LANGUAGES) {
    it(`are those of every member of every kind of mail, in ${language}`, async () => {
      const printing = { ...PRINTING, language };
      const formats = formatsFor(choices, language);
      const company = { name: 'Huerta', email: 'a@huerta.example', phone: '1', website: 'huerta.example' };
      for (const docType of DOC_TYPES as readonly DocType[]) {
        const view = sampleView(docType, { formats, printing, company });
        for (const [group, members] of Object.entries(view.names)) {
          for (const [name, value] of Object.entries(members as object)) {
            if (Array.isArray(value)) continue; // Their entries have members.
            const path = `${group}.${name}`;
            const { text, warnings } = await render(`{{ ${path} }}`, view);
            assert.deepEqual(warnings, [], path);
            assert.equal(text, printed(value, formats), path);
            const compared = await render(`{% if ${path} == ${path} %}same{% endif %}`, view);
            assert.deepEqual([compared.text, compared.warnings], ['same', []], path);
          }
        }
        const usual = await renderTemplate('a company', defaultTemplate(docType, language), view);
        assert.deepEqual(usual.warnings, []);
        assert.doesNotMatch(usual.text, /[{}]|\[object|null|undefined/);
      }
    });
  }
});

/** A value as the company's formats print it. */
function printed(value: unknown, { day, money }: ReturnType<typeof formatsFor>): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (value !== null && typeof value === 'object' && '$day' in value) return day(String(value.$day));
  const { $decimal: amount, currency } = value as ReturnType<typeof decimalData>;
  return money(amount, currency ?? 'EUR');
}
