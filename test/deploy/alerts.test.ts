import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parser } from '@prometheus-io/lezer-promql';
import { CORE_SCHEMA, load } from 'js-yaml';
import { QUEUES } from '../../worker/queues.ts';
import { useApp } from '../helpers/hooks.ts';

const DEPLOY = new URL('../../deploy/', import.meta.url);
const OPERATIONS = new URL('../../docs/operations.md', import.meta.url);

interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels?: { readonly severity?: string };
  readonly annotations?: { readonly summary?: string };
}

/** Names of the metrics in an expression. @throws AssertionError if it is no PromQL */
function metricsIn(expression: string): string[] {
  const found: string[] = [];
  parser.parse(expression).iterate({
    enter({ type, from, to }) {
      assert.ok(!type.isError, `${expression} at ${from}`);
      if (type.name === 'Identifier') found.push(expression.slice(from, to));
    },
  });
  return found;
}

describe('what operators watch', () => {
  const app = useApp();
  let rules: readonly Rule[];
  let known: Set<string>;

  before(async () => {
    const text = await readFile(new URL('prometheus/rules.yml', DEPLOY), 'utf8');
    rules = (load(text, { schema: CORE_SCHEMA }) as { groups: { rules: Rule[] }[] }).groups.flatMap((one) => one.rules);
    const shown = (await app.anonymous.get('/metrics')).body as string;
    const names = [...shown.matchAll(/^# TYPE (\S+) (\S+)/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    );
    known = new Set([...names, 'up', ...rules.flatMap(({ record }) => record ?? [])]);
  });

  it('are rules over metrics that the service has', () => {
    assert.ok(rules.length > 20);
    for (const { expr } of rules) for (const name of metricsIn(expr)) assert.ok(known.has(name), `${name} in ${expr}`);
    assert.throws(() => metricsIn('sum(rate(x[5m])'));
  });

  it('are alerts with a severity, a summary, and a section that says what to do', async () => {
    const page = await readFile(OPERATIONS, 'utf8');
    const sections = [...page.matchAll(/^#### (\w+)\n\n([\s\S]*?)(?=\n#|(?![\s\S]))/gm)].map(
      ([, name, text]) => [name, text] as const,
    );
    const alerts = rules.flatMap(({ alert }) => alert ?? []);
    assert.deepEqual(sections.map(([name]) => name).sort(), [...alerts].sort());
    for (const [name, text] of sections)
      for (const part of ['**Means**', '**Look**', '**Do**', '**Over**'])
        assert.ok(text?.includes(part), `${name}: ${part}`);
    for (const { alert, labels, annotations } of rules) {
      if (alert === undefined) continue;
      assert.match(labels?.severity ?? '', /^(page|ticket)$/, alert);
      assert.ok((annotations?.summary ?? '').length > 10, alert);
    }
  });

  it('watch the workers of every queue', () => {
    const { expr = '' } = rules.find(({ alert }) => alert === 'NoWorker') ?? {};
    const queues = [...expr.matchAll(/queue="([^"]+)"/g)].map(([, queue]) => queue);
    assert.deepEqual(queues.sort(), [...QUEUES].sort());
  });

  it('are dashboards over metrics that the service has', async () => {
    const folder = new URL('grafana/', DEPLOY);
    const files = (await readdir(fileURLToPath(folder))).filter((name) => name.endsWith('.json'));
    assert.ok(files.length > 0);
    for (const file of files) {
      const { panels, title } = JSON.parse(await readFile(new URL(file, folder), 'utf8')) as {
        title: string;
        panels: { id: number; title: string; targets?: { expr: string }[] }[];
      };
      assert.ok(title.length > 0 && new Set(panels.map(({ id }) => id)).size === panels.length);
      for (const { targets = [] } of panels)
        for (const { expr } of targets)
          for (const name of metricsIn(expr.replaceAll('$__rate_interval', '5m')))
            assert.ok(known.has(name), `${name} in ${expr}`);
    }
  });
});
