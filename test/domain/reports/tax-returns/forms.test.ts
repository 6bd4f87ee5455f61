/** The printed forms have all boxes, each once. */
import assert from 'node:assert/strict';
import { BOXES_111 } from '../../../../domain/ledger/tax-returns/model111.ts';
import { BOXES_123, BOXES_193 } from '../../../../domain/ledger/tax-returns/model123.ts';
import { BOXES_130 } from '../../../../domain/ledger/tax-returns/model130.ts';
import { BOXES_190 } from '../../../../domain/ledger/tax-returns/model190.ts';
import { BOXES_303, model303, PERCENTS_303 } from '../../../../domain/ledger/tax-returns/model303.ts';
import { BOXES_390 } from '../../../../domain/ledger/tax-returns/model390-boxes.ts';
import { model420 } from '../../../../domain/ledger/tax-returns/model420.ts';
import { BOXES_425 } from '../../../../domain/ledger/tax-returns/model425-boxes.ts';
import { FORM_111 } from '../../../../domain/reports/tax-returns/form111.ts';
import { FORM_123, FORM_193 } from '../../../../domain/reports/tax-returns/form123.ts';
import { FORM_130 } from '../../../../domain/reports/tax-returns/form130.ts';
import { FORM_190 } from '../../../../domain/reports/tax-returns/form190.ts';
import { FORM_303 } from '../../../../domain/reports/tax-returns/form303.ts';
import { FORM_390 } from '../../../../domain/reports/tax-returns/form390.ts';
import { FORM_420 } from '../../../../domain/reports/tax-returns/form420.ts';
import { FORM_425 } from '../../../../domain/reports/tax-returns/form425.ts';
import { type FormLayout, fillForm } from '../../../../domain/reports/tax-returns/forms.ts';
import { taxTotal } from '../../../helpers/tax-totals.ts';

const formBoxes = ({ groups }: FormLayout) => groups.flatMap((group) => group.lines.flatMap(({ boxes }) => boxes));

describe('Printed forms', () => {
  it('have each box of their model once', () => {
    assert.deepEqual(formBoxes(FORM_111).toSorted(), BOXES_111.toSorted());
    assert.deepEqual(formBoxes(FORM_123).toSorted(), BOXES_123);
    assert.deepEqual(formBoxes(FORM_193), BOXES_193);
    assert.deepEqual(formBoxes(FORM_130).toSorted(), BOXES_130.toSorted());
    assert.deepEqual(formBoxes(FORM_190).toSorted(), BOXES_190);
    assert.deepEqual(formBoxes(FORM_303).toSorted(), BOXES_303.toSorted());
    assert.deepEqual(formBoxes(FORM_390).toSorted(), BOXES_390.toSorted());
    const { boxes } = model420({ totals: [], carried: '0', refund: false });
    assert.deepEqual(formBoxes(FORM_420).toSorted(), Object.keys(boxes).toSorted());
    assert.deepEqual(formBoxes(FORM_425).toSorted(), BOXES_425.toSorted());
  });

  it('show values by number, percentages as such, and only the lines that are asked for', () => {
    const period = { year: 2026, period: '1T' };
    const { boxes } = model303({
      period,
      totals: [taxTotal('output', 10)],
      carried: '0',
      refund: false,
      stateShare: '100',
    });
    const asked = new Set(['07', '08', '09']);
    const values = Object.fromEntries(Object.entries(boxes).filter(([box]) => asked.has(box)));
    const form = fillForm(FORM_303, { values, percents: PERCENTS_303, language: 'es', money: Number });
    assert.deepEqual(form.groups, [
      {
        title: 'IVA devengado',
        heads: ['Base imponible', 'Tipo %', 'Cuota'],
        lines: [
          {
            label: 'Régimen general 21 %',
            total: undefined,
            boxes: [
              { number: '07', value: 10 },
              { number: '08', value: 21, kind: 'percent' },
              { number: '09', value: 2.1 },
            ],
          },
        ],
      },
    ]);
  });
});
