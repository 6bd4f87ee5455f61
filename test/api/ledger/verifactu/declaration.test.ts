import assert from 'node:assert/strict';
import { SERVICE_VERSION } from '../../../../config/version.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

const PATH = '/api/verifactu/declaration';
const MAKER = { VERIFACTU_MAKER_NAME: 'Fabricante <de> Ejemplo & Cía', VERIFACTU_MAKER_TAX_ID: 'B12345674' };
const DECLARED = {
  VERIFACTU_MAKER_ADDRESS: 'Calle Mayor 1, 28001 Madrid',
  VERIFACTU_DECLARED_ON: '2026-11-28',
  VERIFACTU_DECLARED_AT: 'Madrid, España',
};

describe('the declaration of the program', () => {
  const app = useApp(() => ({ env: { ...MAKER, ...DECLARED, VERIFACTU_SYSTEM_CODE: 'EJ' } }));

  it('has what the order wants, with the values that records have', async () => {
    const { status, headers, body } = await app.client.get(PATH);
    assert.equal(status, 200);
    assert.match(String(headers.get('content-type')), /^text\/html/);
    const page = String(body);
    for (const text of [
      'DECLARACIÓN RESPONSABLE DEL SISTEMA INFORMÁTICO DE FACTURACIÓN',
      'Fabricante &lt;de&gt; Ejemplo &amp; Cía',
      'B12345674',
      '<dd>EJ</dd>',
      `<dd>${SERVICE_VERSION}</dd>`,
      'Calle Mayor 1, 28001 Madrid',
      '28-11-2026, Madrid, España',
      'artículo 29.2.j)',
    ])
      assert.ok(page.includes(text), `${text} is in ${page}`);
    assert.equal(page.match(/<dt>[a-l]\) /g)?.length, 12);
  });
});

describe('a service whose operators declare nothing', () => {
  const app = useApp();

  it('has no declaration', async () => {
    assertProblem(await app.client.get(PATH), 404, 'not_found');
  });
});
