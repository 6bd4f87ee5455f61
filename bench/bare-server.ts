/**
 * The baseline for creating and posting invoices: Koa and the driver alone. One request runs, in one transaction, the same inserts and
 * updates as the service does for both, one statement after the other, without authentication, checks, rules or rounding. Prints its port
 * when it listens.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { koaBody } from 'koa-body';
import pg from 'pg';
import { v7 as uuid } from 'uuid';
import { APP_ROLE } from '../db/database.ts';

export interface BareLine {
  readonly itemId: string;
  readonly quantity: number;
  readonly price: number;
}

/** Input of the bare server: everything that the service would look up. */
export interface BareInvoice {
  readonly tenantId: string;
  readonly seriesId: string;
  readonly periodId: string;
  readonly partnerId: string;
  readonly taxGroupId: string;
  readonly warehouseId: string;
  readonly date: string;
  /** Accounts of the partner, of income and of the tax. */
  readonly accounts: readonly [string, string, string];
  /** Whether the items have stock. */
  readonly moves: boolean;
  readonly lines: readonly BareLine[];
}

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: 20,
  options: `-c role=${APP_ROLE} -c timezone=UTC`,
});

async function createAndPost(client: pg.PoolClient, invoice: BareInvoice): Promise<unknown> {
  const { tenantId, seriesId, periodId, partnerId, taxGroupId, warehouseId, date } = invoice;
  const id = uuid();
  const lines = invoice.lines.map((line) => ({ id: uuid(), ...line, amount: line.quantity * line.price }));
  const subtotal = lines.reduce((sum, { amount }) => sum + amount, 0);
  const tax = subtotal * 0.21;
  const rows = JSON.stringify(lines);
  const shown = JSON.stringify({ id, ...invoice, lines, subtotal, tax, total: subtotal + tax });
  await client.query(`begin; select set_config('app.tenant_id', '${tenantId}', true)`);
  await client.query(
    `insert into documents (id, tenant_id, doc_type, series_id, period_id, status, payment_status, partner_id, date, warehouse_id,
      vat_regime, currency,
       subtotal, discount_total, tax_total, total, version, created_at, updated_at)
     values ($1, $2, 'SINV', $3, $4, 'D', 'pending', $5, $6, $7, 'general', 'EUR', $8, 0, $9, $10, 1, now(), now())`,
    [id, tenantId, seriesId, periodId, partnerId, date, warehouseId, subtotal, tax, subtotal + tax],
  );
  await client.query(
    `insert into document_lines (id, tenant_id, document_id, line_number, item_id, description, quantity, price, tax_group_id, tax_rate,
      amount, warehouse_id, base_quantity)
     select l.id, $1, $2, l.place, l."itemId", 'Artículo', l.quantity, l.price, $3, 21, l.amount, $4, l.quantity
     from rows from (json_to_recordset($5::json) as (id uuid, "itemId" uuid, quantity numeric, price numeric,
       amount numeric)) with ordinality as l(id, "itemId", quantity, price, amount, place)`,
    [tenantId, id, taxGroupId, warehouseId, rows],
  );
  await client.query(
    `insert into document_taxes (id, tenant_id, document_id, tax_group_id, code, rate, base, amount)
      values ($1, $2, $3, $4, 'IVA21', 21, $5, $6)`,
    [uuid(), tenantId, id, taxGroupId, subtotal, tax],
  );
  await trace(client, tenantId, id, 'CREATE', 'document.created', null, shown);
  if (invoice.moves) await moveStock(client, invoice, id, rows);
  const { rows: numbers } = await client.query<{ number: number }>(
    'update series set next_number = next_number + 1 where tenant_id = $1 and id = $2 returning next_number - 1 as number',
    [tenantId, seriesId],
  );
  const number = numbers[0]?.number ?? 0;
  await client.query(
    `update documents set status = 'O', number = $3, code = $4, posted_at = now(), updated_at = now(), version = 2 where tenant_id = $1
      and id = $2`,
    [tenantId, id, number, `B${number}`],
  );
  await trace(client, tenantId, id, 'UPDATE', 'document.locked', shown, shown);
  await enter(client, invoice, { id, subtotal, tax });
  await client.query('commit');
  return { id, number };
}

/** The entry in the ledger: partner, income, tax. */
async function enter(
  client: pg.PoolClient,
  { tenantId, periodId, partnerId, taxGroupId, date, accounts }: BareInvoice,
  { id, subtotal, tax }: { readonly id: string; readonly subtotal: number; readonly tax: number },
): Promise<void> {
  const entryId = uuid();
  const total = subtotal + tax;
  const lines = JSON.stringify([
    { account: accounts[0], partner: partnerId, debit: total, credit: 0 },
    { account: accounts[1], debit: 0, credit: subtotal },
    { account: accounts[2], debit: 0, credit: tax, taxed: taxGroupId },
  ]);
  await client.query(
    `insert into journal_entries (id, tenant_id, fiscal_year, date, period_id, status, description, source_type, source_id, line_count,
      total, posted_at, created_at, updated_at)
     values ($1, $2, extract(year from $3::date), $3, $4, 'posted', 'Factura', 'sales_invoice', $5, 3, $6, now(), now(), now())`,
    [entryId, tenantId, date, periodId, id, total],
  );
  await client.query(
    `insert into journal_lines (tenant_id, entry_id, line_number, date, kind, account_id, debit, credit, partner_id, tax_kind,
      tax_operation, tax_use,
       tax_rectifying, tax_group_id, tax_rate, tax_base, tax_amount)
     select $1, $2, l.place, $3, 'normal', l.account, l.debit, l.credit, l.partner, case when taxed is not null then 'output'
       end, 'domestic', 'current', false, taxed, 21, $4, l.credit
     from rows from (json_to_recordset($5::json) as (account uuid, partner uuid, debit numeric, credit numeric,
       taxed uuid)) with ordinality as l(account, partner, debit, credit, taxed, place)`,
    [tenantId, entryId, date, subtotal, lines],
  );
  await client.query(
    `insert into audit_logs (id, tenant_id, entity_type, entity_id, action, actor, request_id, new_value, created_at)
     values ($1, $2, 'JournalEntry', $3, 'CREATE', 'bench', 'bench', $4, now())`,
    [uuid(), tenantId, entryId, lines],
  );
}

async function moveStock(
  client: pg.PoolClient,
  { tenantId, warehouseId, date }: BareInvoice,
  id: string,
  rows: string,
): Promise<void> {
  const lines = `json_to_recordset($1::json) as l(id uuid, "itemId" uuid, quantity numeric, price numeric)`;
  await client.query(
    `update stock_levels s set on_hand = s.on_hand - l.quantity from ${lines} where s.item_id = l."itemId" and s.tenant_id = $2`,
    [rows, tenantId],
  );
  await client.query(
    `insert into stock_movements (id, tenant_id, date, item_id, warehouse_id, quantity, balance, doc_type, document_id, document_line_id,
      created_at)
     select l.id, $2, $3, l."itemId", $4, -l.quantity, 1, 'SINV', $5, l.id, now() from ${lines}`,
    [rows, tenantId, date, warehouseId, id],
  );
  await client.query(
    `insert into stock_layers (id, tenant_id, seq, date, item_id, warehouse_id, quantity, unit_cost, fifo_unit_cost, average_change,
      fifo_change, remaining,
       quantity_after, average_after, fifo_after, last_cost)
     select m.id, m.tenant_id, m.seq, m.date, m.item_id, m.warehouse_id, m.quantity, 1, 1, m.quantity, m.quantity, 0, 1, 1, 1, 1
     from stock_movements m where m.tenant_id = $1 and m.document_id = $2`,
    [tenantId, id],
  );
  await client.query(
    `update stock_layers o set remaining = o.remaining - l.quantity from ${lines}
     where o.item_id = l."itemId" and o.tenant_id = $2 and o.warehouse_id = $3 and o.remaining > 0`,
    [rows, tenantId, warehouseId],
  );
  await client.query(
    `insert into outbox (id, tenant_id, event, entity_type, entity_id, payload, created_at)
     select gen_random_uuid(), $2, 'stock.movement', 'StockMovement', l.id, to_json(l), now() from ${lines}`,
    [rows, tenantId],
  );
}

async function trace(
  client: pg.PoolClient,
  tenantId: string,
  id: string,
  action: string,
  event: string,
  before: string | null,
  after: string,
): Promise<void> {
  await client.query(
    `insert into audit_logs (id, tenant_id, entity_type, entity_id, action, actor, request_id, old_value, new_value, created_at)
     values ($1, $2, 'SalesInvoice', $3, $4, 'bench', 'bench', $5, $6, now())`,
    [uuid(), tenantId, id, action, before, after],
  );
  await client.query(
    `insert into outbox (id, tenant_id, event, entity_type, entity_id, payload, created_at)
      values ($1, $2, $3, 'SalesInvoice', $4, $5, now())`,
    [uuid(), tenantId, event, id, JSON.stringify({ document_id: id, document_type: 'sales_invoice' })],
  );
}

const app = new Koa();
app.use(koaBody());
app.use(async (http) => {
  const client = await pool.connect();
  try {
    http.body = { data: await createAndPost(client, http.request.body as unknown as BareInvoice) };
  } finally {
    client.release();
  }
});
const server = createServer(app.callback());
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
