import assert from 'node:assert/strict';
import { Account, Item, Period, Tax } from '../../../../db/models/records/master-data.ts';
import { patchRow } from '../../../../db/write.ts';
import { ServiceError } from '../../../../domain/errors.ts';
import { replaceSettings } from '../../../../services/platform/settings/settings.ts';
import { cancelDocument } from '../../../../services/trade/lifecycle/cancel.ts';
import { createDocument } from '../../../../services/trade/lifecycle/create.ts';
import { postInvoice } from '../../../../services/trade/lifecycle/post.ts';
import { creating } from '../../../helpers/documents.ts';
import { useCompany } from '../../../helpers/hooks.ts';

const any = { ifMatch: null };

describe('the ledger of invoices', () => {
  const company = useCompany();
  before(async () => {
    await company.stockUp(company.itemId, 100);
  });

  const create = creating<{ id: string }>(company);
  const post = ({ id }: { id: string }) =>
    company.run((trx) => postInvoice(trx, company.ctx, id, any)) as unknown as Promise<{ id: string; code: string }>;
  const cancel = ({ id }: { id: string }, date?: string) =>
    company.run((trx) => cancelDocument(trx, company.ctx, id, { ...any, ...(date === undefined ? {} : { date }) }));
  /** The lines of what was entered for a document, by account code. */
  const ledgerLines = ({ id }: { id: string }) =>
    company.rows(
      `select e.date, a.code, l.debit::float8 as debit, l.credit::float8 as credit from journal_entries e
       join journal_lines l on l.entry_id = e.id join accounts a on a.id = l.account_id
       where e.source_id = ? order by e.seq, l.line_number`,
      [id],
    );
  const refused = async (work: Promise<unknown>, code: string, pointer: string) =>
    assert.rejects(work, (error) => {
      assert.ok(error instanceof ServiceError, String(error));
      assert.deepEqual(
        error.errors.map((fault) => [fault.code, fault.pointer]),
        [[code, pointer]],
      );
      return true;
    });

  it('has the sub-accounts of the rate, goods and services apart, and names partner, source and number', async () => {
    const { itemId, taxId, customerId } = company;
    const lines = [
      { itemId, quantity: 2, price: 10 },
      { description: 'Portes', quantity: 1, price: 5, taxGroupId: taxId },
    ];
    const invoice = await post(await create('SINV', { lines }));
    const date = '2026-06-15';
    assert.deepEqual(await ledgerLines(invoice), [
      { date, code: '430', debit: 30.25, credit: 0 },
      { date, code: '700', debit: 0, credit: 20 },
      { date, code: '705', debit: 0, credit: 5 },
      { date, code: '47700021', debit: 0, credit: 5.25 },
    ]);
    const [entry] = await company.rows(
      `select description, source_type, status, fiscal_year, (select partner_id from journal_lines l where l.entry_id = e.id
        and partner_id is not null) as partner
       from journal_entries e where source_id = ?`,
      [invoice.id],
    );
    assert.deepEqual(entry, {
      description: `Factura de venta ${invoice.code} · Café Central`,
      source_type: 'sales_invoice',
      status: 'posted',
      fiscal_year: 2026,
      partner: customerId,
    });
    const [audit] = await company.rows(
      `select a.new_value->'lines'->0->>'debit' as debit, a.new_value->>'description' as description from audit_logs a
       join journal_entries e on e.id = a.entity_id where e.source_id = ?`,
      [invoice.id],
    );
    assert.deepEqual(audit, { debit: '30.25', description: `Factura de venta ${invoice.code} · Café Central` });
  });

  it('has creditors of services and of assets alone apart from suppliers of goods, and what is withheld', async () => {
    const { itemId, taxId } = company;
    const goods = await post(await create('PINV', { lines: [{ itemId, quantity: 10, price: 1 }] }));
    const codes = async (document: { id: string }) => (await ledgerLines(document)).map(({ code }) => code);
    assert.deepEqual(await codes(goods), ['400', '600', '47200021']);
    const lines = [{ description: 'Asesoría', quantity: 1, price: 100, taxGroupId: taxId }];
    const services = await post(await create('PINV', { lines, withholdingRate: 15 }));
    assert.deepEqual(await codes(services), ['410', '629', '47200021', '4751']);
    const [account] = await company.rows(`select id from accounts where code = '217'`);
    const accountId = String(account?.id);
    const asset = {
      description: 'Ordenador',
      quantity: 1,
      price: 900,
      taxGroupId: taxId,
      accountId,
      vatUse: 'investment' as const,
    };
    assert.deepEqual(await codes(await post(await create('PINV', { lines: [asset] }))), ['523', '217', '47200021']);
    assert.deepEqual((await codes(await post(await create('PINV', { lines: [asset, ...lines] }))))[0], '410');
  });

  it('makes the tax and surcharge that a retailer in the surcharge pays part of what the goods cost', async () => {
    const settle = (value: Record<string, unknown>) =>
      company.run((trx) => replaceSettings(trx, company.ctx, 'tax', value, null));
    await settle({ surchargeRegime: true });
    const lines = [{ itemId: company.itemId, quantity: 10, price: 10 }];
    const invoice = await create('PINV', { lines });
    const { id, total } = (await post(invoice)) as unknown as { id: string; total: number };
    await settle({});
    assert.equal(total, 126.2);
    const entered = (await ledgerLines({ id })).map(({ code, debit, credit }) => [code, debit, credit]);
    assert.deepEqual(entered, [
      ['400', 0, 126.2],
      ['600', 126.2, 0],
    ]);
  });

  it('takes the account of the line, else of the item, else of its category', async () => {
    const { ctx, itemId } = company;
    const byCode = (code: string) =>
      company.run(async (trx) => await Account.query(trx).findOne({ code }).throwIfNotFound());
    const [own, products, rental] = [await byCode('759'), await byCode('701'), await byCode('752')];
    const [above, below] = ['0199f3b0-0000-7000-8000-00000000000a', '0199f3b0-0000-7000-8000-00000000000b'];
    await company.run((trx) =>
      trx.raw(
        `insert into categories (id, tenant_id, name, parent_id, depth, sales_account_id, created_at, updated_at)
         values (?, ?, 'a', null, 0, ?, now(), now()), (?, ?, 'b', ?, 1, null, now(), now())`,
        [above, ctx.tenantId, products.id, below, ctx.tenantId, above] as never,
      ),
    );
    const item = await company.item({ categoryId: below, stockTracked: false });
    const income = async (line: object) => {
      const lines = [{ itemId: item.id, quantity: 1, ...line }];
      return (await ledgerLines(await post(await create('SINV', { lines }))))[1]?.code;
    };
    assert.equal(await income({}), '701');
    await company.run(async (trx) => {
      const current = await Item.query(trx).findById(item.id).throwIfNotFound();
      await patchRow(trx, ctx, Item, current, { salesAccountId: own.id });
    });
    assert.equal(await income({}), '759');
    assert.equal(await income({ accountId: rental.id }), '752');
    assert.equal(await income({ itemId }), '700');
  });

  it('takes back goods on their own account, and services where they were', async () => {
    const { itemId, taxId } = company;
    const portes = { description: 'Portes', quantity: 1, price: 5, taxGroupId: taxId };
    const invoice = await post(await create('SINV', { lines: [{ itemId, quantity: 2, price: 10 }, portes] }));
    const series = await company.rows(`select id from series where doc_type = 'SINV' and rectifying`);
    const lines = [
      { itemId, quantity: -1, price: 10 },
      { ...portes, quantity: -1 },
    ];
    const rectifying = await create('SINV', { rectifies: invoice.id, seriesId: String(series[0]?.id), lines });
    const entered = await ledgerLines(await post(rectifying));
    assert.deepEqual(
      entered.map(({ code, debit, credit }) => ({ code, debit, credit })),
      [
        { code: '430', debit: 0, credit: 18.15 },
        { code: '708', debit: 10, credit: 0 },
        { code: '705', debit: 5, credit: 0 },
        { code: '47700021', debit: 3.15, credit: 0 },
      ],
    );
  });

  it('is undone by a reversal on the day of the cancellation, and by nothing where a draft is cancelled', async () => {
    const { itemId } = company;
    const lines = [{ itemId, quantity: 1, price: 100 }];
    await create('PDN', { date: '2026-01-10', lines });
    const invoice = await post(await create('SINV', { date: '2026-02-10', lines }));
    await company.run(async (trx) => {
      const period = await Period.query(trx).findOne({ code: '2026-02' }).throwIfNotFound();
      await patchRow(trx, company.ctx, Period, period, { status: 'C' });
    });
    await cancel(invoice, '2026-03-05');
    assert.deepEqual(
      (await ledgerLines(invoice)).map(({ date, code, debit, credit }) => ({ date, code, debit, credit })),
      [
        { date: '2026-02-10', code: '430', debit: 121, credit: 0 },
        { date: '2026-02-10', code: '700', debit: 0, credit: 100 },
        { date: '2026-02-10', code: '47700021', debit: 0, credit: 21 },
        { date: '2026-03-05', code: '430', debit: 0, credit: 121 },
        { date: '2026-03-05', code: '700', debit: 100, credit: 0 },
        { date: '2026-03-05', code: '47700021', debit: 21, credit: 0 },
      ],
    );
    const draft = await create('SINV', { lines });
    await cancel(draft);
    assert.deepEqual(await ledgerLines(draft), []);
    const services = [{ description: 'Portes', quantity: 1, price: 5, taxGroupId: company.taxId }];
    const other = await post(await create('SINV', { date: '2026-01-20', lines: services }));
    await assert.rejects(cancel(other, '2026-02-20'), { code: 'period_closed' });
    await refused(cancel(other, '2031-02-20'), 'no_period', '/date');
    await refused(cancel(other, '2026-01-19'), 'out_of_range', '/date');
  });

  it('is not undone before its day, also where that is still to come', async () => {
    const lines = [{ description: 'Portes', quantity: 1, price: 5, taxGroupId: company.taxId }];
    const invoice = await post(await create('SINV', { date: '2026-12-10', lines }));
    await cancel(invoice);
    assert.deepEqual([...new Set((await ledgerLines(invoice)).map(({ date }) => date))], ['2026-12-10']);
  });

  it('refuses to post on an account that is inactive or a heading, and says which', async () => {
    const { ctx, itemId } = company;
    const change = (code: string, values: Partial<Account>) =>
      company.run(async (trx) => {
        const account = await Account.query(trx).findOne({ code }).throwIfNotFound();
        await patchRow(trx, ctx, Account, account, values);
        return account.id;
      });
    const accountId = await change('752', {});
    const draft = await create('SINV', { lines: [{ itemId, quantity: 1, price: 1, accountId }] });
    await change('752', { active: false });
    await refused(post(draft), 'inactive_account', '/lines/0/accountId');
    await change('752', { active: true, isHeading: true });
    await refused(post(draft), 'heading_account', '/lines/0/accountId');
    await change('752', { isHeading: false });
    await change('700', { active: false });
    const plain = await create('SINV', { lines: [{ itemId, quantity: 1, price: 1 }] });
    await refused(post(plain), 'inactive_account', '');
    await change('700', { active: true });
    await change('700', { code: '7000000' });
    await refused(post(plain), 'no_account', '');
    await change('7000000', { code: '700' });
    await post(plain);
    await post(draft);
  });

  it('puts VAT of taxes without accounts of their own on the company’s', async () => {
    const { ctx } = company;
    const tax = await company.run(async (trx) => await Tax.query(trx).findOne({ code: 'IVA4' }).throwIfNotFound());
    await company.run((trx) => patchRow(trx, ctx, Tax, tax, { outputAccountId: null }));
    const lines = [{ description: 'Pan', quantity: 1, price: 100, taxGroupId: tax.id }];
    const entered = await ledgerLines(await post(await create('SINV', { lines })));
    assert.deepEqual(
      entered.map(({ code }) => code),
      ['430', '705', '477'],
    );
  });
});

describe('posted entries', () => {
  let entryId: string;
  const company = useCompany();
  before(async () => {
    const { ctx, customerId, taxId } = company;
    const lines = [{ description: 'Portes', quantity: 1, price: 5, taxGroupId: taxId }];
    const { id } = await company.run((trx) => createDocument(trx, ctx, 'SINV', { partnerId: customerId, lines }));
    await company.run((trx) => postInvoice(trx, ctx, String(id), any));
    entryId = String((await company.rows('select id from journal_entries'))[0]?.id);
  });

  const write = (sql: string) => company.run((trx) => trx.raw(sql.replaceAll(':entry', `'${entryId}'`)));

  for (const [words, sql, refusal] of [
    ['a change', `update journal_entries set description = 'x' where id = :entry`, /is posted and stays/],
    ['a deletion', `delete from journal_entries where id = :entry`, /is posted and stays/],
    ['a draft made of it', `update journal_entries set status = 'draft' where id = :entry`, /is posted and stays/],
    ['a change of lines', `update journal_lines set debit = 1 where entry_id = :entry`, /permission denied/],
    ['a deletion of lines', `delete from journal_lines where entry_id = :entry`, /permission denied/],
    [
      'a further line',
      `insert into journal_lines (tenant_id, entry_id, line_number, date, kind, account_id, debit, credit)
       select tenant_id, entry_id, 99, date, kind, account_id, 0, 0 from journal_lines where entry_id = :entry limit 1`,
      /not of their entry/,
    ],
    [
      'an entry without lines',
      `insert into journal_entries (id, tenant_id, fiscal_year, date, period_id, status, line_count, total, posted_at, created_at,
        updated_at)
       select gen_random_uuid(), tenant_id, fiscal_year, date, period_id, 'posted', 2, 1, now(), now(), now() from journal_entries
         where id = :entry`,
      /does not balance/,
    ],
    [
      'one that does not balance',
      `with e as (
         insert into journal_entries (id, tenant_id, fiscal_year, date, period_id, status, line_count, total, posted_at, created_at,
           updated_at)
         select gen_random_uuid(), tenant_id, fiscal_year, date, period_id, 'posted', 2, 1, now(), now(), now() from journal_entries
           where id = :entry returning *)
       insert into journal_lines (tenant_id, entry_id, line_number, date, kind, account_id, debit, credit)
       select tenant_id, id, n, date, kind, (select account_id from journal_lines limit 1), case n when 1 then 1 else 0 end, case n when 2
         then 0.99 else 0 end
       from e, generate_series(1, 2) n`,
      /does not balance/,
    ],
  ] as const) {
    it(`refuse ${words}`, async () => {
      await assert.rejects(write(sql), refusal);
    });
  }
});
