import assert from 'node:assert/strict';
import { boxRows, type Form, onPaper } from '../../../../domain/reports/engine/forms.ts';

const box = (number: string, value: number) => ({ number, value });
const form: Form = {
  title: 'Modelo',
  groups: [
    {
      title: 'Devengado',
      heads: ['Base', 'Tipo', 'Cuota'],
      lines: [
        { label: 'General', boxes: [box('07', 100), { ...box('08', 21), kind: 'percent' }, box('09', 21)] },
        { label: 'Reducido', boxes: [box('04', 0), { ...box('05', 10), kind: 'percent' }, box('06', 0)] },
        { label: 'Inversión', boxes: [box('12', 50), box('13', -10.5)] },
        { label: 'Total', boxes: [box('27', 0)], total: true },
      ],
    },
    { title: 'Otras', lines: [{ label: 'Simplificado', boxes: [box('83', 0)] }] },
  ],
};

describe('forms', () => {
  it('say in a table of their boxes which column each is of', () => {
    assert.deepEqual(
      boxRows(form).map(({ box: number, concept, amount }) => [number, concept, amount]),
      [
        ['07', 'General: Base', 100],
        ['08', 'General: Tipo', 21],
        ['09', 'General: Cuota', 21],
        ['04', 'Reducido: Base', 0],
        ['05', 'Reducido: Tipo', 10],
        ['06', 'Reducido: Cuota', 0],
        ['12', 'Inversión: Base', 50],
        ['13', 'Inversión: Cuota', -10.5],
        ['27', 'Total: Cuota', 0],
        ['83', 'Simplificado', 0],
      ],
    );
  });

  it('are printed whole, or without the lines that have no amounts, if they are brief', () => {
    const labels = (shown: Form) => shown.groups.map(({ lines }) => lines.map(({ label }) => label));
    assert.deepEqual(labels(onPaper(form)), labels(form));
    // A rate is no amount; a total is there in any case.
    assert.deepEqual(labels(onPaper({ ...form, brief: true })), [['General', 'Inversión', 'Total']]);
  });
});
