import assert from 'node:assert/strict';
import { TODAY, YEAR } from '../../../helpers/clock.ts';
import { addCompany, type Company } from '../../../helpers/company.ts';
import { download } from '../../../helpers/download.ts';
import { useApp } from '../../../helpers/hooks.ts';

const PATH = '/api/journal-entries';
const NOWHERE = '0199f3b0-0000-7000-8000-000000000000';
const day = (month: number, date = 10) => `${YEAR}-${String(month).padStart(2, '0')}-${String(date).padStart(2, '0')}`;

interface Entry {
  readonly id: string;
  readonly number: number | null;
  readonly status: string;
  readonly version: number;
  readonly lines: { debit: number; credit: number; accountCode: string; description: string | null }[];
  readonly [member: string]: unknown;
}

describe('journal entries', () => {
  const accounts = new Map<string, string>();
  const account = (code: string) => accounts.get(code) as string;
  let customerId: string;

  const made = async (path: string, body: unknown): Promise<Entry> => {
    const answer = await app.client.post(path, body);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data;
  };
  const faults = ({
    status,
    body,
  }: {
    status: number;
    body: { code: string; errors?: { pointer: string; code: string }[] };
  }) =>
    status === 422 ? (body.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`) : [`${status} ${body.code}`];
  const rent = (amount: number, more: object = {}) => ({
    date: day(3),
    description: 'Alquiler',
    lines: [
      { accountId: account('621'), debit: amount, description: 'Local' },
      { accountId: account('572'), credit: amount },
    ],
    ...more,
  });

  const app = useApp();
  before(async () => {
    const { body } = await app.client.get('/api/accounts?limit=500');
    for (const { code, id } of body.data as { code: string; id: string }[]) accounts.set(code, id);
    const { body: groups } = await app.client.get('/api/partnerGroups?code=CLI');
    customerId = (await made('/api/partners', { name: 'Café', groupId: groups.data[0].id })).id;
  });

  it('can be drafts, changed, posted and numbered, and then remain', async () => {
    const draft = await made(PATH, rent(100));
    assert.deepEqual(
      { status: draft.status, number: draft.number, total: draft.total, fiscalYear: draft.fiscalYear },
      { status: 'draft', number: null, total: 100, fiscalYear: YEAR },
    );
    const patched = await app.client.patch(`${PATH}/${draft.id}`, { lines: rent(120.5).lines, date: day(4) });
    assert.deepEqual(
      { status: patched.status, total: patched.body.data.total, date: patched.body.data.date },
      { status: 200, total: 120.5, date: day(4) },
    );
    assert.notEqual(patched.body.data.periodId, draft.periodId);
    const stale = await app.client.post(`${PATH}/${draft.id}/post`, undefined, { 'If-Match': '"1"' });
    assert.equal(stale.status, 412);
    const { status, body } = await app.client.post(`${PATH}/${draft.id}/post`);
    assert.equal(status, 200);
    const posted = body.data as Entry;
    assert.deepEqual(
      { status: posted.status, number: posted.number, version: posted.version },
      { status: 'posted', number: 1, version: 3 },
    );
    assert.deepEqual(
      posted.lines.map(({ accountCode, debit, credit, description }) => ({ accountCode, debit, credit, description })),
      [
        { accountCode: '621', debit: 120.5, credit: 0, description: 'Local' },
        { accountCode: '572', debit: 0, credit: 120.5, description: null },
      ],
    );
    for (const answer of [
      await app.client.patch(`${PATH}/${draft.id}`, { description: 'x' }),
      await app.client.del(`${PATH}/${draft.id}`),
      await app.client.post(`${PATH}/${draft.id}/post`),
    ]) {
      assert.deepEqual(faults(answer), ['409 invalid_transition']);
    }
    const gone = await made(PATH, rent(5));
    assert.equal((await app.client.del(`${PATH}/${gone.id}`)).status, 204);
    assert.equal((await app.client.get(`${PATH}/${gone.id}`)).status, 404);
  });

  it('are numbered in turn when posted immediately, and reversed once', async () => {
    const entry = await made(PATH, rent(80, { post: true }));
    assert.deepEqual([entry.status, entry.number], ['posted', 2]);
    const early = await app.client.post(`${PATH}/${entry.id}/reverse`, { date: day(2) });
    assert.deepEqual(faults(early), ['/date out_of_range']);
    const answer = await app.client.post(`${PATH}/${entry.id}/reverse`, { date: day(5) });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    const reversal = answer.body.data as Entry;
    assert.deepEqual(
      { number: reversal.number, reversalOf: reversal.reversalOf, date: reversal.date },
      { number: 3, reversalOf: entry.id, date: day(5) },
    );
    assert.deepEqual(
      reversal.lines.map(({ accountCode, debit, credit }) => ({ accountCode, debit, credit })),
      [
        { accountCode: '621', debit: 0, credit: 80 },
        { accountCode: '572', debit: 80, credit: 0 },
      ],
    );
    assert.equal((await app.client.get(`${PATH}/${entry.id}`)).body.data.reversedBy, reversal.id);
    for (const id of [entry.id, reversal.id]) {
      assert.deepEqual(faults(await app.client.post(`${PATH}/${id}/reverse`)), ['409 invalid_transition']);
    }
    const draft = await made(PATH, rent(1));
    assert.deepEqual(faults(await app.client.post(`${PATH}/${draft.id}/reverse`)), ['409 invalid_transition']);
    await app.client.del(`${PATH}/${draft.id}`);
  });

  it('of invoices can be read and found by source, partner and account, but are reversed only with the invoice', async () => {
    const tax = (await app.client.get('/api/taxes?code=IVA21')).body.data[0].id;
    const lines = [{ description: 'Portes', quantity: 1, price: 10, taxGroupId: tax }];
    const invoice = await made('/api/sales/invoices', { partnerId: customerId, lines });
    await app.client.post(`/api/sales/invoices/${invoice.id}/post`);
    for (const filter of [`sourceId=${invoice.id}`, `partnerId=${customerId}`, `accountId=${account('705')}`]) {
      const { body } = await app.client.get(`${PATH}?${filter}&status=posted`);
      assert.deepEqual(
        body.data.map(({ sourceId, total }: Entry) => [sourceId, total]),
        [[invoice.id, 12.1]],
        filter,
      );
    }
    const [{ id }] = (await app.client.get(`${PATH}?sourceId=${invoice.id}`)).body.data;
    const { body } = await app.client.get(`${PATH}/${id}`);
    const [income, vat] = body.data.lines.slice(1) as { tax: unknown }[];
    assert.equal(income?.tax, null);
    assert.deepEqual(vat?.tax, {
      kind: 'output',
      operation: 'domestic',
      use: 'current',
      rectifying: false,
      taxGroupId: tax,
      rate: 21,
      base: 10,
      amount: 2.1,
    });
    assert.deepEqual(faults(await app.client.post(`${PATH}/${id}/reverse`)), ['409 invalid_transition']);
    const file = await download(app, `${PATH}?format=csv&header=names&sourceId=${invoice.id}`);
    assert.match(await file.text(), /sales_invoice/);
  });

  describe('are rejected with a pointer, and leave nothing behind,', () => {
    let foreign: Company;
    let inactive: string;
    before(async () => {
      foreign = await addCompany(app.database, app.databaseUrl);
      inactive = (await made('/api/accounts', { code: '6219', name: 'x', type: 'expense', active: false })).id;
    });
    /** An entry of 10 on the bank, and what stands against it. */
    const against = (line: object) => ({ date: day(3), lines: [line, { accountId: account('572'), credit: 10 }] });
    const rents = (values: object) => against({ accountId: account('621'), ...values });

    type Refusal = [body: object, expected: string[]];
    const assertRefused = async (refusals: readonly Refusal[]) => {
      const count = async () => (await app.client.get(PATH)).body.pagination.total;
      const before = await count();
      for (const [body, expected] of refusals) {
        for (const post of [false, true]) {
          const found = faults(await app.client.post(PATH, { ...body, post }));
          assert.deepEqual(found, expected, JSON.stringify(body).slice(0, 300));
        }
      }
      assert.equal(await count(), before);
    };

    it('if they name missing accounts, or ones that take no entries', async () => {
      const other = String((await foreign.rows(`select id from accounts where code = '621'`))[0]?.id);
      const on = (accountId: string) => against({ accountId, debit: 10 });
      await assertRefused([
        [on(account('62')), ['/lines/0/accountId heading_account']],
        [on(inactive), ['/lines/0/accountId inactive_account']],
        [on(NOWHERE), ['/lines/0/accountId invalid_reference']],
        [on(other), ['/lines/0/accountId invalid_reference']],
        [on('x'), ['/lines/0/accountId invalid_format']],
        [rents({ debit: 10, partnerId: foreign.customerId }), ['/lines/0/partnerId invalid_reference']],
        [
          rents({ debit: 10, tax: { kind: 'input', taxGroupId: foreign.taxId, base: 50 } }),
          ['/lines/0/tax/taxGroupId invalid_reference'],
        ],
        [
          rents({ debit: 10, partnerId: NOWHERE, projectId: NOWHERE, costCenterId: NOWHERE }),
          [
            '/lines/0/partnerId invalid_reference',
            '/lines/0/projectId invalid_reference',
            '/lines/0/costCenterId invalid_reference',
          ],
        ],
      ]);
    });

    it('if their amounts are missing or do not balance', () =>
      assertRefused([
        [rents({ debit: 10.01 }), ['/lines unbalanced']],
        [rents({ debit: 0 }), ['/lines/0/debit required']],
        [rents({}), ['/lines/0/debit required']],
        [rents({ debit: -10 }), ['/lines/0/debit out_of_range']],
        [rents({ debit: 10, credit: 10 }), ['/lines/0/credit both_sides']],
        [rent(10.001), ['/lines/0/debit too_many_decimals', '/lines/1/credit too_many_decimals']],
        [rents({ debit: '10' }), ['/lines/0/debit invalid_type']],
        [rents({ debit: 1e-7 }), ['/lines/0/debit too_many_decimals']],
        [
          { ...rent(1), lines: [{ ...rent(1).lines[0], debit: 1e13 }, rent(1).lines[1]] },
          ['/lines/0/debit out_of_range'],
        ],
      ]));

    it('if they have one line, or more than a thousand', () => {
      const credits = (length: number) => ({
        date: day(3),
        lines: Array.from({ length }, () => ({ accountId: account('572'), credit: 10 })),
      });
      return assertRefused([
        [credits(1), ['/lines too_few']],
        [credits(1001), ['/lines too_many']],
        [credits(10_000), ['/lines too_many']],
      ]);
    });

    it('if the date or period does not exist', () =>
      assertRefused([
        [{ ...rent(1), date: `${YEAR + 7}-01-01` }, ['/date no_period']],
        [{ ...rent(1), periodId: NOWHERE }, ['/periodId invalid_reference']],
        [{ ...rent(1), date: '2026-02-30' }, ['/date invalid_format']],
        [{ ...rent(1), date: `${YEAR - 300}-01-01` }, ['/date no_period']],
        [{ ...rent(1), date: '0001-01-01' }, ['/date no_period']],
        [{ ...rent(1), date: '9999-12-31' }, ['/date no_period']],
      ]));
  });

  it('cannot be dated in closed periods, and keep periods open while they are drafts', async () => {
    const period = (await app.client.get(`/api/periods?code=${YEAR}-11`)).body.data[0];
    const draft = await made(PATH, rent(10, { date: day(11) }));
    const close = () => app.client.patch(`/api/periods/${period.id}`, { status: 'C' });
    assert.deepEqual(faults(await close()), ['409 has_drafts']);
    await app.client.post(`${PATH}/${draft.id}/post`);
    const other = await made(PATH, rent(10));
    assert.equal((await close()).status, 200);
    for (const answer of [
      await app.client.post(PATH, rent(10, { date: day(11) })),
      await app.client.post(PATH, rent(10, { date: day(11), post: true })),
      await app.client.patch(`${PATH}/${other.id}`, { date: day(11) }),
      await app.client.post(`${PATH}/${draft.id}/reverse`, { date: day(11, 20) }),
    ]) {
      assert.deepEqual(faults(answer), ['409 period_closed']);
    }
  });

  it('prevent the deletion of their references, also as drafts', async () => {
    const { id: accountId } = await made('/api/accounts', { code: '62999', name: 'Otros', type: 'expense' });
    const { id: projectId } = await made('/api/projects', { code: 'PX', name: 'Obra' });
    const lines = [
      { accountId, debit: 5, projectId },
      { accountId: account('572'), credit: 5 },
    ];
    const draft = await made(PATH, rent(10, { lines }));
    for (const path of [`/api/accounts/${accountId}`, `/api/projects/${projectId}`]) {
      const { status, body } = await app.client.del(path);
      assert.deepEqual(
        { status, code: body.code, uses: body.uses },
        { status: 409, code: 'in_use', uses: [{ entityType: 'JournalEntry', count: 1 }] },
      );
    }
    assert.equal((await app.client.del(`${PATH}/${draft.id}`)).status, 204);
    assert.equal((await app.client.del(`/api/accounts/${accountId}`)).status, 204);
    assert.equal((await app.client.del(`/api/projects/${projectId}`)).status, 204);
  });

  it('carry the tax of a line that no invoice declares, such as import VAT charged by customs', async () => {
    const taxGroupId = (await app.client.get('/api/taxes?code=IVA21')).body.data[0].id;
    const tax = { kind: 'input', operation: 'import', taxGroupId, base: 1000 };
    const vat = (more: object, amount = 210) => ({
      date: day(3),
      lines: [
        { accountId: account('47230021'), debit: amount, tax: { ...tax, ...more } },
        { accountId: account('410'), credit: amount },
      ],
    });
    const said = { ...tax, use: 'current', rectifying: false, rate: 21, amount: 210 };
    const draft = await made(PATH, vat({}));
    assert.deepEqual((draft.lines[0] as unknown as { tax: object }).tax, said);
    const { status, body } = await app.client.del(`/api/taxes/${taxGroupId}`);
    assert.deepEqual([status, body.code], [409, 'in_use']);
    await app.client.patch(`${PATH}/${draft.id}`, { description: 'DUA 26ES00281130123456' });
    const posted = (await app.client.post(`${PATH}/${draft.id}/post`)).body.data;
    assert.deepEqual(posted.lines[0].tax, said);
    assert.equal(posted.lines[1].tax, null);
    const { body: undone } = await app.client.post(`${PATH}/${draft.id}/reverse`, { date: day(3) });
    assert.deepEqual(undone.data.lines[0].tax, { ...said, base: -1000, amount: -210 });
    const own = { ...tax, taxGroupId: null, rate: 21 };
    for (const [wrong, expected] of [
      [{ base: 2000 }, ['/lines/0/tax/base out_of_range']],
      [{ base: 1000.001 }, ['/lines/0/tax/base too_many_decimals']],
      [{ base: -1000 }, ['/lines/0/tax/base out_of_range']],
      [{ taxGroupId: customerId }, ['/lines/0/tax/taxGroupId invalid_reference']],
      [{ ...own, rate: null }, ['/lines/0/tax/rate required']],
      [{ kind: 'output' }, ['/lines/0/tax/base out_of_range']],
      [{ kind: 'none' }, ['/lines/0/tax/kind invalid_choice']],
      [{ operation: 'none' }, ['/lines/0/tax/operation invalid_choice']],
    ] as const) {
      assert.deepEqual(faults(await app.client.post(PATH, vat(wrong))), expected, JSON.stringify(wrong));
    }
    await made(PATH, vat({ ...own, base: 999.5 }));
    await made(PATH, vat({ kind: 'withholding', taxGroupId: null, rate: 19, base: 1105.26 }));
  });

  it('can be made by accountants and read by viewers', async () => {
    const member = async (role: string) => {
      const email = `${role}@example.com`;
      await made('/api/users', { email, name: role, password: 'una contraseña larga', role });
      const { body } = await app.anonymous.post('/api/auth/login', { email, password: 'una contraseña larga' });
      return app.as(body.token);
    };
    const [accountant, viewer, sales] = [await member('accountant'), await member('viewer'), await member('sales')];
    assert.equal((await accountant.post(PATH, rent(10))).status, 201);
    assert.equal((await viewer.post(PATH, rent(10))).status, 403);
    assert.equal((await viewer.get(PATH)).status, 200);
    assert.equal((await sales.get(PATH)).status, 403);
    assert.equal((await accountant.put('/api/config/accounting', {})).status, 200);
    assert.equal((await sales.put('/api/config/accounting', {})).status, 403);
  });

  it('are not repeated by a request with the same key', async () => {
    const key = { 'Idempotency-Key': 'rent-1' };
    const [one, two] = [await app.client.post(PATH, rent(33), key), await app.client.post(PATH, rent(33), key)];
    assert.equal(one.body.data.id, two.body.data.id);
  });
});

describe('accounts that a company posts to', () => {
  const app = useApp();

  const findAccountId = async (code: string) =>
    (await app.client.get(`/api/accounts?code=${code}`)).body.data[0].id as string;

  it('default to those of the chart, also when omitted later', async () => {
    const before = await app.client.get('/api/config/accounting');
    assert.equal(before.status, 200);
    assert.equal(before.body.salesGoodsAccountId, await findAccountId('700'));
    assert.equal(before.body.stockCountEntries, true);
    const products = await findAccountId('701');
    const changed = await app.client.put('/api/config/accounting', {
      salesGoodsAccountId: products,
      stockCountEntries: false,
    });
    assert.deepEqual(
      {
        status: changed.status,
        salesGoodsAccountId: changed.body.salesGoodsAccountId,
        stockCountEntries: changed.body.stockCountEntries,
      },
      { status: 200, salesGoodsAccountId: products, stockCountEntries: false },
    );
    const back = await app.client.put('/api/config/accounting', {});
    assert.deepEqual(back.body, before.body);
  });

  it('must accept entries', async () => {
    const { body } = await app.client.put('/api/config/accounting', {
      receivableAccountId: await findAccountId('43'),
      payableAccountId: '0199f3b0-0000-7000-8000-000000000000',
    });
    assert.deepEqual(
      body.errors.map(({ pointer, code }: { pointer: string; code: string }) => [pointer, code]),
      [
        ['/receivableAccountId', 'invalid_reference'],
        ['/payableAccountId', 'invalid_reference'],
      ],
    );
  });

  it('cannot become headings or change their type once they have entries', async () => {
    const [rents, bank] = [await findAccountId('621'), await findAccountId('572')];
    const date = TODAY;
    const lines = [
      { accountId: rents, debit: 5 },
      { accountId: bank, credit: 5 },
    ];
    await app.client.post('/api/journal-entries', { date, lines, post: true });
    for (const change of [{ isHeading: true }, { type: 'asset' }]) {
      const { status, body } = await app.client.patch(`/api/accounts/${rents}`, change);
      assert.deepEqual([status, body.code], [409, 'in_use']);
    }
    const { body } = await app.client.del(`/api/accounts/${rents}`);
    assert.deepEqual([body.code, body.uses], ['in_use', [{ entityType: 'JournalEntry', count: 1 }]]);
  });
});
