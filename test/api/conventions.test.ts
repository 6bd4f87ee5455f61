import assert from 'node:assert/strict';
import { startTestApp, type TestApp } from '../helpers/app.ts';

describe('api conventions', () => {
  let app: TestApp;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app?.stop());

  it('answers who calls', async () => {
    const { status, body } = await app.client.get('/api/auth/me');
    assert.equal(status, 200);
    assert.equal(body.role, 'owner');
  });
});
