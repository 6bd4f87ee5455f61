import assert from 'node:assert/strict';
import { loadConfig } from '../../../../config/index.ts';
import type { TracingConfig } from '../../../../config/tracing.ts';
import { currentTrace } from '../../../../db/trace.ts';
import { startTracing } from '../../../../services/platform/tracing/start.ts';
import { isTracing, traced } from '../../../../services/platform/tracing/tracing.ts';
import { useReceiver } from '../../../helpers/hooks.ts';

const CALLER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('spans', () => {
  const collector = useReceiver();
  const config = (more: Partial<TracingConfig> = {}): TracingConfig => {
    return { endpoint: `${collector.url}/v1/traces`, headers: {}, ratio: 1, serviceName: 'of the test', ...more };
  };
  const recorded = () =>
    collector.received
      .flatMap(({ body }) => JSON.parse(body).resourceSpans)
      .flatMap(({ scopeSpans }) => scopeSpans)
      .flatMap(({ spans }) => spans);

  it('are not recorded without a collector: work is done, and belongs to no trace', async () => {
    const end = await startTracing(undefined, 'test');
    const found = await traced('work', { parent: CALLER }, async () => currentTrace());
    assert.deepEqual([found, isTracing()], [undefined, false]);
    await end();
  });

  it('continue a trace, one within the other, and tell of failures only their class', async () => {
    const end = await startTracing(config(), 'test');
    const inner = await traced('outer', { parent: CALLER, kind: 'server' }, async () => {
      const fails = traced('inner', { attributes: { n: 1, none: undefined } }, () =>
        Promise.reject(new TypeError('B12345674')),
      );
      await assert.rejects(fails, TypeError);
      return currentTrace();
    });
    assert.match(String(inner), /^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/);
    await end();
    const [failed, outer] = recorded();
    assert.deepEqual(
      [outer.name, outer.parentSpanId, failed.parentSpanId],
      ['outer', CALLER.split('-')[2], outer.spanId],
    );
    assert.deepEqual(failed.status, { code: 2, message: 'TypeError' });
    assert.deepEqual(failed.attributes, [{ key: 'n', value: { intValue: 1 } }]);
    assert.equal(currentTrace(), undefined);
  });

  it('are left out beyond their part, also if a caller wants them recorded', async () => {
    const before = collector.received.length;
    const end = await startTracing(config({ ratio: 0 }), 'test');
    const found = await traced('work', { parent: CALLER }, async () => currentTrace());
    await end();
    assert.match(String(found), /-00$/);
    assert.equal(collector.received.length, before);
  });

  it('are dropped while the collector is away', async () => {
    const end = await startTracing(config({ endpoint: 'http://127.0.0.1:1/v1/traces' }), 'test');
    assert.equal(await traced('work', {}, async () => 'done'), 'done');
    await end();
  });

  it('go where the variables of OpenTelemetry say', () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/', OTEL_TRACES_SAMPLER_ARG: '0.25' };
    const { tracing, webhooks } = loadConfig({ ...env, OTEL_EXPORTER_OTLP_HEADERS: 'a=b%20c, d=e' });
    assert.deepEqual(
      [tracing?.endpoint, tracing?.ratio, tracing?.headers],
      ['http://127.0.0.1:4318/v1/traces', 0.25, { a: 'b c', d: 'e' }],
    );
    assert.ok(
      webhooks.targets.own.some(({ port }) => port === 4318),
      'no webhook reaches it',
    );
    for (const ratio of ['2', 'all', '-1'])
      assert.throws(() => loadConfig({ ...env, OTEL_TRACES_SAMPLER_ARG: ratio }), /OTEL_TRACES_SAMPLER_ARG is /);
    for (const headers of ['a secret', 'a=secret%', 'a=secret%ff', 'a=secret%0a', 'a=the secret']) {
      const bad = () => loadConfig({ ...env, OTEL_EXPORTER_OTLP_HEADERS: headers });
      const isTold = ({ message }: Error) => /must be name=value/.test(message) && !message.includes('secret');
      assert.throws(bad, isTold, headers);
    }
  });
});
