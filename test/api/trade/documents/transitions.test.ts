/** Every action on every type of document in every state, over HTTP: what the table allows is done, all else changes nothing. */
import assert from 'node:assert/strict';
import { ROUTES } from '../../../../api/routes.ts';
import {
  DOCUMENT_ACTIONS,
  type DocumentAction,
  isAllowed,
  possibleStatuses,
} from '../../../../domain/trade/documents/transitions.ts';
import {
  DOC_TYPES,
  DOCUMENT_TYPES,
  type DocType,
  type DocumentStatus,
} from '../../../../domain/trade/documents/types.ts';
import { expireIfDue } from '../../../../services/trade/quotations/answer.ts';
import { use, useApp } from '../../../helpers/hooks.ts';
import { openTrade } from './trade.ts';

const FOLLOWING = {
  SQ: { invoice: 'SO' },
  PR: { invoice: 'PO' },
  SO: { note: 'SDN', invoice: 'SINV' },
  SDN: { invoice: 'SINV' },
  PO: { note: 'PDN', invoice: 'PINV' },
  PDN: { invoice: 'PINV' },
} as const satisfies Partial<Record<DocType, { note?: DocType; invoice: DocType }>>;

describe('every action in every state', function () {
  this.timeout(120_000);
  const app = useApp();
  const trade = use(() => openTrade(app, 10_000));
  before(async () => {
    for (const id of [trade.customerId, trade.supplierId])
      await app.client.patch(`/api/partners/${id}`, { email: 'partner@example.test' });
  });

  const documentPartner = (docType: DocType) =>
    DOCUMENT_TYPES[docType].side === 'sales' ? trade.customerId : trade.supplierId;

  async function create(docType: DocType, line: object = { itemId: trade.itemId }, quantity = 2): Promise<string> {
    const { path } = DOCUMENT_TYPES[docType];
    const answer = await app.client.post(path, { partnerId: documentPartner(docType), lines: [{ ...line, quantity }] });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body.data.id;
  }

  /** A new document of the type, brought to the state. */
  async function inState(docType: DocType, status: DocumentStatus): Promise<string> {
    const { kind, path } = DOCUMENT_TYPES[docType];
    const id = await create(docType);
    const done = async (action: string) => assert.equal((await app.client.post(`${path}/${id}/${action}`)).status, 200);
    if (kind === 'quotation' && status !== 'D' && status !== 'X') await done('issue');
    if (status === 'X') await done('cancel');
    else if (status === 'A') await done('accept');
    else if (status === 'R') await done('reject');
    else if (status === 'E') await expire(id);
    else if (kind === 'invoice') {
      if (status !== 'D') await done('post');
      if (status === 'C') {
        const { side, name } = DOCUMENT_TYPES[docType];
        const { date, outstanding } = (await app.client.get(`${path}/${id}`)).body.data;
        const paid = await app.client.post(`/api/payments/${side === 'sales' ? 'in' : 'out'}`, {
          partner_id: documentPartner(docType),
          amount: outstanding,
          payment_date: date,
          payment_method: 'cash',
          linked_documents: [{ document_type: name, document_id: id }],
        });
        assert.equal(paid.status, 201, JSON.stringify(paid.body));
      }
    } else if (status !== 'O' && status !== 'D') {
      const next = FOLLOWING[docType as keyof typeof FOLLOWING];
      await create('note' in next ? next.note : next.invoice, { baseId: id }, status === 'P' ? 1 : 2);
    }
    assert.equal((await app.client.get(`${path}/${id}`)).body.data.status, status, `${docType} should be ${status}`);
    return id;
  }

  /** Lets the last valid day of a quotation that was sent be over. */
  async function expire(id: string): Promise<void> {
    const now = new Date(app.clock.now.getTime() + 1000);
    const ctx = { tenantId: app.tenantId, userId: null, actor: 'test', requestId: app.tenantId, now };
    await app.database.withTenant(ctx, async (trx) => {
      await trx('documents').where({ id }).update({ expires_at: app.clock.now.toISOString() });
      await expireIfDue(trx, ctx, id);
    });
  }

  /** The request of an action; undefined where the interface has none for the type. */
  function requestAction(docType: DocType, action: DocumentAction, id: string) {
    const { path, kind, side } = DOCUMENT_TYPES[docType];
    const [method, tail, body] = {
      update: ['PATCH', '', { notes: 'changed' }],
      delete: ['DELETE', '', undefined],
      deliver: ['POST', side === 'sales' ? '/deliver' : '/receive', {}],
      rectify: ['POST', '/rectify', { reason: 'wrong' }],
      post: ['POST', '/post', undefined],
      issue: ['POST', '/issue', undefined],
      accept: ['POST', '/accept', {}],
      reject: ['POST', '/reject', {}],
      revise: ['POST', '/revise', undefined],
      order: ['POST', '/order', {}],
      invoice: ['POST', '/invoice', {}],
      close: ['POST', '/close', undefined],
      cancel: ['POST', '/cancel', {}],
      send: ['POST', '/send', {}],
      duplicate: ['POST', '/duplicate', undefined],
      return: ['POST', '/return', {}],
    }[action] as [method: 'PATCH' | 'DELETE' | 'POST', tail: string, body: object | undefined];
    if (!ROUTES.some((route) => route.method === method && route.path === `${path}/:id${tail}`)) {
      return kind === 'order' && (action === 'deliver' || action === 'invoice')
        ? basedOn(docType, action, id)
        : undefined;
    }
    const url = `${path}/${id}${tail}`;
    if (method === 'PATCH') return () => app.client.patch(url, body);
    return () => (method === 'DELETE' ? app.client.del(url) : app.client.post(url, body));
  }

  /** Delivering and invoicing by a new document that names the base. */
  function basedOn(docType: DocType, action: 'deliver' | 'invoice', id: string) {
    const next = FOLLOWING[docType as 'SO' | 'PO'];
    const { path } = DOCUMENT_TYPES[action === 'deliver' ? next.note : next.invoice];
    return () => app.client.post(path, { partnerId: documentPartner(docType), lines: [{ baseId: id, quantity: 1 }] });
  }

  /** Returns everything that a refused action must leave unchanged. */
  async function traces() {
    return app.database.readTenant({ tenantId: app.tenantId }, async (db) => {
      const { rows } =
        (await db.raw(`select (select count(*) from audit_logs) as audits, (select count(*) from outbox) as events,
        (select json_agg(array[d.id::text, d.version::text, d.status] order by d.id) from documents d) as documents,
        (select json_agg(array[l.id::text, l.quantity::text, l.delivered_quantity::text, l.invoiced_quantity::text] order by l.id)
          from document_lines l) as lines,
        (select json_agg(array[on_hand, reserved, incoming] order by id) from stock_levels) as stock, (select count(*)
          from stock_movements) as movements,
        (select sum(next_number) from series) as numbers`)) as { rows: unknown[] };
      return rows[0];
    });
  }

  for (const docType of DOC_TYPES) {
    for (const status of possibleStatuses(docType)) {
      const allowed = DOCUMENT_ACTIONS.filter((action) => isAllowed(docType, status, action));
      it(`${docType} ${status}: ${allowed.join(', ')}, and no more`, async () => {
        const still = await inState(docType, status);
        for (const action of DOCUMENT_ACTIONS) {
          const says = `${action} a ${docType} that is ${status}`;
          const paid = action === 'cancel' && docType.endsWith('INV') && status === 'C';
          if (allowed.includes(action) && !paid) {
            const request = requestAction(docType, action, await inState(docType, status));
            if (request === undefined) continue;
            const answer = await request();
            assert.ok(
              answer.status >= 200 && answer.status < 300,
              `${says}: ${answer.status} ${JSON.stringify(answer.body)}`,
            );
            continue;
          }
          const request = requestAction(docType, action, still);
          if (request === undefined) continue;
          const before = await traces();
          const { body, status: answered } = await request();
          assert.deepEqual(await traces(), before, `${says} changes nothing`);
          if (action === 'order' || action === 'deliver' || action === 'invoice') {
            // Refused for lack of an open quantity: nothing is open, or the base is cancelled.
            assert.ok(answered === 409 || answered === 422, `${says}: ${answered} ${JSON.stringify(body)}`);
          } else {
            assert.deepEqual([answered, body.code], [409, paid ? 'has_payments' : 'invalid_transition'], says);
          }
        }
      });
    }
  }
});
