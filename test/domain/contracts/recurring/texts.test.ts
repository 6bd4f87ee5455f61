import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { fillText, TEXT_NAMES, unknownName } from '../../../../domain/contracts/recurring/texts.ts';
import { formatsFor } from '../../../../domain/locale/formats.ts';

const CHOICES = { locale: 'es-ES', dateFormat: 'dd/MM/yyyy', decimalPrecision: 2, quantityPrecision: 2 };
const period = { from: '2026-04-01', to: '2026-06-30', dueOn: '2026-04-01', number: 3 };

describe('texts of recurring documents', () => {
  it('speak of the period in the language of their reader', () => {
    const text = 'Alquiler {{period.month}} {{ period.year }} (T{{period.quarter}}), {{ period.from }}–{{period.to}}';
    assert.equal(fillText(text, period, formatsFor(CHOICES, null)), 'Alquiler abril 2026 (T2), 01/04/2026–30/06/2026');
    const english = fillText(
      'Rent for {{period.month}}, no. {{number}} of {{date}}',
      period,
      formatsFor(CHOICES, 'en'),
    );
    assert.equal(english, 'Rent for April, no. 3 of 01 Apr 2026');
  });

  it('know all their names and no others', () => {
    assert.equal(
      unknownName(
        Object.keys(TEXT_NAMES)
          .map((name) => `{{ ${name} }}`)
          .join(' '),
      ),
      undefined,
    );
    assert.equal(unknownName('{{ period.from }} {{ period.end }}'), 'period.end');
    assert.equal(unknownName('{{constructor}}'), 'constructor');
    assert.equal(unknownName('{ period }'), undefined);
  });
});
