import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { bookFileName, designCells } from '../../../../domain/reports/tax-returns/vat-book-cells.ts';
import {
  INVESTMENT_DESIGN,
  ISSUED_DESIGN,
  RECEIVED_DESIGN,
} from '../../../../domain/reports/tax-returns/vat-book-designs.ts';

describe('VAT books in the format of the tax agency', () => {
  it('have the columns of the design', () => {
    const widths = [ISSUED_DESIGN, RECEIVED_DESIGN, INVESTMENT_DESIGN].map(({ columns }) => columns.length);
    assert.deepEqual(widths, [36, 42, 42]);
  });

  it('write days, flags and long names as the design wants them', () => {
    const line = { issued_on: '2026-04-09', investment: true, partner_name: 'x'.repeat(50), base: -12.5, rate: 0 };
    const cells = designCells(RECEIVED_DESIGN, line);
    const at = (heading: string) => cells[RECEIVED_DESIGN.columns.findIndex(({ group }) => group === heading)];
    assert.deepEqual(
      [at('Fecha Expedición'), at('Bien de Inversión'), at('Nombre Expedidor')],
      ['09/04/2026', 'S', 'x'.repeat(40)],
    );
    assert.deepEqual([at('Base Imponible'), at('Tipo de IVA'), at('Concepto de Gasto')], [-12.5, 0, null]);
  });

  it('name files by year, tax id, book and company', () => {
    const company = { year: 2026, taxId: 'B12345674', name: 'Peñas: «Arriba» S.L.' };
    assert.equal(bookFileName(ISSUED_DESIGN, company), '2026B12345674EPenas Arriba S.L.');
  });
});
