import assert from 'node:assert/strict';
import { newId } from '../../../db/ids.ts';
import { storeDocumentPdf } from '../../../services/platform/files/files.ts';
import { OWNER } from '../../helpers/app.ts';
import type { Answer, TestClient } from '../../helpers/client.ts';
import { TODAY, YEAR } from '../../helpers/clock.ts';
import { useApp } from '../../helpers/hooks.ts';
import { assertProblem } from '../../helpers/problem.ts';

const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>';
const SETTINGS = ['company', 'config/format', 'config/flags', 'config/branding', 'config/tax', 'config/accounting'].map(
  (name) => `/api/${name}`,
);

describe('caches between companies', () => {
  /** The same owner with the same token in another company. */
  let other: TestClient;
  let otherId: string;
  const app = useApp();
  before(async () => {
    const { body } = await app.client.post('/api/tenants', { name: 'Second', taxId: 'B87654323' });
    otherId = body.data.id;
    other = app.as(app.token, otherId);
  });

  const entityTag = ({ headers }: Answer) => headers.get('ETag') ?? '';
  const known = (tag: string) => ({ 'If-None-Match': tag });
  const seen = (tag: string) => ({ 'If-Match': tag });
  async function createPartner(client: TestClient) {
    const { body } = await client.get('/api/partnerGroups?isCustomer=true');
    const made = await client.post('/api/partners', { name: 'Bar Sol', groupId: body.data[0].id });
    return { path: `/api/partners/${made.body.data.id}`, id: String(made.body.data.id), tag: entityTag(made) };
  }

  it('have a tag of the record, and of the company for its settings', async () => {
    const { path, id } = await createPartner(app.client);
    assert.equal(entityTag(await app.client.get(path)), `"${id}-1"`);
    for (const settings of SETTINGS) {
      const tags = [await app.client.get(settings), await other.get(settings)].map(entityTag);
      assert.match(tags[0] ?? '', new RegExp(`^"${app.tenantId}-\\d+"$`), settings);
      assert.match(tags[1] ?? '', new RegExp(`^"${otherId}-\\d+"$`), settings);
    }
  });

  it('give a company its own answer, whatever the tag of another', async () => {
    for (const settings of SETTINGS) {
      const mine = await app.client.get(settings);
      const theirs = await other.get(settings, known(entityTag(mine)));
      assert.equal(theirs.status, 200, settings);
      assert.deepEqual(theirs.body, (await other.get(settings)).body);
      assertProblem(await other.put(settings, theirs.body, seen(entityTag(mine))), 412, 'stale_version');
      assert.equal((await other.put(settings, theirs.body, seen(entityTag(theirs)))).status, 200, settings);
    }
    const format = await app.client.get('/api/config/format');
    assert.equal((await app.client.get('/api/config/format', known(entityTag(format)))).status, 304);
  });

  it('compare If-None-Match weakly, in lists, and by *', async () => {
    const { path, tag } = await createPartner(app.client);
    for (const header of [tag, `W/${tag}`, `"x", W/${tag} , "y"`, '*']) {
      const answer = await app.client.get(path, known(header));
      assert.deepEqual([answer.status, answer.body, entityTag(answer)], [304, undefined, tag], header);
    }
    for (const header of ['"1"', tag.replaceAll('"', ''), tag.replace(/-1"$/, '-2"'), `"${newId()}-1"`]) {
      assert.equal((await app.client.get(path, known(header))).status, 200, header);
    }
  });

  it('take the tag or the version in If-Match, and no tag of another record', async () => {
    const { path, tag } = await createPartner(app.client);
    const stranger = await createPartner(app.client);
    assertProblem(await app.client.patch(path, { name: 'Bar Luna' }, seen(stranger.tag)), 412, 'stale_version');
    assertProblem(await app.client.del(path, seen(stranger.tag)), 412, 'stale_version');
    assert.equal((await app.client.patch(path, { name: 'Bar Luna' }, seen(tag.toUpperCase()))).status, 200);
    assertProblem(await app.client.patch(path, { name: 'Bar Mar' }, seen(tag)), 412, 'stale_version');
    assert.equal((await app.client.patch(path, { name: 'Bar Mar' }, seen('"2"'))).status, 200);
    for (const bad of ['3', `W/${tag}`, `${tag}, "3"`, '"x-3"', `"${newId()}"`, `"${newId()}-"`, '""']) {
      assertProblem(await app.client.patch(path, { name: 'X' }, seen(bad)), 400, 'bad_request');
    }

    const address = { name: 'Centro', type: 'B' };
    const made = await app.client.post(`${path}/addresses`, address);
    const below = `${path}/addresses/${made.body.data.id}`;
    // The partner and its address have the same version now and then.
    assertProblem(
      await app.client.patch(below, { name: 'Sur' }, seen(`"${path.split('/')[3]}-1"`)),
      412,
      'stale_version',
    );
    assert.equal((await app.client.patch(below, { name: 'Sur' }, seen(entityTag(made)))).status, 200);
  });

  it('take it for actions, and where the address has no id', async () => {
    const partnerId = (await createPartner(app.client)).id;
    const order = { partnerId, lines: [{ description: 'Consulting', quantity: 1, price: 10 }] };
    const [one, two] = [await app.client.post('/api/sales', order), await app.client.post('/api/sales', order)];
    const cancel = (tag: string) => app.client.post(`/api/sales/${one?.body.data.id}/cancel`, undefined, seen(tag));
    assertProblem(await cancel(entityTag(two as Answer)), 412, 'stale_version');
    assert.equal((await cancel(entityTag(one as Answer))).status, 200);

    const hook = { name: 'Hook', url: 'https://example.com/hook', method: 'POST', events: ['*'] };
    const webhook = await app.client.post('/api/webhooks', hook);
    const url = `/api/webhooks/${webhook.body.data.id}`;
    const redeliver = (tag: string) => app.client.post(`${url}/logs/${newId()}/redeliver`, {}, seen(tag));
    assertProblem(await redeliver(`"${newId()}-1"`), 412, 'stale_version');
    assertProblem(await redeliver(entityTag(webhook)), 404, 'not_found');

    const year = `/api/fiscal-years/${YEAR - 1}`;
    assert.equal((await app.client.post('/api/periods/generate', { year: YEAR - 1 })).status, 201);
    const closed = await app.client.post(`${year}/close`);
    assert.equal(closed.status, 200, JSON.stringify(closed.body));
    const reopen = (tag: string) => app.client.post(`${year}/reopen`, undefined, seen(tag));
    assertProblem(await reopen(`"${newId()}-1"`), 412, 'stale_version');
    assert.equal((await reopen(entityTag(closed))).status, 200);
  });

  it('are told whole what a version does not count', async () => {
    const person = { email: 'rosa@example.com', name: 'Rosa', password: 'correct horse battery', role: 'sales' };
    const { id, membershipId } = (await app.client.post('/api/users', person)).body.data;
    const before = await app.client.get(`/api/users/${id}`);
    assert.equal((await app.client.patch(`/api/memberships/${membershipId}`, { role: 'viewer' })).status, 200);
    const after = await app.client.get(`/api/users/${id}`, known(entityTag(before)));
    assert.deepEqual([after.status, after.body.data.role, entityTag(after)], [200, 'viewer', entityTag(before)]);

    const { path, tag } = await createPartner(other);
    assert.equal((await other.get(path, known(tag))).status, 304);
    const field = { table_name: 'BusinessPartner', field_name: 'colour', label: 'Colour', type: 'TEXT' };
    assert.equal((await other.post('/api/custom-fields', field)).status, 201);
    const shown = await other.get(path, known(tag));
    assert.deepEqual([shown.status, shown.body.data.custom_colour], [200, null]);
  });

  /** Asserts that each answer is private and varies by user and company. */
  const assertPrivate = (answers: readonly (readonly [status: number, answer: Answer])[]) => {
    for (const [index, [status, answer]] of answers.entries()) {
      const what = `${index}: ${JSON.stringify(answer.body)}`;
      assert.equal(answer.status, status, what);
      assert.match(answer.headers.get('Cache-Control') ?? '', /^(private, no-cache(, no-transform)?|no-store)$/, what);
      const varies = (answer.headers.get('Vary') ?? '').toLowerCase().split(/,\s*/);
      for (const name of ['authorization', 'x-tenant-id']) assert.ok(varies.includes(name), `${what} ${varies}`);
    }
  };
  const stricter = (answers: readonly (readonly [number, Answer])[]) =>
    answers.filter(([, { headers }]) => headers.get('Cache-Control') === 'no-store').length;

  it('keep nothing for others: every answer says so', async () => {
    const { path, tag } = await createPartner(app.client);
    const answers: [number, Answer][] = [
      [200, await app.client.get(path)],
      [200, await app.client.request('HEAD', path)],
      [304, await app.client.get(path, known(tag))],
      [200, await app.client.get('/api/partners')],
      [200, await app.client.get('/api/partners?format=csv')],
      [200, await app.client.get('/api/auth/me')],
      [200, await app.anonymous.get('/api/openapi.json')],
      [200, await app.anonymous.get('/api/setup/status')],
      [200, await app.anonymous.post('/api/auth/login', { email: OWNER.email, password: OWNER.password })],
      [204, await app.client.request('OPTIONS', path, undefined, { Origin: 'https://shop.example' })],
    ];
    assertPrivate(answers);
    assert.equal(stricter(answers), 2, 'the export and the login');
  });

  it('keep nothing for others: every file says so', async () => {
    const { id } = await createPartner(app.client);
    const invoice = { partnerId: id, date: TODAY, lines: [{ description: 'Consulting', quantity: 1, price: 10 }] };
    const { body } = await app.client.post('/api/sales/invoices', invoice);
    // The file must be later than everything it shows.
    const later = new Date(app.clock.now.getTime() + 1000);
    const ctx = { tenantId: app.tenantId, userId: app.userId, actor: null, requestId: 'test', now: later };
    const content = Buffer.from('%PDF-1.7');
    await app.database.withTenant(ctx, (trx) =>
      storeDocumentPdf(trx, ctx, { documentId: body.data.id, version: 1, name: 'draft.pdf', content }),
    );
    const upload = { 'Content-Type': 'image/svg+xml' };
    const answers: [number, Answer][] = [
      [200, await app.client.get(`/api/sales/invoices/${body.data.id}/pdf`)],
      [200, await app.client.put('/api/company/logo', LOGO, upload)],
      [200, await app.client.get('/api/company/logo')],
      [204, await app.client.del('/api/company/logo')],
    ];
    assertPrivate(answers);
    assert.equal(stricter(answers), 0);
  });

  it('keep nothing for others: every refusal says so', async () => {
    const { path } = await createPartner(app.client);
    const answers: [number, Answer][] = [
      [400, await app.client.get('/api/partners?colour=red')],
      [401, await app.as('nonsense').get(path)],
      [403, await app.as(app.token, newId()).get(path)],
      [404, await app.client.get(`/api/partners/${newId()}`)],
      [404, await app.client.get('/api/nowhere')],
      [405, await app.client.put(path, {})],
      [406, await app.client.get(path, { Accept: 'text/html' })],
      [412, await app.client.del(path, seen('"7"'))],
      [422, await app.client.post('/api/partners', {}, { 'Idempotency-Key': 'caches' })],
      [422, await app.client.post('/api/partners', {}, { 'Idempotency-Key': 'caches' })],
    ];
    assertPrivate(answers);
    assert.equal(stricter(answers), 0);
  });
});
