/** Reads one record and a list of 50, from the service and from a bare Koa server that sends the same bodies after one query each. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Pool } from 'undici';
import { type Check, median } from './report.ts';
import type { Stage } from './stage.ts';

const CLIENTS = 16;
const ROUND_MS = 3000;
const ROUNDS = 3;
const PARTNERS = 1000;
const LIMITS = { one: 0.45, list: 0.5 };

export async function reads(stage: Stage): Promise<Check> {
  await fillPartners(stage);
  const list = '/api/partners?limit=50';
  const page = await stage.client.get(list);
  const one = `/api/partners/${page.body.data[0].id}`;
  const bare = await startBare(stage, { '/one': (await stage.client.get(one)).body, '/list': page.body });
  const service = new Pool(stage.address, { connections: CLIENTS });
  const measure = new Pool(bare.address, { connections: CLIENTS });
  try {
    const figures: Record<string, number> = {};
    for (const [name, path, barePath] of [
      ['one', one, '/one'],
      ['list', list, '/list'],
    ] as const) {
      const rounds: { own: number; bare: number }[] = [];
      for (let round = -1; round < ROUNDS; round++) {
        const own = await rate(service, path, stage.token);
        const rates = { own, bare: await rate(measure, barePath, '') };
        if (round >= 0) rounds.push(rates);
      }
      figures[`${name}PerSecond`] = median(rounds.map(({ own }) => own));
      figures[`${name}Bare`] = median(rounds.map(({ bare: rate }) => rate));
      figures[`${name}Ratio`] = median(rounds.map(({ own, bare: rate }) => own / rate));
    }
    const described = (name: 'one' | 'list') =>
      `${figures[`${name}Ratio`]?.toFixed(2)} (${figures[`${name}PerSecond`]?.toFixed(0)} against ` +
      `${figures[`${name}Bare`]?.toFixed(0)} a second)`;
    return {
      name: `reads by ${CLIENTS} clients, as a part of what a bare server does`,
      measured: `one partner ${described('one')}, a list of 50 ${described('list')}`,
      limit: `at least ${LIMITS.one} and ${LIMITS.list}`,
      passed: (figures.oneRatio ?? 0) >= LIMITS.one && (figures.listRatio ?? 0) >= LIMITS.list,
      figures,
    };
  } finally {
    await Promise.all([service.destroy(), measure.destroy()]);
    await bare.stop();
  }
}

async function fillPartners({ client, fill, tenantId }: Stage): Promise<void> {
  const group = (await client.get('/api/partnerGroups?isCustomer=true')).body.data[0].id;
  await fill(
    `insert into partners (id, tenant_id, code, name, group_id, country_code, created_at, updated_at)
     select gen_random_uuid(), $1, 'B' || n, 'Cliente ' || n, $2, 'ES', now(), now() from generate_series(1, ${PARTNERS}) n`,
    [tenantId, group],
  );
  await fill('analyze');
}

/** Measures answers per second. */
async function rate(pool: Pool, path: string, token: string): Promise<number> {
  const started = performance.now();
  let answers = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (performance.now() - started < ROUND_MS) {
        const { statusCode, body } = await pool.request({
          path,
          method: 'GET',
          headers: { authorization: `Bearer ${token}` },
        });
        await body.text();
        if (statusCode !== 200) throw new Error(`GET ${path} was answered ${statusCode}`);
        answers++;
      }
    }),
  );
  return answers / ((performance.now() - started) / 1000);
}

async function startBare(
  { databaseUrl, tenantId }: Stage,
  bodies: Readonly<Record<string, unknown>>,
): Promise<{ address: string; stop(): Promise<void> }> {
  const server: ChildProcess = spawn(process.execPath, ['--import', 'tsx', 'bench/bare-reads.ts'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, NODE_ENV: 'production', DATABASE_URL: databaseUrl, TENANT: tenantId },
  });
  server.stdin?.end(JSON.stringify(bodies));
  const [port] = (await once(server.stdout as NodeJS.ReadableStream, 'data')) as [Buffer];
  return {
    address: `http://127.0.0.1:${String(port).trim()}`,
    async stop() {
      server.kill('SIGTERM');
      await once(server, 'exit');
    },
  };
}
