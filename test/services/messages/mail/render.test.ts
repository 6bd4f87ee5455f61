import assert from 'node:assert/strict';
import { ServiceError } from '../../../../domain/errors.ts';
import { isCheap } from '../../../../services/messages/mail/liquid.ts';
import { renderTemplate } from '../../../../services/messages/mail/render.ts';
import { longestStandstill, MAX_STANDSTILL_MS } from '../../../helpers/standstill.ts';

const COMPANY = 'a company';
const VIEW = {
  names: { document: { number: 'F1', dueDate: null }, partner: { name: 'Ana & Co.' } },
  printing: {
    choices: { locale: 'es-ES', dateFormat: 'dd/MM/yyyy', decimalPrecision: 2, quantityPrecision: 3 },
    language: null,
    timezone: 'Europe/Madrid',
    currency: 'EUR',
  },
};

/** The text that a template with this body gives, or the code of its fault. */
async function outcome(body: string, tenantId = COMPANY): Promise<string> {
  try {
    return (await renderTemplate(tenantId, { subject: 'x', body }, VIEW)).text;
  } catch (error) {
    assert.ok(error instanceof ServiceError, String(error));
    return error.errors[0]?.code ?? error.code;
  }
}

const times = (count: number, part: string) => part.repeat(count);
/** Makes `a` longer: twice as long each time. */
const DOUBLE = '{% assign a = a | append: a %}';
const begun = (text: string, doubled: number) => `{% assign a = '${text}' %}${times(doubled, DOUBLE)}`;

/** Templates that grow until they hurt. */
const GROWING: Readonly<Record<string, (size: number) => string>> = {
  'long texts in long texts': (n) =>
    `${begun('aaaaaaaa', Math.min(n, 11))}{% assign b = a | append: 'b' | append: a %}${times(2, DOUBLE)}` +
    `{% if a contains b ${times(n, 'or a contains b ')}%}{% endif %}`,
  'captured texts': (n) =>
    `{% capture a %}{% for i in (1..${n * 20}) %}aaaaaaaaaaaaaaaaaaaa{% endfor %}{% endcapture %}` +
    `{% capture b %}{{ a }}b{{ a }}{% endcapture %}${times(n, '{% assign c = a | append: a | split: b %}')}`,
  'captures that double': (n) =>
    `{% capture a %}aaaaaaaa{% endcapture %}${times(n, '{% capture a %}{{ a }}{{ a }}{% endcapture %}')}`,
  'replaced characters': (n) => `${begun('aaaaaaaa', Math.min(n, 12))}{{ a | replace: 'a', a }}`,
  'texts split and joined': (n) =>
    `${begun('aaaaaaaa', Math.min(n, 12))}${times(n, '{% assign c = a | split: "" | join: a %}')}`,
  'wide dates': (n) => `{{ 'now' | date: '%${'9'.repeat(Math.min(n, 12))}d' }}`,
  'nested loops': (n) =>
    `${times(n, '{% for i in (1..300) %}')}{% if i contains 'x' %}{% endif %}${times(n, '{% endfor %}')}`,
  'deep nesting': (n) => `${times(n, '{% if document %}')}${times(n, '{% endif %}')}`,
  'unclosed outputs': (n) => times(n, '{{ '),
  'unclosed tags': (n) => times(n, '{%-  '),
  'names and spaces': (n) => times(n, '{{ a.b.c.d.e   '),
  'much output': (n) => `{% for i in (1..9000) %}${'x'.repeat(n)}{% endfor %}`,
  'sorted lists': (n) => `{% assign l = (1..20000) %}${times(n, '{% assign m = l | sort | reverse | uniq %}')}`,
  'stripped tags': (n) => `${begun('<script', Math.min(n, 12))}${times(n, '{{ a | strip_html }}')}`,
  'expressions of filters': (n) =>
    `{% assign l = (1..3000) %}${times(n, '{% assign m = l | where_exp: "x", "l contains x" %}')}`,
  'names that are read': (n) => times(n, '{{ document.number }}'),
};
/** Maximum characters of the body of a template. */
const MAX_SOURCE = 10_000;

describe('rendering of templates', function () {
  this.timeout(120_000);

  it('takes no thread for names and conditions on them', () => {
    const cheap = (body: string) => isCheap({ template: { subject: '', body }, view: VIEW });
    for (const body of ['x', '{{ a.b }}', '{{- a -}}{% if a.b %}{{ c }}{% else %}d{% endif %}', '{ % }']) {
      assert.ok(cheap(body), body);
    }
    const dear = [
      '{{ a | upcase }}',
      '{% for i in a %}{% endfor %}',
      '{{ a[b] }}',
      '{{ "x" }}',
      '{% if a == b %}{% endif %}',
    ];
    for (const body of [...dear, '{{ a', '{{ a }}'.repeat(101)]) assert.ok(!cheap(body), body);
  });

  it('comes to the same in a thread', async () => {
    assert.equal(await outcome('{{ partner.name }}{% if document.number %}!{% endif %}'), 'Ana & Co.!');
    assert.equal(await outcome('{{ partner.name | append: "!" }}'), 'Ana & Co.!');
    assert.equal(await outcome('{% for i in (1..3) %}{{ i }}{% endfor %}'), '123');
    assert.equal(await outcome('{% if partner.name contains "Ana" %}yes{% endif %}'), 'yes');
  });

  it('reads what its parts capture, and refuses to capture more than it may produce', async () => {
    assert.equal(await outcome('{% capture a %}{{ partner.name }}{% endcapture %}{{ a }}'), 'Ana & Co.');
    const long = '{% capture a %}{% for i in (1..600) %}aaaaaaaaaaaaaaaaaaaa{% endfor %}{% endcapture %}';
    assert.equal(await outcome(`${long}ok`), 'ok');
    assert.equal(await outcome(`${long.replace('600', '6000')}ok`), 'invalid_template');
  });

  for (const [what, grown] of Object.entries(GROWING)) {
    it(`stops neither the process nor another company while a template grows: ${what}`, async () => {
      for (let size = 1; size <= MAX_SOURCE && grown(size).length <= MAX_SOURCE; size *= 4) {
        const body = grown(size);
        const standstill = await longestStandstill(async () => {
          const hostile = Promise.all([outcome(body), outcome(body)]);
          assert.equal(await outcome('{{ document.number | downcase }}', 'another'), 'f1');
          await hostile;
        });
        assert.ok(standstill < MAX_STANDSTILL_MS, `the process stood still for ${standstill} ms at ${size}`);
      }
    });
  }
});
