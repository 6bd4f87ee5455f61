import assert from 'node:assert/strict';
import { loadConfig } from '../../config/index.ts';

describe('the addresses of FACe', () => {
  it('are its own, or those of a stand-in, without a slash at the end', () => {
    const { face } = loadConfig({});
    assert.equal(face.addresses.test, 'https://se-api-face.redsara.es/providers');
    assert.equal(face.addresses.production, 'https://api.face.gob.es/providers');
    const own = loadConfig({ FACE_TEST_URL: 'https://127.0.0.1:8444/providers/', FACE_CA_FILE: 'authority.pem' }).face;
    assert.deepEqual([own.addresses.test, own.caFile], ['https://127.0.0.1:8444/providers', 'authority.pem']);
  });

  it('must be https', () => {
    assert.throws(() => loadConfig({ FACE_TEST_URL: 'http://127.0.0.1/' }), /FACE_TEST_URL/);
    assert.throws(() => loadConfig({ FACE_PRODUCTION_URL: 'nowhere' }), /FACE_PRODUCTION_URL/);
  });
});
