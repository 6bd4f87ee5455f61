import assert from 'node:assert/strict';
import { useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';

const DEFAULTS = {
  email_status: true,
  document_sent: true,
  payment_received: true,
  payment_made: true,
  document_locked: true,
  automation_triggered: true,
  plugin_error: true,
  system_alert: true,
  mention: true,
  push_enabled: false,
  email_enabled: false,
  exclude_own: false,
};

describe('api: notification settings', () => {
  const app = useApp();
  const path = '/api/notifications/settings';

  it('enables all types by default, without pushes or mails', async () => {
    const { body, headers } = await app.client.get(path);
    assert.deepEqual(body, DEFAULTS);
    assert.equal(headers.get('etag'), `"${app.tenantId}-0"`);
  });

  it('changes single settings; null restores the default', async () => {
    const changed = await app.client.patch(path, { mention: false, exclude_own: true });
    assert.deepEqual(changed.body, { ...DEFAULTS, mention: false, exclude_own: true });
    const again = await app.client.patch(path, { push_enabled: true, mention: null });
    assert.deepEqual(again.body, { ...DEFAULTS, exclude_own: true, push_enabled: true });
    assert.deepEqual((await app.client.get(path)).body, again.body);
    // The answer can be sent back as a whole.
    assert.deepEqual((await app.client.patch(path, again.body)).body, again.body);
    const stale = await app.client.patch(path, { mention: false }, { 'If-Match': `"${app.tenantId}-1"` });
    assertProblem(stale, 412, 'stale_version');
  });

  it('refuses unknown settings and invalid values without changing anything', async () => {
    const before = (await app.client.get(path)).body;
    const unknown = await app.client.patch(path, { mention: false, sms_enabled: true });
    assertProblem(unknown, 422, 'validation_failed');
    assert.deepEqual([unknown.body.errors[0].pointer, unknown.body.errors[0].code], ['/sms_enabled', 'unknown_field']);
    assertProblem(await app.client.patch(path, { mention: 'yes' }), 422, 'validation_failed');
    assertProblem(await app.client.patch(path, { task_completed: false }), 422, 'validation_failed');
    assert.deepEqual((await app.client.get(path)).body, before);
  });

  it('keeps the settings of each user separate', async () => {
    const user = { email: 'vera@example.test', name: 'Vera', password: 'vera views the warehouse', role: 'viewer' };
    await app.client.post('/api/users', user);
    const { body } = await app.anonymous.post('/api/auth/login', { email: user.email, password: user.password });
    assert.deepEqual((await app.as(body.token).get(path)).body, DEFAULTS);
  });
});
