import assert from 'node:assert/strict';
import { SERVICE_VERSION } from '../../../../config/version.ts';
import { REAL_CLOCK } from '../../../helpers/app.ts';
import { download } from '../../../helpers/download.ts';
import { useApp, useTemporal, useWorker } from '../../../helpers/hooks.ts';
import { pdfText } from '../../../helpers/pdf-text.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { ENCRYPTION_KEY, eventually, testConfig } from '../../../helpers/worker.ts';

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

describe('the declaration of the program as a PDF', function () {
  this.timeout(120_000);
  const temporal = useTemporal();
  const app = useApp(() => {
    const { address, namespace } = temporal;
    const env = { ENCRYPTION_KEY, TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace };
    return { clock: REAL_CLOCK, env: { ...MAKER, ...DECLARED, ...env } };
  });
  useWorker(() => testConfig({ url: app.databaseUrl, ...temporal }));

  it('says the same, and leaves no task behind', async () => {
    const response = await eventually(async () => {
      const answer = await download(app, `${PATH}?format=pdf`);
      assert.equal(answer.status, 200);
      return answer;
    }, 60_000);
    assert.equal(response.headers.get('Content-Type'), 'application/pdf');
    assert.match(response.headers.get('Content-Disposition') ?? '', /filename="declaracion-responsable.pdf"/);
    const text = await pdfText(new Uint8Array(await response.arrayBuffer()));
    for (const part of ['DECLARACIÓN RESPONSABLE', 'Fabricante <de> Ejemplo & Cía', 'B12345674', '28-11-2026, Madrid'])
      assert.ok(text.includes(part), `${part} is in ${text}`);
    const { data } = (await app.client.get('/api/tasks')).body;
    assert.deepEqual(
      data.filter(({ status }: { status: string }) => status === 'done'),
      [],
    );
    assertProblem(await app.client.get(`${PATH}?format=docx`), 400, 'invalid_parameter');
  });
});

describe('a service whose operators declare nothing', () => {
  const app = useApp();

  it('has no declaration', async () => {
    assertProblem(await app.client.get(PATH), 404, 'not_found');
    assertProblem(await app.client.get(`${PATH}?format=pdf`), 404, 'not_found');
  });
});
