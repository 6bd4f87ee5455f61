import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Agency, startAgency } from '../../demo/aeat/agency.ts';
import { openAuthority } from '../../demo/aeat/authority.ts';
import { type FaceGateway, startFace } from '../../demo/face/gateway.ts';
import { freePort } from '../../runtime/ports.ts';
import { inherited } from '../helpers/environment.ts';
import { pdfText } from '../helpers/pdf-text.ts';
import { pasteExamples, runExamples } from '../helpers/shell-examples.ts';
import { ownPlace, ServiceProcess } from './service-process.ts';

/** As they are in a terminal: zsh takes # for a command there. */
const SHELLS = [['bash'], ['dash'], ['zsh', '-f', '-i']] as const;

/** One after the other on one service, as somebody who is new here works through them. */
describe('the examples of the pages', function () {
  this.timeout(300_000);
  let folder: string;
  let service: ServiceProcess;
  let agency: Agency;
  let face: FaceGateway;
  let url: string;
  let env: Record<string, string>;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pages-'));
    const receiver = String(await freePort());
    env = {
      ...(await ownPlace(join(folder, 'data'))),
      LOG_LEVEL: 'warn',
      WEBHOOK_ALLOWED_TARGETS: `127.0.0.1:${receiver}`,
      DEMO_RECEIVER_PORT: receiver,
    };
    const standIn = join(env.DATA_DIR ?? '', 'aeat');
    const authority = openAuthority(standIn, new Date());
    agency = await startAgency(authority, { folder: standIn });
    face = await startFace(authority);
    agency.behaviour.waitSeconds = 1;
    Object.assign(env, {
      FACE_TEST_URL: face.url,
      FACE_CA_FILE: join(standIn, 'authority.pem'),
      VERIFACTU_TEST_URL: agency.url,
      VERIFACTU_CA_FILE: join(standIn, 'authority.pem'),
      VERIFACTU_MAKER_NAME: 'Example Software SL',
      VERIFACTU_MAKER_TAX_ID: 'B12345674',
    });
    url = `http://127.0.0.1:${env.PORT}`;
    service = new ServiceProcess('runtime/start', [], env);
    await service.says('Ready.');
  });
  after(async () => {
    const code = await service.stop();
    await agency.close();
    await face.close();
    rmSync(folder, { recursive: true, force: true });
    assert.equal(code, 0, service.output);
  });

  it('npm start says where everything is', () => {
    for (const shown of [
      `API +${url}`,
      `Docs +${url}/docs`,
      'Temporal UI +http:.*',
      'Temporal CLI +/.*',
      `Data +${env.DATA_DIR}`,
    ])
      assert.match(service.output, new RegExp(`^  ${shown}$`, 'm'));
  });

  const run = (page: string) => runExamples(page, { url, cwd: folder, env: { ...inherited(), ...env } });
  const invoiceText = () => pdfText(readFileSync(join(folder, 'invoice.pdf')));

  it('README.md: from nothing to an invoice on disk, and the demo', async () => {
    await run('README.md');
    const text = await invoiceText();
    for (const part of ['Frutas García', 'Bar Central', 'Oranges', '36,30', 'SINV'])
      assert.ok(text.includes(part), text);
  });

  for (const shell of SHELLS) {
    it(`README.md once more, in ${shell[0]}: the set-up is refused with the reason, and the rest works`, async function () {
      if (spawnSync(shell[0], ['-c', 'exit']).status !== 0) this.skip();
      const { stdout, stderr } = await pasteExamples('README.md', shell, {
        url,
        cwd: folder,
        env: { ...inherited(), ...env },
      });
      assert.match(stderr, /set[- ]up/, stderr);
      assert.deepEqual(stdout.trim().split('\n'), ['O', '36.3'], stderr);
    });
  }

  it('docs/guide.md: from a first sale to the end of the year', async () => {
    await run('docs/guide.md');
    const text = await invoiceText();
    for (const part of ['Café Sol', 'Peaches', '43,56']) assert.ok(text.includes(part), text);
    assert.match(readFileSync(join(folder, 'order.xml'), 'utf8'), /<Nm>Carrier<\/Nm>/);
    assert.equal(readFileSync(join(folder, 'items.xlsx')).subarray(0, 2).toString(), 'PK');
  });

  it('docs/year.md: from the capital of a company to its closed year', async () => {
    await run('docs/year.md');
    assert.match(await pdfText(readFileSync(join(folder, 'balance-sheet.pdf'))), /Estudio Norte/);
  });

  it('docs/groups.md: from two companies to their consolidated accounts', async () => {
    await run('docs/groups.md');
  });

  it('the beginning of /docs', async () => {
    await run('api/openapi/introduction.md');
    assert.match(await invoiceText(), /Consulting/);
  });
});
