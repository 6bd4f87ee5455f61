import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  fill,
  fillValue,
  MAX_FILLED,
  Room,
  TARGETS,
  type Target,
  TooLong,
  templateFault,
  templatePaths,
} from '../../../../domain/integrations/automations/templates.ts';

const DATA = {
  document: {
    number: 17,
    code: 'F26/17',
    total: 1210.5,
    createdBy: 'u1',
    partner: { name: 'Señor "Ñ" & <Hijos>\r\nX-Evil: 1', email: null },
    tags: ['urgent', 'export'],
    lines: [{ quantity: 2 }, { quantity: 3 }],
  },
};

describe('templates of automations', () => {
  it('insert data by its path, in either spelling', () => {
    const { value, unknown } = fill('{{document.code}}: {{ document.total }} by {{document.created_by}}', DATA, 'text');
    assert.equal(value, 'F26/17: 1210.5 by u1');
    assert.deepEqual(unknown, []);
    assert.equal(fill('{{document.tags}} {{document.lines.quantity}}', DATA, 'text').value, 'urgent, export 2, 3');
    assert.equal(fill('{{document.lines.0}}', DATA, 'text').value, '{"quantity":2}');
  });

  it('report paths that lead to nothing, and leave them empty', () => {
    const { value, unknown } = fill('[{{document.nmae}}{{document.nmae}}{{document.partner.email}}]', DATA, 'text');
    assert.equal(value, '[]');
    // An existing but empty member is not a mistake.
    assert.deepEqual(unknown, ['document.nmae']);
  });

  it('escape data for its context', () => {
    const name = '{{document.partner.name}}';
    assert.equal(fill(name, DATA, 'html').value, 'Señor &#34;Ñ&#34; &#38; &#60;Hijos&#62;\r\nX-Evil: 1');
    assert.equal(
      fill(`?q=${name}`, { document: { partner: { name: 'a&b=c/ñ' } } }, 'url').value,
      '?q=a%26b%3Dc%2F%C3%B1',
    );
    assert.equal(fill(name, DATA, 'header').value, 'Señor "Ñ" & <Hijos> X-Evil: 1');
  });

  it('make valid JSON, in texts and outside of them', () => {
    const template =
      '{"say \\"hi\\"": "by {{document.partner.name}}", "n": {{document.total}}, "x": {{document.nmae}}, "d": {{document.lines}}}';
    assert.deepEqual(JSON.parse(fill(template, DATA, 'json').value), {
      'say "hi"': `by ${DATA.document.partner.name}`,
      n: 1210.5,
      x: null,
      d: DATA.document.lines,
    });
  });

  it('keep the type of data if they consist of a placeholder alone', () => {
    assert.deepEqual(fillValue('{{document.total}}', DATA), { value: 1210.5, unknown: [] });
    assert.deepEqual(fillValue(' {{ document.lines }} ', DATA).value, DATA.document.lines);
    assert.equal(fillValue('{{document.total}} EUR', DATA).value, '1210.5 EUR');
    assert.deepEqual(fillValue('{{nothing}}', DATA), { value: null, unknown: ['nothing'] });
  });

  it('cannot lead out of the data', () => {
    for (const path of [
      '__proto__.x',
      'document.constructor.name',
      'document.prototype',
      'document.a b',
      '1+1()',
      '',
    ]) {
      assert.equal(templateFault(`{{${path}}}`)?.code, 'invalid_path', path);
    }
    assert.equal(templateFault('{{document.code}} { "a": 1 } }}'), null);
    assert.equal(templateFault('{{a}}'.repeat(201))?.code, 'too_many');
    for (const path of ['toString', 'document.code.length', 'hasOwnProperty']) {
      assert.deepEqual(fill(`{{${path}}}`, DATA, 'text'), { value: '', unknown: [path] }, path);
    }
  });

  it('do not exceed their maximum length', () => {
    const data = { big: 'x'.repeat(MAX_FILLED / 100) };
    assert.throws(() => fill(' {{big}}'.repeat(100), data, 'text'), TooLong);
    assert.equal(fill('{{big}}'.repeat(100), data, 'text').value.length, MAX_FILLED);
  });

  it('do not exceed their maximum length together, as texts or as data', () => {
    const data = { big: ['x'.repeat(MAX_FILLED / 2), { y: 1 }] };
    const room = new Room();
    assert.deepEqual(fillValue('{{big}}', data, room).value, data.big);
    assert.throws(() => fillValue('{{big}}', data, room), TooLong);
    assert.throws(() => fill('{{big}}', data, 'json', room), TooLong);
  });

  it('keep the text around their placeholders, and never expand data', () => {
    const piece = fc.string({ maxLength: 20 }).filter((text) => !/[{}]/.test(text));
    fc.assert(
      fc.property(piece, fc.string(), piece, (before, value, after) => {
        // A value that looks like a template is data.
        const { value: text } = fill(`${before}{{v}}${after}`, { v: `${value}{{w}}`, w: 'SECRET' }, 'text');
        assert.equal(text, `${before}${value}{{w}}${after}`);
        assert.deepEqual(templatePaths(`${before}{{v}}${after}`), ['v']);
      }),
    );
  });

  it('do not exceed their maximum length, whatever the data', () => {
    const long = fc.integer({ min: 0, max: 4000 }).map((length) => '<'.repeat(length));
    fc.assert(
      fc.property(long, fc.integer({ min: 1, max: 200 }), fc.constantFrom(...TARGETS), (v, times, target) => {
        let text = '';
        try {
          text = fill('{{v}}'.repeat(times), { v }, target).value;
        } catch (error) {
          assert.ok(error instanceof TooLong);
        }
        assert.ok(text.length <= MAX_FILLED);
      }),
    );
  });

  it('keep all data inside its context', () => {
    const data = fc.string({
      unit: fc.constantFrom('<', '>', '"', "'", '&', '\r', '\n', '/', '?', '#', 'a', 'ñ', '\\'),
    });
    fc.assert(
      fc.property(data, (v) => {
        const as = (target: Target) => fill('{{v}}', { v }, target).value;
        assert.doesNotMatch(as('html'), /[<>"']|&(?!#\d+;)/);
        assert.match(as('url'), /^[\w%.~!*'()-]*$/);
        assert.doesNotMatch(as('header'), /[\r\n]/);
        assert.deepEqual(JSON.parse(`[${as('json')}]`), [v]);
      }),
    );
  });

  it('make valid JSON of any data', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, text) => {
        const made = JSON.parse(fill('{"a": {{value}}, "b": "\\\\{{text}}"}', { value, text }, 'json').value);
        assert.deepEqual(made, { a: JSON.parse(JSON.stringify(value)), b: `\\${text}` });
      }),
    );
  });
});
