import assert from 'node:assert/strict';
import { ConfigError, loadConfig } from '../../config/index.ts';

function problemsOf(env: Record<string, string>): string[] {
  try {
    loadConfig(env);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message.split('\n');
  }
  return [];
}

describe('configuration', () => {
  it('needs nothing: everything has a default', () => {
    const config = loadConfig({});
    assert.equal(config.production, false);
    assert.equal(config.dataDir, '.data');
    assert.deepEqual([config.api.host, config.api.port], ['127.0.0.1', 3000]);
    assert.deepEqual(config.embedded, { postgresPort: 5433, temporalPort: 7233, temporalUiPort: 8233 });
    assert.equal(config.database.url, undefined);
    assert.equal(config.temporal.address, undefined);
    assert.equal(config.temporal.namespace, 'default');
  });

  it('reads what is given', () => {
    const config = loadConfig({
      PORT: ' 8080 ',
      DATABASE_URL: 'postgres://app:pw@db:5432/business',
      TEMPORAL_ADDRESS: '[::1]:7233',
      CORS_ORIGINS: 'https://a.example, ,https://b.example',
    });
    assert.equal(config.api.port, 8080);
    assert.equal(config.temporal.address, '[::1]:7233');
    assert.deepEqual(config.api.corsOrigins, ['https://a.example', 'https://b.example']);
    assert.equal(config.database.migrationUrl, config.database.url);
  });

  it('takes an empty variable as absent', () => {
    const config = loadConfig({ PORT: '', DATABASE_URL: '  ', JWT_SECRET: '' });
    assert.equal(config.api.port, 3000);
    assert.equal(config.database.url, undefined);
    assert.equal(config.auth.jwtSecret, undefined);
  });

  it('names all bad variables at once, each with its remedy', () => {
    const problems = problemsOf({
      PORT: '3000a',
      POSTGRES_PORT: '70000',
      NODE_ENV: 'prod',
      DATABASE_URL: 'mysql://app:geheim@db/business',
      TEMPORAL_ADDRESS: 'temporal',
      JWT_SECRET: 'short',
    });
    for (const name of ['PORT', 'POSTGRES_PORT', 'NODE_ENV', 'DATABASE_URL', 'TEMPORAL_ADDRESS', 'JWT_SECRET']) {
      assert.ok(
        problems.some((problem) => problem.startsWith(`${name} is `) && problem.includes(': give')),
        `${name} in ${problems.join(' | ')}`,
      );
    }
    assert.equal(problems.length, 6);
  });

  it('never repeats a secret', () => {
    const text = problemsOf({
      DATABASE_URL: 'mysql://app:geheim@db/x',
      JWT_SECRET: 'geheim',
      ENCRYPTION_KEY: 'geheim',
    });
    assert.doesNotMatch(text.join('\n'), /geheim/);
  });

  it('demands the secrets in production', () => {
    const problems = problemsOf({ NODE_ENV: 'production' });
    assert.ok(problems.some((problem) => problem.startsWith('JWT_SECRET is missing')));
    assert.ok(problems.some((problem) => problem.startsWith('ENCRYPTION_KEY is missing')));
  });
});
