/** The page of a quotation's link: for those who have it, for one version, for a time. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { openTrade, type Trade } from '../documents/trade.ts';

const PATH = '/api/sales/quotations';

describe('the link of a quotation', () => {
  const app = useApp({ clock: { now: new Date('2026-03-15T10:00:00Z') } });
  const trade: Trade = use(() => openTrade(app, 0));
  const START = new Date('2026-03-15T10:00:00Z');
  afterEach(() => {
    app.clock.now = START;
  });

  /** A quotation that was sent, and the address of its page. */
  async function linked(members: object = {}): Promise<{ readonly id: string; readonly url: string }> {
    const lines = [{ itemId: trade.itemId, quantity: 10, price: 2 }];
    const made = await app.client.post(PATH, { partnerId: trade.customerId, lines, ...members });
    const { id } = made.body.data;
    assert.equal((await app.client.post(`${PATH}/${id}/issue`)).status, 200);
    const { body } = await app.client.post(`${PATH}/${id}/link`);
    return { id, url: body.data.url.replace(app.deps.config.appUrl, app.address) };
  }
  const answer = (url: string, given: string, form: Record<string, string>) =>
    fetch(`${url}&answer=${given}`, { method: 'POST', body: new URLSearchParams(form) });
  const shown = async (id: string) => (await app.client.get(`${PATH}/${id}`)).body.data;

  it('shows the quotation without a login, and changes nothing', async () => {
    const { id, url } = await linked({ validUntil: '2026-03-31' });
    const page = await fetch(url);
    assert.equal(page.status, 200);
    const text = await page.text();
    for (const part of ['Presupuesto SQ2026-00001', 'Café Central', '24,20', '31/03/2026', 'Aceptar', 'Rechazar']) {
      assert.ok(text.includes(part), `${part} in ${text}`);
    }
    assert.match(String(page.headers.get('content-security-policy')), /default-src 'none'/);
    assert.equal((await shown(id)).status, 'O');
  });

  it('takes an acceptance with a name, once', async () => {
    const { id, url } = await linked();
    const page = await answer(url, 'accept', { name: ' Ana <b>Ruiz</b> ', note: 'By Friday' });
    assert.equal(page.status, 200);
    assert.ok((await page.text()).includes('Ana &lt;b&gt;Ruiz&lt;/b&gt;'));
    const { status, decidedBy, decisionNote } = await shown(id);
    assert.deepEqual([status, decidedBy, decisionNote], ['A', 'Ana <b>Ruiz</b>', 'By Friday']);
    const second = await answer(url, 'reject', { name: 'Eva' });
    assert.ok((await second.text()).includes('Está aceptado'));
    assert.equal((await shown(id)).status, 'A');
    const { body: told } = await app.client.get('/api/notifications');
    assert.match(told.data[0].title, /^Ana <b>Ruiz<\/b> ha aceptado SQ2026-\d+$/);
    const { body: log } = await app.client.get(`/api/audit-logs?entityId=${id}`);
    assert.equal(log.data[0].actor, 'quotation_link');
  });

  it('asks for a name', async () => {
    const { id, url } = await linked();
    const page = await answer(url, 'accept', { name: '   ' });
    assert.ok((await page.text()).includes('Indique su nombre'));
    assert.equal((await shown(id)).status, 'O');
  });

  it('says that a quotation has expired, and takes no answer then', async () => {
    const { id, url } = await linked({ validUntil: '2026-03-16' });
    app.clock.now = new Date('2026-03-16T23:00:00Z');
    assert.ok((await (await fetch(url)).text()).includes('Ha caducado'));
    const page = await answer(url, 'accept', { name: 'Ana' });
    assert.ok((await page.text()).includes('Ha caducado'));
    app.clock.now = new Date('2026-03-24T00:00:00Z');
    assert.equal((await fetch(url)).status, 404);
    app.clock.now = START;
    assert.equal((await shown(id)).status, 'O');
  });

  it('is of one version, and cannot be made up', async () => {
    const { id, url } = await linked();
    const other = await linked();
    assert.equal((await fetch(url.replace(/document=[^&]+/, `document=${other.id}`))).status, 404);
    assert.equal((await fetch(url.replace('revision=1', 'revision=2'))).status, 404);
    assert.equal((await fetch(url.replace(/expires=\d+/, 'expires=4000000000'))).status, 404);
    await app.client.post(`${PATH}/${id}/revise`);
    assert.equal((await fetch(url)).status, 404);
    assert.equal((await answer(url, 'accept', { name: 'Ana' })).status, 404);
    assertProblem(await app.client.post(`${PATH}/${id}/link`), 409, 'invalid_transition');
  });
});
