import assert from 'node:assert/strict';
import type { Answer } from '../../../helpers/client.ts';
import { assertSound, use, useApp } from '../../../helpers/hooks.ts';
import { assertProblem } from '../../../helpers/problem.ts';
import { link, openTill } from './till.ts';

const PATH = '/api/payments/offsets';

describe('what is credited, set off against invoices', function () {
  this.timeout(60_000);
  const app = useApp();
  const till = use(() => openTill(app));
  afterEach(() => assertSound(app.databaseUrl));

  const settle = (linked_documents: unknown[], more: Record<string, unknown> = {}) =>
    app.client.post(PATH, { partner_id: till.customerId, linked_documents, ...more });
  const states = (type: string, ...ids: string[]) =>
    Promise.all(
      ids.map(async (id) => {
        const { total_applied, remaining, status, payments } = await till.read(
          `/api/payments/reconciliation/${type}/${id}`,
        );
        return [
          total_applied,
          remaining,
          status,
          ...payments.map((row: { payment_method: string }) => row.payment_method),
        ];
      }),
    );
  const entries = async (id: string) =>
    (await till.read(`/api/journal-entries?sourceId=${id}`)) as { lines: { debit: number; credit: number }[] }[];

  const told = async (entityId: string) =>
    app.database.readTenant({ tenantId: app.tenantId }, async (db) => {
      const rows = await db('outbox').where({ entity_id: entityId }).orderBy('seq').select('event');
      return rows.map(({ event }) => event as string);
    });

  for (const [side, type, direction] of [
    ['sales', 'sales_invoice', 'in'],
    ['purchases', 'purchase_invoice', 'out'],
  ] as const) {
    describe(`of ${side}`, () => {
      let partner_id: string;
      let id: string;
      let credit: string;
      let other: string;
      let summary: unknown;
      let answer: Answer;
      let offset: string;
      before(async () => {
        partner_id = side === 'sales' ? till.customerId : till.supplierId;
        id = (await till.invoice(side, 100)).id;
        credit = await till.credit(side, 100);
        other = (await till.invoice(side, 20)).id;
        summary = await till.read('/api/reports/payments-summary');
        answer = await settle([link(credit, undefined, type), link(id, 70, type), link(other, undefined, type)], {
          partner_id,
          reference: 'COMP-1',
        });
        assert.equal(answer.status, 201, JSON.stringify(answer.body));
        offset = answer.body.data.id;
      });

      it('settles both', async () => {
        const { amount, date, linked_documents: linked, ...rest } = answer.body.data;
        assert.deepEqual(
          { amount, date, reference: rest.reference, partner_id: rest.partner_id },
          { amount: 90, date: till.today, reference: 'COMP-1', partner_id },
        );
        assert.deepEqual(
          linked.map((one: { amount_applied: number; previous_status: string; new_status: string }) => ({
            amount_applied: one.amount_applied,
            previous_status: one.previous_status,
            new_status: one.new_status,
          })),
          [
            { amount_applied: -90, previous_status: 'pending', new_status: 'partial' },
            { amount_applied: 70, previous_status: 'pending', new_status: 'partial' },
            { amount_applied: 20, previous_status: 'pending', new_status: 'paid' },
          ],
        );
        assert.deepEqual(await states(type, id, credit, other), [
          [70, 30, 'partial', 'offset'],
          [-90, -10, 'partial', 'offset'],
          [20, 0, 'paid', 'offset'],
        ]);
        const { status, paymentStatus } = await till.read(`/api/${side}/invoices/${other}`);
        assert.deepEqual([status, paymentStatus], ['C', 'paid']);
        assert.deepEqual((await told(other)).slice(-2), ['document.updated', 'document.paid']);
      });

      it('moves no money', async () => {
        // Both are on the same account of the partner, so there is no entry.
        assert.deepEqual(await entries(offset), []);
        assert.deepEqual(await till.read('/api/reports/payments-summary'), summary);
      });

      it('is read and listed by document and partner, and shown in the flow of a document', async () => {
        assert.deepEqual(await till.read(`${PATH}/${offset}`), answer.body.data);
        assert.deepEqual(await till.read(`${PATH}?document_id=${credit}&partner_id=${partner_id}`), [answer.body.data]);
        const { payments: shown } = await till.read(`/api/${side}/invoices/${other}/flow`);
        assert.deepEqual(
          { shownLength: shown.length, id: shown[0]?.id, type: shown[0]?.type },
          { shownLength: 1, id: offset, type: 'payment_offset' },
        );
      });

      it('is no payment', async () => {
        assert.deepEqual(await till.read(`/api/payments/${direction}`), []);
        for (const [method, path] of [
          ['GET', `/api/payments/${direction}/${offset}`],
          ['DELETE', `/api/payments/${direction}/${offset}`],
        ] as const)
          assertProblem(await app.client.request(method, path), 404, 'not_found');
        const apply = await app.client.post(`/api/payments/${direction}/${offset}/apply`, { mode: 'by_date' });
        assertProblem(apply, 404, 'not_found');
      });

      it('keeps its documents from being cancelled; the refusal names it', async () => {
        const cancel = await app.client.post(`/api/${side}/invoices/${other}/cancel`, {});
        assertProblem(cancel, 409, 'has_payments');
        assert.match(cancel.body.detail, new RegExp(`${PATH}/${offset}`));
      });

      it('is undone whole', async () => {
        assert.equal((await app.client.del(`${PATH}/${offset}`)).status, 204);
        assert.deepEqual(await states(type, id, credit, other), [
          [0, 100, 'pending'],
          [0, -100, 'pending'],
          [0, 20, 'pending'],
        ]);
        assert.equal((await till.read(`/api/${side}/invoices/${other}`)).status, 'O');
        assertProblem(await app.client.get(`${PATH}/${offset}`), 404, 'not_found');
      });
    });
  }

  it('enters what stands on different accounts of the partner', async () => {
    const { id } = await till.invoice('sales', 50);
    const accounts = await till.read('/api/accounts?code=430');
    const made = await app.client.post('/api/accounts', {
      code: '43000099',
      name: 'Clientes del grupo',
      type: 'asset',
      parentId: accounts[0].parentId,
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const groups = await till.read('/api/partnerGroups?isCustomer=true');
    const changed = await app.client.patch(`/api/partnerGroups/${groups[0].id}`, {
      receivableAccountId: made.body.data.id,
    });
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    const credit = await till.credit('sales', 50);
    const { id: offset } = (await settle([link(id), link(credit)])).body.data;
    const [entry, ...more] = await entries(offset);
    assert.equal(more.length, 0);
    assert.deepEqual(
      (await till.read(`/api/journal-entries/${(entry as { id?: string } | undefined)?.id}`)).lines.map(
        (line: { debit: number; credit: number }) => [line.debit, line.credit],
      ),
      [
        [0, 50],
        [50, 0],
      ],
    );
    assert.equal((await app.client.del(`${PATH}/${offset}`)).status, 204);
  });

  it('refuses what cannot be set off, with a pointer, and changes nothing', async () => {
    const { id } = await till.invoice('sales', 100);
    const more = await till.invoice('sales', 100);
    const credit = await till.credit('sales', 30);
    const bought = await till.invoice('purchases', 100);
    const groups = await till.read('/api/partnerGroups?isCustomer=true');
    const stranger = await app.client.post('/api/partners', { name: 'Otro', groupId: groups[0].id });
    const at = '/linked_documents';
    const cases: [unknown[], Record<string, unknown>, string, string][] = [
      [[link(id)], {}, at, 'too_few'],
      [[link(id), link(more.id)], {}, at, 'unbalanced'],
      [[link(id, 31), link(credit)], {}, at, 'unbalanced'],
      [[link(id, 30), link(credit, 30)], {}, `${at}/1/amount_applied`, 'out_of_range'],
      [[link(id, 30), link(credit, -30.001)], {}, at, 'unbalanced'],
      [[link(id, 1.001), link(credit)], {}, `${at}/0/amount_applied`, 'too_many_decimals'],
      [[link(id), link(credit), link(more.id)], {}, `${at}/2`, 'nothing_left'],
      [[link(id), link(bought.id, undefined, 'purchase_invoice')], {}, `${at}/1/document_type`, 'wrong_type'],
      [[link(id), link(bought.id)], {}, `${at}/1/document_id`, 'invalid_reference'],
      [[link(id), link(id), link(credit)], {}, `${at}/1/document_id`, 'duplicate'],
      [[link(id), link(credit)], { partner_id: stranger.body.data.id }, `${at}/0/document_id`, 'other_partner'],
      [[link(id), link(credit)], { partner_id: id }, '/partner_id', 'invalid_reference'],
      [[link(id), link(credit)], { date: '2001-01-01' }, '/date', 'out_of_range'],
      [[link(id), link(credit, undefined, 'sales_order')], {}, `${at}/1/document_type`, 'invalid_choice'],
    ];
    const before = await app.client.get('/api/audit-logs');
    for (const [linked, members, pointer, code] of cases) {
      const answer = await settle(linked, members);
      const said = `${JSON.stringify([linked, members])}: ${answer.status} ${JSON.stringify(answer.body)}`;
      assert.equal(answer.status, 422, said);
      assert.deepEqual([answer.body.errors[0].pointer, answer.body.errors[0].code], [pointer, code], said);
    }
    assert.equal((await app.client.get('/api/audit-logs')).body.pagination.total, before.body.pagination.total);
  });

  it('neither is done nor undone in a closed period', async () => {
    const { id } = await till.invoice('sales', 10);
    const credit = await till.credit('sales', 10);
    const { id: offset } = (await settle([link(id, 5), link(credit)])).body.data;
    const periods = (await till.read(`/api/periods?limit=200`)) as { id: string; from: string; to: string }[];
    const present = periods.find(({ from, to }) => from <= till.today && till.today <= to);
    const close = (status: string) => app.client.patch(`/api/periods/${present?.id}`, { status });
    assert.equal((await close('C')).status, 200);
    const again = await settle([link(id), link(credit)], { date: till.today });
    assertProblem(again, 409, 'period_closed');
    assert.equal(again.body.errors[0].pointer, '/date');
    assertProblem(await app.client.del(`${PATH}/${offset}`), 409, 'period_closed');
    assert.equal((await close('O')).status, 200);
    assert.equal((await app.client.del(`${PATH}/${offset}`)).status, 204);
  });
});
