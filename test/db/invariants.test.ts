import assert from 'node:assert/strict';
import pg from 'pg';
import type { Context } from '../../db/context.ts';
import type { Db } from '../../db/database.ts';
import { INVARIANTS } from '../../db/invariants.ts';
import { BankRule, BankStatementLine } from '../../db/models/bank.ts';
import { Account, BankAccount, Partner, PaymentTerms, Zone } from '../../db/models/master-data.ts';
import { broken, checkInvariants, describeFindings, verifyDatabase } from '../../db/verify.ts';
import { insertRow } from '../../db/write.ts';
import type { DocType } from '../../domain/documents/types.ts';
import { sumEntries } from '../../services/accounting/balances/sum-entries.ts';
import { numberEntries } from '../../services/accounting/numbers.ts';
import { acceptLines } from '../../services/bank/accept.ts';
import { importStatements } from '../../services/bank/import.ts';
import { readStatements } from '../../services/bank/statement-file.ts';
import { createEntry, reverseEntry } from '../../services/bookkeeping/manual.ts';
import type { DocumentInput, DocumentLineInput } from '../../services/documents/schemas.ts';
import { series } from '../../services/master-data/series.ts';
import { registerPayment } from '../../services/payments/register.ts';
import { removePayment } from '../../services/payments/remove.ts';
import { returnPayment } from '../../services/payments/return.ts';
import type { HookScope } from '../../services/resources/declaration.ts';
import { lockOne } from '../../services/resources/find.ts';
import { changeOne, createOne } from '../../services/resources/rows.ts';
import { orderCreditTransfers } from '../../services/sepa/credit-transfers.ts';
import { DEFAULT_SETTINGS, type FlagSettings, type SettingsName } from '../../services/settings/definitions.ts';
import { loadVersionedSettings, replaceSettings } from '../../services/settings/settings.ts';
import { adjustStock } from '../../services/stock/operations/adjust.ts';
import { transferStock } from '../../services/stock/operations/transfer.ts';
import { cancelDocument } from '../../services/trade/cancel.ts';
import { createDocument } from '../../services/trade/create.ts';
import { deleteDocument } from '../../services/trade/delete.ts';
import { postInvoice } from '../../services/trade/post.ts';
import { IBAN, sample, sampleLine, writeCamt053 } from '../helpers/bank-files.ts';
import { addCompany, type TestCompany } from '../helpers/company.ts';
import { useCompany } from '../helpers/hooks.ts';
import { changeCosts } from '../helpers/invoiced-costs.ts';
import { payStaff } from '../helpers/payrolls.ts';

interface Made {
  readonly id: string;
}

/** What a planted fault may speak of. */
interface Planted {
  readonly tenant: string;
  readonly otherTenant: string;
  readonly item: string;
  readonly order: string;
  readonly note: string;
  readonly invoice: string;
  readonly operation: string;
  readonly webhook: string;
  /** The first order of a series that began above its firstNumber. */
  readonly continued: string;
  /** An order of which more was delivered, while that was allowed. */
  readonly exceeded: string;
}

const any = { ifMatch: null };
const WEBHOOK = '0199f3b0-0000-7000-8000-000000000001';

/** Statements that break exactly what the invariant says; `:name` stands for an id of Planted. */
const FAULTS: Readonly<Record<string, string>> = {
  stock_is_sum_of_movements: `update stock_levels set on_hand = on_hand + 1 where item_id = :item`,
  movement_balances: `update stock_movements set balance = balance + 1 where document_id = :note`,
  layers_of_movements: `update stock_layers set quantity = quantity + 1 where item_id = :item`,
  layers_run: `update stock_layers set fifo_after = fifo_after + 1 where item_id = :item`,
  layers_left: `update stock_layers set remaining = remaining + 1 where item_id = :item`,
  stock_not_negative: `update stock_levels set on_hand = -1, may_be_negative = true where item_id = :item`,
  stock_not_negative_on_days: `update stock_movements set date = '2020-01-01' where item_id = :item and quantity < 0`,
  stock_commitments: `update stock_levels set reserved = reserved + 1 where item_id = :item`,
  dust: `update stock_movements set rounding = true where document_id = :note`,
  movements_of_documents: `update stock_movements set quantity = quantity - 1 where document_id = :note`,
  movements_of_operations: `update stock_movements set quantity = quantity + 1 where operation_id = :operation`,
  transferred_layers:
    `update stock_layers set source_id = (select id from stock_layers where quantity > 0 limit 1) where source_id is ` +
    `not null`,
  taken_back_movements: `update stock_layers set source_id = id where item_id = :item and source_id is null`,
  settled_costs: `update stock_layers set average_settled = average_settled - 1 where average_settled < 0`,
  valuation_movements: `update stock_layers set given_value = given_value + 1 where adjusts_id is not null`,
  costs_of_invoices: `update documents set status = 'X' where id in (select document_id from stock_movements where quantity = 0)`,
  followed_costs: `update stock_layers set given_value = given_value + 1 where follows_id is not null`,
  layer_parts: `update stock_layers set parts = '{}' where item_id = :item`,
  line_amounts: `update document_lines set amount = amount + 0.01 where document_id = :invoice`,
  document_totals: `update documents set total = total + 0.01 where id = :invoice`,
  taxes: `update document_taxes set amount = amount + 0.01 where document_id = :invoice`,
  withholdings: `update document_lines set withholding_rate = 15 where document_id = :invoice`,
  documents_have_lines: `update document_lines set line_number = line_number + 1 where document_id = :invoice`,
  series_numbers: `update series set next_number = next_number + 1 where doc_type = 'SINV' and not rectifying and tenant_id = :tenant`,
  numbered_when_valid: `update documents set number = null, code = null where id = :invoice`,
  delivered_quantities: `update document_lines set delivered_quantity = delivered_quantity + 1 where document_id = :order`,
  returned_quantities: `update document_lines set returned_quantity = returned_quantity + 1 where document_id = :note`,
  not_more_than_ordered: `update document_lines set delivered_quantity = quantity + 1 where document_id = :order`,
  status_by_quantities: `update documents set status = 'O' where id = :order`,
  bases: `update document_lines set base_id = :order where document_id = :invoice`,
  what_takes_back: `update documents set returns = :note, rectifies = null where id = :order`,
  dates_in_periods: `update documents set date = date + 400 where id = :invoice`,
  invoice_dates: `update documents set operation_date = date + 1 where id = :invoice`,
  no_drafts_in_closed_periods: `with closed as (update periods set status = 'C' where tenant_id = :tenant returning id)
    update documents set status = 'D' where id = :invoice`,
  entries_balance: `update journal_lines set debit = debit + 1 where credit = 0`,
  entry_numbers: `update journal_entries set number = 2 where source_id = :invoice`,
  lines_on_accounts: `update accounts set is_heading = true where id in (select account_id from journal_lines)`,
  entries_of_invoices: `update journal_lines set partner_id = null`,
  sales_of_invoices: `update document_lines set amount = amount + 0.01 where document_id = :invoice`,
  lost_taxes: `update document_lines set lost_tax = 0.01 where document_id = :invoice`,
  pro_rata_adjustments: `insert into pro_rata_adjustments (id, tenant_id, year, percent, with_right, operations, subject,
      deducted, difference, created_at, updated_at) values (gen_random_uuid(), :tenant, 2025, 80, 0, 0, 100, 100, 0, now(), now())`,
  taxes_of_lines: `update journal_lines set tax_amount = tax_amount + 0.01 where tax_kind = 'output' and tax_amount <> 0`,
  tax_returns: `insert into tax_returns (id, tenant_id, model, year, period, "from", "to", type, result, refund, boxes, overrides, carry,
      created_at, updated_at) values (gen_random_uuid(), :tenant, '303', 2026, '1T', '2026-01-01', '2026-03-31', 'I', 10, false, '{}', '{}',
      0, now(), now())`,
  reversals:
    `update journal_lines l set credit = 1, debit = 0 from journal_entries e where e.id = l.entry_id and e.reversal_of is not ` +
    `null and l.line_number = 2`,
  entries_of_sources: `update journal_entries set source_id = gen_random_uuid() where source_id = :invoice`,
  pending_invoices: `update journal_entries set source_type = 'pending_invoice', source_id = null where source_id = :invoice`,
  note_entries: `update journal_lines set note_line_id = (select id from document_lines where document_id = :note limit 1)
    where entry_id in (select id from journal_entries where source_id = :invoice) and partner_id is not null`,
  closed_years: `insert into fiscal_years (id, tenant_id, year, "from", "to", status, created_at, updated_at)
    values (gen_random_uuid(), :tenant, 2026, '2026-01-01', '2026-12-31', 'closed', now(), now())`,
  years_of_entries: `update journal_entries set fiscal_year = fiscal_year + 1 where source_id = :invoice`,
  balances: `update journal_balances set debit = debit + 0.01`,
  numbers_of_balances: `update counters set next = next + 100 where name like 'journal_balances:%'`,
  instalments: `update document_instalments set outstanding = outstanding + 1 where number = 1`,
  paid_is_sum_of_applications: `update documents set paid_total = paid_total + 1 where id = :invoice`,
  named_instalments: `update payment_applications set instalment = 9 where instalment is not null`,
  prompt_discounts: `update documents set prompt_discount_percent = 2 where id = :invoice`,
  applied_within_payment: `update payments set applied_total = 0`,
  entries_of_payments: `update journal_entries set date = date + 1 where source_type = 'payment' and reversal_of is null`,
  withholding_of_discounts: `update journal_lines l set tax_kind = 'withholding', tax_operation = 'domestic', tax_use = 'current',
      tax_rectifying = true, tax_rate = 0, tax_base = -1, tax_amount = -1
    from journal_entries e where e.id = l.entry_id and e.source_type = 'payment' and l.line_number = 1`,
  returned_payments: `update payments set returns = id where returns is not null`,
  open_items_are_lines: `update open_items set total = total + 1`,
  settled_by_entries: `update payment_applications set line_number = line_number + 1 where entry_id is not null`,
  payments_of_lines: `update bank_statement_lines set status = 'open', entry_id = null`,
  amounts_of_lines: `update bank_statement_lines set amount = amount + 1 where status = 'matched'`,
  entries_of_lines: `update bank_statement_lines set entry_id = null`,
  lines_of_rules: `update bank_statement_lines set status = 'ignored', entry_id = null where rule_id is not null`,
  lines_of_statements: `update bank_statements set closing_balance = closing_balance + 1`,
  orders_of_items: `update sepa_order_items set amount = amount + 1`,
  figures_of_payrolls: `update payrolls set lines = jsonb_set(lines, '{0,amount}', '"1"') where status = 'D'`,
  entries_of_payrolls: `update payrolls set status = 'O' where status = 'X'`,
  payments_of_payrolls: `update payrolls set payment_id = gen_random_uuid() where status = 'D'`,
  movement_lines:
    `update stock_movements m set document_line_id = (select id from document_lines where document_id = :order limit 1) ` +
    `where document_id = :note`,
  files_of_documents: `insert into files (id, tenant_id, kind, name, content_type, entity_id, entity_version, content, created_at)
    values (gen_random_uuid(), :otherTenant, 'document_pdf', 'x.pdf', 'application/pdf', :invoice, 1, '', now())`,
  mails_of_documents: `insert into emails (id, tenant_id, kind, addressees, subject, status, recipients, attachments, document_id,
      attach_document, tries, give_up_at, sent_at, created_at, updated_at)
    values (gen_random_uuid(), :tenant, 'document', 'a@example.test', 'x', 'sent', '[]', '[]', :invoice, true, 1, now(), now(), now(),
      now())`,
  papers_of_invoices: `with gone as (delete from document_papers where document_id = :invoice)
    update documents set posted_at = posted_at + interval '2 days' where id = :invoice`,
  attempts_of_events: `insert into webhook_attempts (id, tenant_id, webhook_id, event_id, event, document_id, attempt, status, sent_at)
    values (gen_random_uuid(), :tenant, :webhook, gen_random_uuid(), 'document.created', :invoice, 1, 'success',
      now() + interval '1 year')`,
  one_success_each: `insert into webhook_attempts (id, tenant_id, webhook_id, event_id, event, attempt, status, sent_at)
    select gen_random_uuid(), :tenant, :webhook, :order, 'document.created', n, 'success', now() from generate_series(1, 2) n`,
  attempts_without_gap: `insert into webhook_attempts (id, tenant_id, webhook_id, event_id, event, attempt, status, sent_at)
    select gen_random_uuid(), :tenant, :webhook, :order, 'document.created', 2, 'failed', now()`,
  disabled_webhooks: `with w as (insert into webhooks (id, tenant_id, name, url, events, retry_policy, created_at, updated_at)
      values (:webhook, :tenant, 'w', 'https://example.com', '{*}', '{}', now(), now()))
    insert into webhook_health (tenant_id, webhook_id, disabled_at, disabled_reason) values (:tenant, :webhook, now(), 'five days')`,
  one_event_per_change: `delete from outbox where entity_id = :invoice and event = 'document.locked'`,
  versions: `update documents set version = version + 1 where id = :invoice`,
  outbox_in_time: `update outbox set created_at = now() - interval '1 hour', processed_at = null where entity_id = :invoice`,
};

describe('the invariants', () => {
  let planted: Planted;
  let client: pg.Client;

  const company = useCompany();
  before(async () => {
    const other = await addCompany(company.database, company.url);
    planted = { ...(await trade(company)), otherTenant: other.ctx.tenantId };
    await trade({ ...other, close: async () => undefined });
    client = new pg.Client({ connectionString: company.url });
    await client.connect();
  });
  after(async () => {
    await client.end();
  });

  /** The same check, inside a transaction that plants something first and takes it back. */
  async function checkWith(sql: string) {
    await client.query('begin');
    try {
      // Faults that foreign keys and other constraints would stop are faults too: a restored backup can hold them.
      await client.query('set local session_replication_role = replica');
      await client.query(sql.replace(/:(?!:)(\w+)/g, (_, name: keyof Planted) => `'${planted[name]}'::uuid`));
      return await checkInvariants(client);
    } finally {
      await client.query('rollback');
    }
  }

  it('hold after sales, purchases, cancellations and deletions in two companies', async () => {
    const findings = await verifyDatabase(company.url);
    assert.deepEqual(broken(findings), []);
    const unchecked = findings.filter(({ checked }) => checked === 0).map(({ name }) => name);
    // Nothing to look at without divided quantities, closed periods, paid payrolls, files, deliveries; the rest has been looked at.
    const mayBeEmpty = [
      'dust',
      'no_drafts_in_closed_periods',
      'pro_rata_adjustments',
      'tax_returns',
      'pending_invoices',
      'note_entries',
      'closed_years',
      'payments_of_payrolls',
      'files_of_documents',
      'mails_of_documents',
      'attempts_of_events',
      'one_success_each',
      'attempts_without_gap',
      'disabled_webhooks',
    ];
    assert.deepEqual(unchecked, mayBeEmpty);
  });

  it('have a planted fault each', () => {
    assert.deepEqual(
      Object.keys(FAULTS),
      INVARIANTS.map(({ name }) => name),
    );
  });

  for (const [name, sql] of Object.entries(FAULTS)) {
    it(`catch a fault: ${name}`, async () => {
      const findings = await checkWith(sql);
      const finding = findings.find((candidate) => candidate.name === name);
      assert.ok(finding && finding.violations > 0, `${name} was not noticed`);
      assert.ok(finding.samples.length > 0);
      assert.match(describeFindings(findings), finding.warning ? /WARNING \d/ : /BROKEN \d/);
      assert.equal(broken(findings).includes(finding), !finding.warning);
    });
  }

  it('allow stock below zero where the company does', async () => {
    const findings = await checkWith(`
      insert into settings (id, tenant_id, name, value, version, created_at, updated_at)
        values (gen_random_uuid(), :tenant, 'flags', '{"allowNegativeStock": true}', 1, now(), now())
        on conflict (tenant_id, name) do update set value = excluded.value;
      update stock_levels set on_hand = -1, may_be_negative = true where item_id = :item`);
    assert.equal(findings.find(({ name }) => name === 'stock_not_negative')?.violations, 0);
  });

  it('do not ask for the lost tax of what a process of the previous release has posted', async () => {
    const lost = `update document_lines set lost_tax = 0.01 where document_id in (
      select id from documents where doc_type = 'PINV' and posted_at is not null);`;
    const marked = `update documents set lost_tax_unknown = true where doc_type = 'PINV'`;
    const violations = async (sql: string) =>
      (await checkWith(sql)).find(({ name }) => name === 'lost_taxes')?.violations ?? 0;
    assert.ok((await violations(lost)) > 0);
    assert.equal(await violations(lost + marked), 0);
  });

  it('know what was allowed when it was done, and nothing besides', async () => {
    const flagsOf = (when: string) => `update audit_logs set new_value = '{"name": "flags", "value": {}}'
      where entity_type = 'Setting' and new_value->>'name' = 'flags' and tenant_id = :tenant and ${when}`;
    const faults: Readonly<Record<string, readonly string[]>> = {
      series_numbers: [
        `update series set next_number = next_number + 1 where prefix = 'OLD-' and tenant_id = :tenant`,
        `update documents set number = 1 where id = :continued`,
        `delete from documents where id = :continued`,
      ],
      not_more_than_ordered: [
        flagsOf('true'),
        // The note that took too much came after the flag was off.
        `update audit_logs set id = 'ffffffff-0000-7000-8000-000000000000' where action = 'CREATE'
          and entity_id = (select document_id from document_lines where base_id = :exceeded and quantity = 3)`,
      ],
      stock_not_negative: [
        flagsOf('true'),
        // The goods left after the flag was off.
        `update stock_movements set id = 'ffffffff-0000-7000-8000-000000000000' where seq =
          (select max(m.seq) from stock_movements m join stock_levels l using (tenant_id, item_id, warehouse_id) where l.on_hand < 0
            and m.quantity < 0)`,
      ],
    };
    for (const [name, statements] of Object.entries(faults)) {
      for (const sql of statements) {
        const finding = (await checkWith(sql)).find((candidate) => candidate.name === name);
        assert.ok(finding && finding.violations > 0, `${name} did not notice: ${sql}`);
      }
    }
  });

  it('are seen by a login that row-level security binds, over all companies', async () => {
    const role = `checker_${planted.tenant.slice(-12)}`;
    await client.query(`create role ${role} login password 'x' in role bms_app, bms_system`);
    try {
      const login = new URL(company.url);
      login.username = role;
      login.password = 'x';
      const [bound, all] = [await verifyDatabase(login.href), await verifyDatabase(company.url)];
      assert.deepEqual(
        bound.map(({ name, checked }) => [name, checked]),
        all.map(({ name, checked }) => [name, checked]),
      );
      await client.query('update documents set total = total + 1 where id = $1', [planted.invoice]);
      const [broke] = broken(await verifyDatabase(login.href));
      assert.deepEqual([broke?.name, broke?.samples], ['document_totals', [`${planted.tenant}: ${planted.invoice}`]]);
      await client.query('update documents set total = total - 1 where id = $1', [planted.invoice]);
    } finally {
      await client.query(`drop role ${role}`);
    }
  });
});

/** An invoice that is due in three parts, of which a payment covers the first and a bit. */
async function inParts({ ctx, run, customerId, taxId: taxGroupId }: TestCompany): Promise<void> {
  await run(async (trx) => {
    const part = { percent: null, days: 0, endOfMonth: false };
    const lines = [
      { ...part, percent: 30 },
      { ...part, percent: 30, days: 30 },
      { ...part, days: 60 },
    ];
    const terms = await insertRow(trx, ctx, PaymentTerms, { code: 'T', name: 'Three parts', lines, active: true });
    const sold = { description: 'Portes', quantity: 1, price: 10, taxGroupId };
    const input = { partnerId: customerId, paymentTermsId: terms.id, lines: [sold] };
    const { id } = (await createDocument(trx, ctx, 'SINV', input)) as unknown as Made;
    await postInvoice(trx, ctx, id, any);
    const paid = { partner_id: customerId, amount: 4, payment_date: '2026-06-15', payment_method: 'cash' } as const;
    const linked_documents = [{ document_type: 'sales_invoice' as const, document_id: id }];
    await registerPayment(trx, ctx, 'in', { ...paid, linked_documents });
    const last = [{ ...linked_documents[0], document_id: id, document_type: 'sales_invoice' as const, instalment: 3 }];
    await registerPayment(trx, ctx, 'in', { ...paid, amount: 1, linked_documents: last });
  });
}

/** A bit of everything that moves stock and numbers. */
async function trade(company: TestCompany): Promise<Planted> {
  const { ctx, customerId, supplierId, itemId } = company;
  const create = (docType: DocType, lines: DocumentLineInput[]) =>
    company.run((trx) =>
      createDocument(trx, ctx, docType, { partnerId: docType.startsWith('P') ? supplierId : customerId, lines }),
    ) as unknown as Promise<Made>;
  const post = (id: string) => company.run((trx) => postInvoice(trx, ctx, id, any));
  const cancel = (id: string) => company.run((trx) => cancelDocument(trx, ctx, id, any));

  const announced = await create('PO', [{ itemId, quantity: 100, price: 1.2 }]);
  await create('PDN', [{ baseId: announced.id, quantity: 60 }]);
  await cancel((await create('PDN', [{ itemId, quantity: 5 }])).id);

  const order = await create('SO', [
    { itemId, quantity: 7, price: 1.333333, discountPercent: 12.5 },
    { itemId, quantity: 3 },
    { description: 'Portes', quantity: 1, price: 4.95, taxGroupId: company.taxId },
  ]);
  const lines = [
    { baseId: order.id, itemId, quantity: 7 },
    { baseId: order.id, itemId, quantity: 2 },
  ];
  const note = await create('SDN', lines);
  const invoice = await create('SINV', [{ baseId: note.id, itemId, quantity: 7 }]);
  await post(invoice.id);
  const draft = await create('SINV', [{ baseId: note.id, itemId, quantity: 1 }]);
  await company.run((trx) => deleteDocument(trx, ctx, draft.id, any));

  // Invoiced without a note: posted, posted and cancelled, left as a draft, cancelled as a draft.
  const direct = await create('SO', [{ itemId, quantity: 4 }]);
  const owed = await create('SINV', [{ baseId: direct.id, quantity: 3 }]);
  await post(owed.id);
  // Paid in part, with something left over; and a payment that was deleted.
  const link = { document_type: 'sales_invoice', document_id: owed.id, amount_applied: 2 };
  const payment = {
    partner_id: customerId,
    amount: 5,
    payment_date: '2026-06-15',
    payment_method: 'cash',
    linked_documents: [link],
  } as const;
  await company.run((trx) => registerPayment(trx, ctx, 'in', payment));
  const mistaken = await company.run((trx) => registerPayment(trx, ctx, 'in', payment));
  await company.run((trx) => removePayment(trx, ctx, 'in', mistaken.id, null));
  const bounced = await company.run((trx) => registerPayment(trx, ctx, 'in', payment));
  await company.run((trx) => returnPayment(trx, ctx, 'in', bounced.id, { date: '2026-06-15', fees: 1 }));
  await company.run((trx) => enterByHand(trx, ctx, customerId, owed.id));
  // Paid and received by bank, the latter shown by a statement with something that is on an account.
  await company.run(async (trx) => {
    await insertRow(trx, ctx, BankAccount, { name: 'Bank', iban: IBAN, isDefault: true });
    const { id: accountId } = await Account.query(trx).findOne({ code: '769' }).throwIfNotFound();
    const rule = { name: 'Intereses', text: 'intereses', position: 1, active: true, accept: true, accountId };
    await insertRow(trx, ctx, BankRule, rule);
    const lines = [sampleLine(), sampleLine({ amount: '1', text: 'Intereses' })];
    const statement = sample({ from: '2026-06-15', to: '2026-06-15', lines });
    const content = Buffer.from(writeCamt053([statement]).replaceAll('2026-01-15', '2026-06-15'));
    await importStatements(trx, ctx, await readStatements(trx, { content, name: undefined }));
    const line = await BankStatementLine.query(trx).findOne({ position: 1 }).throwIfNotFound();
    await Partner.query(trx).patch({ iban: IBAN });
    const issued = {
      ...payment,
      partner_id: company.supplierId,
      payment_method: 'transfer',
      linked_documents: [],
    } as const;
    const { id } = await registerPayment(trx, ctx, 'out', issued);
    await orderCreditTransfers(trx, ctx, { payment_ids: [id], date: '2026-06-20' });
    const parts = [{ partner_id: customerId, amount: 120 }, { account_code: '759' }];
    await acceptLines(trx, ctx, [{ line_id: line.id, parts }], { partial: false, leastScore: 100 });
  });
  await inParts(company);
  await payStaff(company);
  const undone = await create('SINV', [{ itemId, quantity: 2 }]);
  await post(undone.id);
  await cancel(undone.id);
  await create('SINV', [{ itemId, quantity: 1 }]);
  await cancel((await create('SINV', [{ itemId, quantity: 1 }])).id);
  await cancel((await create('SO', [{ itemId, quantity: 9 }])).id);

  // Counted, and put into a zone of the same warehouse.
  const { warehouseId } = company;
  const zone = { warehouseId, code: 'A-01' };
  const { id: toZoneId } = await company.run((trx) => insertRow(trx, ctx, Zone, zone));
  const counts = { warehouseId, lines: [{ itemId, countedQuantity: 40 }] };
  const counted = (await company.run((trx) => adjustStock(trx, ctx, counts))) as unknown as Made;
  const put = { warehouseId, toZoneId, lines: [{ itemId, quantity: 5 }] };
  await company.run((trx) => transferStock(trx, ctx, put));

  await settle(company);
  await changeCosts(company);
  const { continued, exceeded } = await tradeFreely(company);
  await company.run((trx) => numberEntries(trx, ctx));
  await sumEntries(company.database, ctx);
  return {
    tenant: ctx.tenantId,
    otherTenant: '',
    item: itemId,
    order: order.id,
    note: note.id,
    invoice: invoice.id,
    operation: counted.id,
    webhook: WEBHOOK,
    continued,
    exceeded,
  };
}

/** Sets everything that can be set. */
async function settle({ ctx, run }: Pick<TestCompany, 'ctx' | 'run'>): Promise<void> {
  for (const name of Object.keys(DEFAULT_SETTINGS) as SettingsName[]) {
    const { value } = await run((trx) => loadVersionedSettings(trx, name));
    await run((trx) => replaceSettings(trx, ctx, name, value));
  }
}

/**
 * What is legal though it looks as if it were not: a series that goes on from another program, and what flags allowed that are off again.
 */
/** What people enter: 1 of the invoice is lost, and 3 are owed besides; another such entry is reversed. */
async function enterByHand(trx: Db, ctx: Context, partnerId: string, settlesId: string): Promise<void> {
  const accounts = await Account.query(trx).whereIn('code', ['430', '650']);
  const [customers = '', losses = ''] = ['430', '650'].map((one) => accounts.find(({ code }) => code === one)?.id);
  const lines = [
    { accountId: customers, partnerId, credit: 1, settlesId },
    { accountId: customers, partnerId, debit: 3 },
    { accountId: losses, debit: 1 },
    { accountId: losses, credit: 3 },
  ];
  const enter = () => createEntry(trx, ctx, { date: '2026-06-15', post: true, lines });
  const { id } = await enter();
  await reverseEntry(trx, ctx, id, any);
  await enter();
}

async function tradeFreely(company: TestCompany): Promise<{ continued: string; exceeded: string }> {
  const { ctx, customerId, run } = company;
  const portes = { description: 'Portes', quantity: 1, price: 5, taxGroupId: company.taxId };
  const scope = <T>(work: (scope: HookScope) => Promise<T>) => run((trx) => work({ trx, ctx, role: 'owner' }));
  const create = (docType: DocType, input: Partial<DocumentInput> & { lines: DocumentLineInput[] }) =>
    run((trx) => createDocument(trx, ctx, docType, { partnerId: customerId, ...input })) as unknown as Promise<Made>;
  const flags = (value: Partial<FlagSettings>) => run((trx) => replaceSettings(trx, ctx, 'flags', value));

  const began = await scope((within) => createOne(series, within, { docType: 'SO', prefix: 'OLD-', nextNumber: 40 }));
  const went = { id: String(began.id), nextNumber: 501 };
  await scope(async (within) => changeOne(series, within, await lockOne(within.trx, series, { id: went.id }), went));
  const continued = await create('SO', {
    seriesId: went.id,
    lines: [portes],
  });
  await create('SO', { seriesId: went.id, lines: [portes] });
  const renamed = { name: 'From the old program' };
  await scope(async (within) => changeOne(series, within, await lockOne(within.trx, series, { id: went.id }), renamed));

  const { id: itemId } = await company.item();
  await company.stockUp(itemId, 3);
  await flags({ allowOverDelivery: true, allowNegativeStock: true });
  const order = await create('SO', { lines: [{ itemId, quantity: 5 }] });
  await create('SDN', { lines: [{ baseId: order.id, quantity: 4 }] });
  await create('SDN', { lines: [{ baseId: order.id, quantity: 3 }] });
  await flags({});
  await company.stockUp(itemId, 1);
  return { continued: continued.id, exceeded: order.id };
}
