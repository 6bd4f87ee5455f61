import assert from 'node:assert/strict';
import { formatsFor } from '../../../../domain/locale/formats.ts';
import type { Chart } from '../../../../domain/reports/engine/charts.ts';
import { chartSvg } from '../../../../services/reports/engine/chart-svg.ts';

const settings = { locale: 'es-ES', dateFormat: 'dd/MM/yyyy', decimalPrecision: 2, quantityPrecision: 2 };
const style = {
  primary: '#2563eb',
  accent: '#10b981',
  font: 'Noto Sans',
  formats: formatsFor(settings, null),
};

/** The texts of a drawing, in its order. */
function chartTexts(chart: Omit<Chart, 'title'>): string[] {
  const svg = chartSvg({ title: '', ...chart }, style);
  return [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text = '']) => text);
}

describe('charts', () => {
  it('have the whole names of rows beside their bars, and of long ones the beginning', () => {
    const long = 'Comercializadora Internacional de Productos Hortofrutícolas';
    const categories = [long, ...Array.from({ length: 9 }, (_, index) => `Cliente ${index} y Compañía, S.L.`)];
    const texts = chartTexts({
      kind: 'rows',
      categories,
      series: [{ name: 'Ingresos', values: categories.map(() => 1) }],
    });
    assert.deepEqual(
      categories.slice(1).filter((name) => !texts.includes(name)),
      [],
    );
    assert.ok(texts.includes('Comercializadora Internacional de P…'), texts.join());
  });

  it("write days in the company's format, and amounts with its signs", () => {
    const texts = chartTexts({ kind: 'bar', categories: ['2026-11-02'], series: [{ name: 'Saldo', values: [2500] }] });
    assert.ok(texts.includes('02/11/2026') && texts.includes('2.500'), texts.join());
  });

  it('draw the line of zero where something is below it', () => {
    const paths = (value: number) => {
      const series = [{ name: 'Saldo', values: [value, 20] }];
      const svg = chartSvg({ title: '', kind: 'line', categories: ['a', 'b'], series }, style);
      return svg.split('stroke="#374151"').length - 1;
    };
    // The axis at the edge is there in any case.
    assert.equal(paths(-10), paths(10) + 1);
  });
});
