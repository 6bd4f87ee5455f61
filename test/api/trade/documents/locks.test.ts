import assert from 'node:assert/strict';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openTrade } from './trade.ts';

describe('documents that are locked', () => {
  const app = useApp();
  const trade = use(() => openTrade(app));

  async function made(path: string, partnerId = trade.customerId): Promise<string> {
    const { status, body } = await app.client.post(path, { partnerId, lines: [{ itemId: trade.itemId, quantity: 1 }] });
    assert.equal(status, 201, JSON.stringify(body));
    return `${path}/${body.data.id}`;
  }

  const KINDS = [
    ['/api/sales', 'customerId', ['cancel', 'close']],
    ['/api/sales/delivery-notes', 'customerId', ['cancel']],
    ['/api/sales/invoices', 'customerId', ['cancel', 'delete']],
    ['/api/purchases', 'supplierId', ['cancel', 'close']],
    ['/api/purchases/delivery-notes', 'supplierId', ['cancel', 'delete']],
    ['/api/purchases/invoices', 'supplierId', ['cancel', 'delete']],
  ] as const;

  for (const [path, partner, undoing] of KINDS) {
    it(`refuse changes with document_locked, and take them again when unlocked: ${path}`, async () => {
      const one = await made(path, trade[partner]);
      const locked = await app.client.post(`${one}/lock`);
      assert.equal(locked.status, 200, JSON.stringify(locked.body));
      assert.notEqual(locked.body.data.lockedAt, null);
      const answers = [
        await app.client.patch(one, { internalNotes: 'x' }),
        ...(await Promise.all(
          undoing.map((step) => (step === 'delete' ? app.client.del(one) : app.client.post(`${one}/${step}`))),
        )),
      ];
      for (const { status, body } of answers) assert.deepEqual([status, body.code], [409, 'document_locked']);
      assert.match(answers[0]?.body.detail, / is locked and cannot be changed$/);
      const { body } = await app.client.get(one);
      assert.deepEqual(body.data, locked.body.data, 'nothing has changed');
      assert.equal((await app.client.patch(one, body.data)).status, 200, 'sent back as it is');

      const unlocked = await app.client.post(`${one}/unlock`);
      assert.deepEqual([unlocked.status, unlocked.body.data.lockedAt], [200, null]);
      assert.equal((await app.client.patch(one, { internalNotes: 'x' })).status, 200);
    });
  }

  it('wait for the end of the day, refuse another version and what is no time, and stay as they are when cancelled', async () => {
    const one = await made('/api/sales');
    const { body } = await app.client.post(`${one}/lock`, { when: 'end_of_day' });
    assert.deepEqual([body.data.lockedAt, typeof body.data.lockDueAt], [null, 'string']);
    const bad = await app.client.post(`${one}/lock`, { when: 'tomorrow' });
    assert.deepEqual([bad.status, bad.body.errors[0].pointer], [422, '/when']);
    const stale = await app.client.post(`${one}/lock`, {}, { 'if-match': '"1"' });
    assert.equal(stale.status, 412);
    assert.equal((await app.client.post(`${one}/cancel`)).body.data.lockDueAt, null);
    const cancelled = await app.client.post(`${one}/lock`);
    assert.deepEqual([cancelled.status, cancelled.body.code], [409, 'invalid_transition']);
  });

  it('are locked and told in a trial of a rule', async () => {
    const one = await made('/api/sales/delivery-notes');
    const rule = await app.client.post('/api/automations', {
      name: 'Lock notes',
      trigger: { type: 'document.created', document_type: 'sales_delivery_note' },
      actions: [{ type: 'document.lock', when: 'end_of_day' }],
    });
    assert.equal(rule.status, 201, JSON.stringify(rule.body));
    const tried = async () =>
      (await app.client.post(`/api/automations/${rule.body.data.id}/test`, { document_id: one.split('/').pop() })).body;
    const warnings = async () => (await tried()).data.actions[0].warnings;
    assert.deepEqual((await tried()).data.actions, [
      { type: 'document.lock', rendered: { when: 'end_of_day' }, warnings: [] },
    ]);
    await app.client.post(`${one}/lock`, { when: 'end_of_day' });
    assert.match((await warnings())[0], /^The document will be locked at /);
    await app.client.post(`${one}/lock`);
    assert.match((await warnings())[0], /^The document is locked since /);
  });
});
