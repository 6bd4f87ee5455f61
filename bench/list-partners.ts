/**
 * Lists 50 of 100,000 partners with a text search and a filter by a custom field: through the API, against the same statement sent by the
 * driver alone, in turn and in the same run.
 */
import pg from 'pg';
import { APP_ROLE, Database } from '../db/database.ts';
import { parseListQuery } from '../db/queries/list.ts';
import { pageStatement } from '../db/queries/run-list.ts';
import { loadActiveFields } from '../services/records/custom-fields/definitions.ts';
import { withCustomFilters } from '../services/records/custom-fields/list-fields.ts';
import { partners } from '../services/records/master-data/partners.ts';
import { listDefinition } from '../services/records/resources/fields.ts';
import { type Check, median } from './report.ts';
import type { Stage } from './stage.ts';

const PARTNERS = 100_000;
const LIMIT = 3;
const WARM_UP = 5;
const ROUNDS = 30;
const PATH = '/api/partners?q=gar&custom_region=norte&limit=50&sort=name';

export async function listPartners(stage: Stage): Promise<Check> {
  await fillPartners(stage);
  const statement = await listStatement(stage);
  const driver = await connectAsApp(stage);
  try {
    const throughApi: number[] = [];
    const throughDriver: number[] = [];
    for (let round = -WARM_UP; round < ROUNDS; round++) {
      const api = await timed(() => readPage(stage));
      const bare = await timed(() => driver.query(statement));
      if (round < 0) continue;
      throughApi.push(api);
      throughDriver.push(bare);
    }
    const [api, bare] = [median(throughApi), median(throughDriver)];
    return {
      name: `list of 50 out of ${PARTNERS} partners with search and custom field`,
      measured: `${(api / bare).toFixed(2)} × the statement alone (${api.toFixed(1)} ms against ${bare.toFixed(1)} ms)`,
      limit: `${LIMIT} ×`,
      passed: api / bare <= LIMIT,
    };
  } finally {
    await driver.end();
  }
}

async function fillPartners({ client, fill, tenantId }: Stage): Promise<void> {
  const field = {
    table_name: 'BusinessPartner',
    field_name: 'region',
    label: 'Región',
    type: 'TEXT',
    filterable: true,
  };
  const created = await client.post('/api/custom-fields', field);
  if (created.status !== 201) throw new Error(`The custom field was answered ${JSON.stringify(created.body)}`);
  const region = (await client.post('/api/partners', { ...(await partner(client)), custom_region: 'norte' })).body.data;
  if (region?.custom_region !== 'norte') throw new Error('The custom field has no value');
  await fill(
    `insert into partners (id, tenant_id, code, name, nif, group_id, country_code, custom, created_at, updated_at)
     select gen_random_uuid(), $1, 'B' || lpad(n::text, 7, '0'),
       (array['García', 'Martínez', 'López', 'Sánchez', 'Pérez'])[1 + n % 5] || ' y asociados ' || n, 'X' || n, p.group_id, 'ES',
       jsonb_build_object((select jsonb_object_keys(p.custom) limit 1), (array['norte', 'sur', 'este', 'oeste'])[1 + n % 4]), now(), now()
     from generate_series(1, ${PARTNERS}) n, (select * from partners where id = $2) p`,
    [tenantId, region.id],
  );
  await fill('analyze');
}

async function partner(client: Stage['client']): Promise<object> {
  const groups = await client.get('/api/partnerGroups?isCustomer=true');
  return { name: 'García original', groupId: groups.body.data[0].id };
}

async function readPage({ address, token }: Stage): Promise<void> {
  const response = await fetch(address + PATH, { headers: { Authorization: `Bearer ${token}` } });
  const { data } = (await response.json()) as { data: unknown[] };
  if (data.length !== 50) throw new Error(`The page has ${data.length} rows`);
}

interface Statement {
  readonly text: string;
  readonly values: unknown[];
}

/** Builds the statement of the list with the service's own code. */
async function listStatement({ databaseUrl, tenantId }: Stage): Promise<Statement> {
  const database = new Database({ url: databaseUrl, poolSize: 1, applicationName: 'bench' });
  try {
    const ctx = { tenantId, userId: null, actor: 'bench', requestId: 'bench', now: new Date() };
    const fields = await loadActiveFields(database.reader(ctx), ctx, 'BusinessPartner');
    const definition = withCustomFilters(listDefinition(partners), fields);
    const query = parseListQuery(definition, Object.fromEntries(new URL(PATH, 'http://bench').searchParams));
    const { text, values = [] } = pageStatement(definition, query, { from: 'partners' });
    return { text, values: [...values] };
  } finally {
    await database.close();
  }
}

/** Connects as the application's role, bound by row-level security like the service. */
async function connectAsApp({ databaseUrl, tenantId }: Stage): Promise<pg.Client> {
  const driver = new pg.Client({ connectionString: databaseUrl, options: `-c role=${APP_ROLE} -c timezone=UTC` });
  await driver.connect();
  await driver.query("select set_config('app.tenant_id', $1, false)", [tenantId]);
  return driver;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
