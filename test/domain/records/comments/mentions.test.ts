import assert from 'node:assert/strict';
import { mentionsIn } from '../../../../domain/records/comments/mentions.ts';

describe('mentions', () => {
  for (const [text, mentioned] of [
    ['@ana@acme.es please look', ['ana@acme.es']],
    ['Ask @Ana.Gil@Acme.es, then (@bea@acme.co.uk).', ['ana.gil@acme.es', 'bea@acme.co.uk']],
    ['@ana@acme.es! @ANA@acme.es? @ana@acme.es…', ['ana@acme.es']],
    ['write to ana@acme.es or x@ana@acme.es', []],
    ['@ana, @, @@, @ana@', []],
    ['línea\n@josé+facturas@peña.es;', ['josé+facturas@peña.es']],
  ] as const) {
    it(`of ${JSON.stringify(text)}`, () => assert.deepEqual(mentionsIn(text), mentioned));
  }

  it('takes no longer for long texts of nothing but signs', () => {
    assert.deepEqual(mentionsIn('@.'.repeat(5000)), []);
    assert.deepEqual(mentionsIn(`@${'a'.repeat(10_000)}`), []);
  });
});
