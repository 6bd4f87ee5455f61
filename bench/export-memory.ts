/**
 * Exports 100,000 items to Excel and measures the peak memory of the API process; also prints the memory of an idle process (program,
 * schemas, compiled code).
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import ExcelJS from 'exceljs';
import type { Check } from './report.ts';
import type { ApiStage, Stage } from './stage.ts';

const ITEMS = 100_000;
const LIMIT = 200e6;

export async function exportMemory(stage: ApiStage): Promise<Check> {
  await fillItems(stage);
  stage.watchMemory();
  const before = stage.memory().now;
  const folder = await mkdtemp(join(tmpdir(), 'bms-bench-'));
  try {
    const file = join(folder, 'items.xlsx');
    const started = performance.now();
    await download(stage, '/api/items?format=excel', file);
    const seconds = (performance.now() - started) / 1000;
    const { peak } = stage.memory();
    const rows = await countRows(file);
    if (rows !== ITEMS + 1) throw new Error(`The file has ${rows} rows instead of ${ITEMS + 1}`);
    return {
      name: `export of ${ITEMS} items to Excel, memory on top of the idle process`,
      measured: `${megabytes(peak - before)} (from ${megabytes(before)} to ${megabytes(peak)}, in ${seconds.toFixed(1)} s)`,
      limit: megabytes(LIMIT),
      passed: peak - before <= LIMIT,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function fillItems({ fill, tenantId }: Stage): Promise<void> {
  await fill(
    `insert into items (id, tenant_id, code, sku, name, description, uom_id, sale_price, purchase_price, stock_tracked, min_stock,
       sales_tax_group_id, purchase_tax_group_id, created_at, updated_at)
     select gen_random_uuid(), $1, 'ART' || lpad(n::text, 7, '0'), 'SKU-' || n, 'Artículo de prueba número ' || n,
       'Descripción más larga del artículo ' || n || ', como las que se leen en un catálogo', u.id, n * 0.01, n * 0.007, true, n % 50,
       t.id, t.id, now() - n * interval '1 minute', now()
     from generate_series(1, ${ITEMS}) n,
       (select id from uoms where tenant_id = $1 limit 1) u, (select id from taxes where tenant_id = $1 limit 1) t`,
    [tenantId],
  );
  await fill('analyze items');
}

async function download({ address, token }: Stage, path: string, file: string): Promise<void> {
  const response = await fetch(address + path, { headers: { Authorization: `Bearer ${token}` } });
  if (response.status !== 200 || response.body === null) throw new Error(`${path} was answered ${response.status}`);
  await pipeline(Readable.fromWeb(response.body as never), createWriteStream(file));
}

async function countRows(file: string): Promise<number> {
  let rows = 0;
  const reader = new ExcelJS.stream.xlsx.WorkbookReader(createReadStream(file), {
    sharedStrings: 'cache',
    worksheets: 'emit',
  });
  for await (const sheet of reader) for await (const _ of sheet) rows++;
  return rows;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
