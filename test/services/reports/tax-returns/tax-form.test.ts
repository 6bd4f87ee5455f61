import assert from 'node:assert/strict';
import { FORM_303 } from '../../../../domain/reports/tax-returns/form303.ts';
import { DEFAULT_SETTINGS } from '../../../../services/platform/settings/definitions.ts';
import { formFile } from '../../../../services/reports/tax-returns/tax-form.ts';

describe('forms of tax models', () => {
  const notes = (filed: { filed_at: string } | null, changed: Record<string, number>) => {
    const data = { boxes: { '27': 21, '07': 100, '09': 21 }, type: 'I', filed, changed, unmapped: [] } as const;
    const file = formFile(FORM_303, { data, language: 'es', settings: DEFAULT_SETTINGS }, { period: '2026 2T' });
    return file.forms?.[0]?.notes;
  };

  it('say what they are worth', () => {
    assert.deepEqual(notes(null, {}), ['Resultado a ingresar · Según los libros, sin presentar']);
  });

  it('name the boxes that have changed since they were filed, in the order of their numbers', () => {
    assert.deepEqual(notes({ filed_at: '2026-07-19T23:00:00Z' }, { '27': 42, '07': 200, '09': 42, '110': 1 }), [
      'Resultado a ingresar · Presentado el 20/07/2026',
      'Los libros han cambiado desde entonces en las casillas 07, 09, 27, 110',
    ]);
  });
});
