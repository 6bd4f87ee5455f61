import assert from 'node:assert/strict';
import { tableRows } from '../../../../services/trade/pdf/table-rows.ts';

const PLAIN = { numeric: false, whole: false, indent: 0 };

describe('rows of printed tables', () => {
  it('say how each cell is placed', () => {
    const cells = [
      { ...PLAIN, text: 'Caja', indent: 7 },
      { ...PLAIN, text: '2025-01-31', whole: true },
      { ...PLAIN, text: '1.234,50', numeric: true },
    ];
    assert.equal(
      tableRows([{ cells, kind: 'strong' }]),
      '<tr class="strong"><td style="padding-left: 7mm">Caja</td><td class="whole">2025-01-31</td><td class="number">1.234,50</td></tr>',
    );
  });

  it('break only words that take too much room', () => {
    const of = (text: string) => tableRows([{ cells: [{ ...PLAIN, text }], kind: null }]);
    assert.equal(of('Centro Exportación'), '<tr><td>Centro Exportación</td></tr>');
    assert.equal(of('a Donaudampfschifffahrt'), '<tr><td class="broken">a Donaudampfschifffahrt</td></tr>');
  });

  it('escape every text', () => {
    assert.equal(
      tableRows([{ cells: [{ ...PLAIN, text: `<img src="x" on='y'> &amp;` }], kind: null }]),
      '<tr><td>&lt;img src=&#34;x&#34; on=&#39;y&#39;&gt; &amp;amp;</td></tr>',
    );
  });
});
