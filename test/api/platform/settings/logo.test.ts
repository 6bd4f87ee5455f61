import assert from 'node:assert/strict';
import { documentView } from '../../../../services/trade/pdf/document-view.ts';
import { COMPANY } from '../../../helpers/app.ts';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

const PATH = '/api/company/logo';
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script><rect width="9" height="9"/></svg>',
);

describe('the logo of a company', function () {
  this.timeout(30_000);
  const app = useApp();

  const send = async (body: string | FormData | Uint8Array<ArrayBuffer>, type?: string, token = app.token) => {
    const headers = { authorization: `Bearer ${token}`, ...(type === undefined ? {} : { 'content-type': type }) };
    const answer = await fetch(app.address + PATH, { method: 'PUT', headers, body });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, body: JSON.parse(text) };
  };
  const get = () => fetch(app.address + PATH, { headers: { authorization: `Bearer ${app.token}` } });
  const asBody = (bytes: Buffer) => new Uint8Array(bytes);
  /** Returns the head printed on a new document. */
  const printed = async () => {
    const order = await app.client.post('/api/sales', {
      partnerId: (await app.client.get('/api/partners')).body.data[0].id,
      lines: [{ description: 'x', quantity: 1, price: 1 }],
    });
    assert.equal(order.status, 201, JSON.stringify(order.body));
    const { tenantId } = app;
    const { logo } = await app.database.readTenant({ tenantId }, (db) => documentView(db, order.body.data.id));
    return logo;
  };

  before(async () => {
    const group = await app.client.get('/api/partnerGroups?isCustomer=true');
    await app.client.post('/api/partners', { name: 'Café', groupId: group.body.data[0].id });
  });

  const uploaded = async () => {
    const { status, body } = await send(asBody(PNG), 'image/png');
    assert.equal(status, 200, JSON.stringify(body));
    return body.data;
  };

  it('is uploaded, shown and printed', async () => {
    assertProblem(await app.client.get(PATH), 404, 'not_found');
    assert.equal(await printed(), null);
    const before = await app.client.get('/api/company');
    const logo = await uploaded();
    assert.deepEqual([logo.contentType, logo.size], ['image/png', PNG.length]);
    const company = await app.client.get('/api/company');
    assert.deepEqual(company.body, { ...before.body, logo });
    assert.notEqual(company.headers.get('etag'), before.headers.get('etag'));
    assert.deepEqual((await app.client.get('/api/config/branding')).body.logo, logo);
    const read = await get();
    assert.equal(read.headers.get('content-type'), 'image/png');
    assert.equal(read.headers.get('x-content-type-options'), 'nosniff');
    assert.deepEqual(Buffer.from(await read.arrayBuffer()), PNG);
    assert.deepEqual(await printed(), PNG);
  });

  it('stays when the other members are replaced, also by what was read, and does not change with them', async () => {
    const logo = await uploaded();
    const company = await app.client.get('/api/company');
    assert.deepEqual((await app.client.put('/api/company', COMPANY)).body.logo, logo);
    assert.deepEqual((await app.client.put('/api/company', company.body)).body.logo, logo);
    assert.deepEqual((await app.client.put('/api/config/branding', { themeMode: 'dark' })).body.logo, logo);
    const other = await app.client.put('/api/company', { ...COMPANY, logo: { ...logo, size: 1 } });
    assert.deepEqual([other.body.errors[0].pointer, other.body.errors[0].code], ['/logo', 'read_only']);
  });

  it('is replaced by another, from a form too; drawings run nothing', async () => {
    await uploaded();
    const form = new FormData();
    form.append('file', new Blob([asBody(SVG)], { type: 'image/svg+xml' }), 'marca.svg');
    const changed = await send(form);
    assert.deepEqual([changed.status, changed.body.data.contentType], [200, 'image/svg+xml']);
    const drawing = await get();
    assert.match(drawing.headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/);
    assert.deepEqual(Buffer.from(await drawing.arrayBuffer()), SVG);
  });

  it('is deleted, and no longer shown or printed', async () => {
    await uploaded();
    assert.equal((await app.client.del(PATH)).status, 204);
    assertProblem(await app.client.del(PATH), 404, 'not_found');
    assert.equal(await printed(), null);
    assert.equal((await app.client.get('/api/company')).body.logo, undefined);
    assert.equal((await app.client.get('/api/config/branding')).body.logo, undefined);
  });

  it('is what its bytes say, of a size that can be printed', async () => {
    const lying = await send(asBody(PNG), 'image/gif');
    assert.deepEqual([lying.status, lying.body.data.contentType], [200, 'image/png']);
    const wide = Buffer.from(PNG);
    wide.writeUInt32BE(60_000, 16);
    wide.writeUInt32BE(60_000, 20);
    const entities = Buffer.from('<!DOCTYPE svg [<!ENTITY a "b">]><svg>&a;</svg>');
    for (const [bytes, message] of [
      [Buffer.from('<html></html>'), 'is no PNG, JPEG, GIF, WebP or SVG'],
      [Buffer.from(''), 'is no PNG, JPEG, GIF, WebP or SVG'],
      [entities, 'is no PNG, JPEG, GIF, WebP or SVG'],
      [wide, 'has more than 16 million pixels'],
      [PNG.subarray(0, 40), 'cannot be drawn: it is damaged, or needs more than a logo may'],
    ] as const) {
      const answer = await send(asBody(bytes), 'image/png');
      assertProblem(answer as never, 422, 'validation_failed');
      assert.deepEqual(answer.body.errors, [{ pointer: '/file', code: 'invalid_format', message }]);
    }
    assert.equal((await send(asBody(Buffer.alloc(1024 * 1024 + 1)), 'image/png')).status, 413);
    assert.equal((await send('{}', 'application/json')).status, 415);
    assert.equal((await get()).headers.get('content-type'), 'image/png', 'the one before stays');
  });

  it('every member sees it; who may change the company changes it', async () => {
    for (const [role, status] of [
      ['viewer', 403],
      ['accountant', 403],
      ['admin', 200],
    ] as const) {
      const key = await app.client.post('/api/api-keys', { name: role, role });
      const client = app.as(key.body.data.key, app.tenantId);
      assert.equal((await client.get('/api/config/branding')).body.logo.contentType, 'image/png');
      assert.equal((await send(asBody(PNG), 'image/png', key.body.data.key)).status, status, role);
    }
  });
});
