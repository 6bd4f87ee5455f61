import assert from 'node:assert/strict';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem, assertRefused } from '../../../helpers/problem.ts';
import { openBooks } from '../accounting/books.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Data = any;

const XML = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
  <gesmes:subject>Reference rates</gesmes:subject>
  <Cube>
    <Cube time="2026-03-03"><Cube currency="USD" rate="1.0850"/><Cube currency="JPY" rate="161.20"/></Cube>
    <Cube time="2026-03-02"><Cube currency="USD" rate="1.0800"/></Cube>
  </Cube>
</gesmes:Envelope>`;

describe('exchange rates', () => {
  const app = useApp();
  const books = use(() => openBooks(app));
  const send = async (content: string, query = '') => {
    const answer = await fetch(`${app.address}/api/exchange-rates/import${query}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${app.token}`, 'Content-Type': 'application/octet-stream' },
      body: content,
    });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Data };
  };
  const rates = async (): Promise<string[]> =>
    (await app.client.get('/api/exchange-rates?sort=currency,date&limit=50')).body.data.map(
      (one: Data) => `${one.currency} ${one.date} ${one.rate} ${one.source}`,
    );

  it('come from files of the ECB, once, and never over what people entered', async () => {
    await books.make('/api/exchange-rates', { currency: 'USD', date: '2026-03-02', rate: 1.2 });
    const first = await send(XML);
    assert.equal(first.status, 200, JSON.stringify(first.body));
    const days = { from: '2026-03-02', to: '2026-03-03' };
    assert.deepEqual(first.body.data, { created: 2, changed: 0, unchanged: 0, kept: 1, ...days });
    assert.deepEqual((await send(XML)).body.data, { created: 0, changed: 0, unchanged: 2, kept: 1, ...days });
    const changed = await send(XML.replace('1.0850', '1.0900'), '?currencies=USD&from=2026-03-03');
    assert.deepEqual([changed.body.data.changed, changed.body.data.unchanged], [1, 0]);
    const csv = 'Date, USD, JPY,\n27 March 2026, 1.1, N/A,\n';
    assert.equal((await send(csv)).body.data.created, 1);
    assert.deepEqual(await rates(), [
      'JPY 2026-03-03 161.2 ecb',
      'USD 2026-03-02 1.2 manual',
      'USD 2026-03-03 1.09 ecb',
      'USD 2026-03-27 1.1 ecb',
    ]);
  });

  it('are refused in files that say something else', async () => {
    const faulty = ['Hello', '<a/>', 'Date,USD\nyesterday,1', 'Date,USD\n2026-01-01,-1', 'Date,Dollar\n2026-01-01,1'];
    for (const content of [...faulty, XML.replace('2026-03-03', '2026-02-30'), '<!DOCTYPE a [<!ENTITY b "c">]><a/>'])
      assertRefused(await send(content), '/file');
    const many = `Date,USD\n${Array.from({ length: 5001 }, () => '2026-01-01,1').join('\n')}`;
    assertProblem(await send(many), 400, 'invalid_parameter');
  });

  it('are one for each currency and day', async () => {
    const again = { currency: 'USD', date: '2026-03-02', rate: 1.3 };
    assertProblem(await app.client.post('/api/exchange-rates', again), 409, 'duplicate');
    assertRefused(await app.client.post('/api/exchange-rates', { ...again, rate: -1 }), '/rate');
    assertRefused(await app.client.post('/api/exchange-rates', { ...again, currency: 'XYZ' }), '/currency');
  });
});
