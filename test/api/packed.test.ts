import assert from 'node:assert/strict';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Packed } from '../../api/packed.ts';
import { useApp } from '../helpers/hooks.ts';

const PATHS = ['/api/openapi.json', '/docs', '/docs/errors', '/docs/viewer.js', '/docs/viewer.css', '/invitations'];

describe('a packed answer', () => {
  const app = useApp({ setUp: false });
  const get = (path: string, headers: Record<string, string>) => fetch(`${app.address}${path}`, { headers });
  const bytes = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

  it('is loaded and compressed once', async () => {
    let loads = 0;
    const packed = new Packed(() => `load ${++loads}`, { 'Content-Type': 'text/plain' });
    const [first, second] = [await packed.answer(() => true), await packed.answer(() => true)];
    assert.equal(loads, 1);
    assert.equal(first.body, second.body);
    assert.equal(brotliDecompressSync(first.body as Buffer).toString(), 'load 1');
    const gzip = await packed.answer((coding) => coding === 'gzip');
    assert.equal(gunzipSync(gzip.body as Buffer).toString(), 'load 1');
  });

  for (const path of PATHS) {
    it(`is sent in the smallest coding that the client accepts: ${path}`, async () => {
      for (const [accepted, coding] of [
        ['gzip, deflate, br', 'br'],
        ['gzip', 'gzip'],
        ['deflate', null],
        ['identity', null],
      ] as const) {
        const answer = await get(path, { 'Accept-Encoding': accepted });
        assert.deepEqual([answer.status, answer.headers.get('Content-Encoding')], [200, coding], accepted);
        assert.match(answer.headers.get('Vary') ?? '', /Accept-Encoding/);
        assert.ok((await bytes(answer)).length > 0);
      }
    });

    it(`is not sent to a client that has it: ${path}`, async () => {
      const headers = { 'Accept-Encoding': 'br' };
      const tag = (await get(path, headers)).headers.get('ETag') ?? '';
      const again = await get(path, { ...headers, 'If-None-Match': tag });
      assert.deepEqual([again.status, (await bytes(again)).length], [304, 0]);
      const other = await get(path, { 'Accept-Encoding': 'gzip', 'If-None-Match': tag });
      assert.equal(other.status, 200, 'another coding is another answer');
    });
  }
});
