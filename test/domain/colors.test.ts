import assert from 'node:assert/strict';
import { DARK_INK, inkOn, inkOnPaper, isColor, LIGHT_INK } from '../../domain/colors.ts';

describe('colours of a brand', () => {
  it('are written on in white or in dark, whichever is read better', () => {
    assert.deepEqual(['#2563eb', '#000000', '#be123c'].map(inkOn), [LIGHT_INK, LIGHT_INK, LIGHT_INK]);
    assert.deepEqual(['#facc15', '#ffffff', '#A7F3D0'].map(inkOn), [DARK_INK, DARK_INK, DARK_INK]);
  });

  it('are written with on paper only where they can be read', () => {
    assert.equal(inkOnPaper('#2563eb'), '#2563eb');
    assert.equal(inkOnPaper('#facc15'), DARK_INK);
  });

  it('are known by their form', () => {
    assert.ok(isColor('#2563EB'), 'six digits');
    for (const text of ['', '#fff', '2563eb', '#2563eb;', 'red']) assert.ok(!isColor(text), text);
  });
});
