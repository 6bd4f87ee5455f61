import assert from 'node:assert/strict';
import { ConfigError, loadConfig } from '../../config/index.ts';

describe('the store of attachments', () => {
  it('is the database, unless an address names another', () => {
    assert.equal(loadConfig({}).attachments.store, undefined);
    const env = {
      S3_ENDPOINT: 'http://127.0.0.1:9000',
      S3_BUCKET: 'b',
      S3_ACCESS_KEY_ID: 'k',
      S3_SECRET_ACCESS_KEY: 's',
    };
    assert.deepEqual(loadConfig(env).attachments.store, {
      endpoint: 'http://127.0.0.1:9000',
      region: 'us-east-1',
      bucket: 'b',
      accessKeyId: 'k',
      secretAccessKey: 's',
    });
  });

  it('needs its bucket and its keys, which are all named at once', () => {
    assert.throws(
      () => loadConfig({ S3_ENDPOINT: 'http://127.0.0.1:9000' }),
      (error) =>
        error instanceof ConfigError &&
        ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'].every((name) => error.message.includes(name)),
    );
  });
});
