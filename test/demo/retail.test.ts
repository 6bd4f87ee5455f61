import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runDemo } from '../../demo/main.ts';
import { OWNER } from '../helpers/app.ts';
import { inherited } from '../helpers/environment.ts';
import { assertSound, useApp } from '../helpers/hooks.ts';

const DATA = new URL('./fixtures/retail', import.meta.url).pathname;

describe('npm run demo --data, two small days', function () {
  this.timeout(120_000);
  let dataDir: string;
  const app = useApp();
  before(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'demo-'));
  });
  after(() => {
    rmSync(dataDir, { recursive: true, force: true });
  });

  const account = () => ({ url: app.address, email: OWNER.email, password: OWNER.password });

  async function demo(): Promise<{ code: number; printed: string }> {
    const printed: string[] = [];
    const output = { terminal: false, write: (text: string) => void printed.push(text) };
    const options = { ...account(), dataDir, temporalUi: 'http://127.0.0.1:8233', namespace: 'default', data: DATA };
    return { code: await runDemo(options, output), printed: printed.join('') };
  }

  /** Runs the demo in a process of its own and ends it, as the power failing would, once it has said something. */
  async function demoEndedAt(line: RegExp): Promise<void> {
    const { url, email, password } = account();
    const args = ['--import', 'tsx', 'demo/main.ts', '--url', url, '--email', email, '--password', password];
    const env = { ...inherited(), DATA_DIR: dataDir };
    const child = spawn(process.execPath, [...args, '--data', DATA], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk;
      if (line.test(said)) child.kill('SIGKILL');
    });
    const [, signal] = await once(child, 'exit');
    assert.equal(signal, 'SIGKILL', said);
  }

  /** The cells of the days in the table of that title. */
  const printedRows = (printed: string, title: string) =>
    (printed.split(`\n${title}`)[1]?.split('\n\n')[0] ?? '')
      .split('\n')
      .filter((line) => line.startsWith('2010-12-'))
      .map((line) => line.split(/ {2,}/).slice(1).join(' '));

  it('resumes wherever it was stopped, with the same total to the cent', async () => {
    await demoEndedAt(/2010-12-01: \d+ items/);
    await demoEndedAt(/2010-12-01 invoices: \d of/);
    await demoEndedAt(/2010-12-01 cancellations: \d of/);
    await demoEndedAt(/2010-12-02: goods received/);
    const { code, printed } = await demo();
    assert.equal(code, 0, printed);
    assert.deepEqual(
      printedRows(printed, 'Sold').map((row) => row.replace(/^(\d+ \d+) \d+ /, '$1 … ')),
      ['6 6 … 1 87.22 87.22 0.00', '2 2 … 1 16.90 16.90 0.00'],
    );
    assert.match(printed, /Everything adds up/);
  });

  it('creates nothing a second time', async () => {
    const { code, printed } = await demo();
    assert.equal(code, 0, printed);
    assert.deepEqual(printedRows(printed, 'Sold'), ['6 6 0 1 87.22 87.22 0.00', '2 2 0 1 16.90 16.90 0.00']);
    // One of each day is in parts: on the first, what was sold here and what was sold before; on the second, of two invoices.
    assert.deepEqual(printedRows(printed, 'Cancelled'), ['3 4 1 0 -41.35 -41.35 0.00', '3 4 3 0 -22.83 -22.83 0.00']);
    assert.deepEqual(printedRows(printed, 'Stock corrected'), ['2 1 0 9 9', '2 1 0 4 4']);
  });

  it('creates every document once, numbered without gaps', async () => {
    const { body } = await app.client.get('/api/sales/invoices?sort=reference&limit=500');
    const documents = body.data as { reference: string; status: string; code: string }[];
    assert.deepEqual(
      documents.map(({ reference, status }) => `${reference} ${status}`),
      [
        ...['700001', '700002', '700003', '700009', '700010', '700011', '700020', '700021'],
        ...['C700004', 'C700004/2', 'C700005', 'C700006', 'C700022', 'C700022/2', 'C700023', 'C700024'],
      ].map((reference) => `${reference} O`),
    );
    const { body: orders } = await app.client.get('/api/sales?limit=500');
    const { body: notes } = await app.client.get('/api/sales/delivery-notes?limit=500');
    assert.deepEqual([orders.data.length, notes.data.length], [8, 8]);
  });

  it('leaves in stock what was returned from known invoices, and what was found', async () => {
    const { body } = await app.client.get('/api/stock?groupBy=item&sort=itemCode');
    const levels = (body.data as { itemCode: string; onHand: number }[]).map(({ itemCode, onHand }) => [
      itemCode,
      onHand,
    ]);
    assert.deepEqual(levels, [
      ['T1', 4 + 8 + 3],
      ['T2', 7 + 3],
      ['T3', 0],
      ['T4', 0],
      ['T5', 2],
    ]);
  });

  it('keeps all invariants', async () => {
    await assertSound(app.databaseUrl);
  });
});
