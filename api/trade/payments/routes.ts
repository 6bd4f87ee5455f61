/** Routes for payments received and issued, and their applications. */

import { Type } from 'typebox';
import type { Context } from '../../../db/context.ts';
import type { Db } from '../../../db/database.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { DOC_TYPES, DOCUMENT_TYPES, parseDocType } from '../../../domain/trade/documents/types.ts';
import { isPayable, type PaymentDirection, paymentDirection } from '../../../domain/trade/payments/types.ts';
import { choice, dataBody, uuid } from '../../../services/platform/validation/schemas.ts';
import { applyPayment } from '../../../services/trade/payments/apply.ts';
import { changedToJson, changePayment } from '../../../services/trade/payments/change.ts';
import { paymentList } from '../../../services/trade/payments/list.ts';
import { loadPayments, onlyPayment, paymentAnswer } from '../../../services/trade/payments/payment.ts';
import { findForPending, reconcilePending } from '../../../services/trade/payments/pending.ts';
import { registerPayment } from '../../../services/trade/payments/register.ts';
import { removePayment } from '../../../services/trade/payments/remove.ts';
import { returnPayment } from '../../../services/trade/payments/return.ts';
import { previewRun, startReconciliationRun } from '../../../services/trade/payments/run.ts';
import { ApplyBody, ChangeBody, PaymentBody, ReturnBody, RunBody } from '../../../services/trade/payments/schemas.ts';
import { reconciliationStatus } from '../../../services/trade/payments/status.ts';
import { listRoute } from '../../lists/list-route.ts';
import { assertPermission } from '../../permission.ts';
import { startedTask } from '../../platform/tasks/started.ts';
import { created, noContent, ok } from '../../respond.ts';
import { type Deps, defineRoute, type PreviewedWork, type Route, type RouteResponse } from '../../route.ts';
import { paymentRows, RANGE } from './rows.ts';
import { ChangedPayment, Payment, ReconciliationStatus } from './schemas.ts';

const PAYABLE = DOC_TYPES.filter(isPayable);
const TAG = 'Payments';
const Id = Type.Object({ id: uuid() });
const WORDS = { in: { word: 'received', Name: 'In' }, out: { word: 'issued', Name: 'Out' } } as const;

export const routes: Route[] = [
  ...directionRoutes('in'),
  ...directionRoutes('out'),
  defineRoute({
    method: 'POST',
    path: '/api/payments/reconciliation/run',
    id: 'runReconciliation',
    summary: 'Match all open payments in the background',
    description: 'The result of the task explains each decision: what matched, or why not.',
    tag: TAG,
    access: 'payments:update',
    body: RunBody,
    responses: { 202: Type.Object({ task_id: uuid(), status: choice(['queued']), message: Type.String() }) },
    async handler({ db, ctx, body }) {
      const task = await startReconciliationRun(db, ctx, body);
      return {
        status: 202,
        body: { task_id: task.id, status: 'queued', message: task.message },
        headers: { Location: `/api/tasks/${task.id}` },
      };
    },
    async previewWork({ db, ctx, body }, answer) {
      const { decisions, complete } = await previewRun(db, ctx, startedTask(answer), body);
      return { document: { decisions }, complete };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/payments/reconciliation/:documentType/:documentId',
    id: 'getReconciliation',
    summary: 'Payments of a document',
    problems: ['forbidden'],
    description:
      'For an order or delivery note: its advances. Requires permission to read payments in its direction. For an open item see ' +
      '/api/open-items/{id}/reconciliation.',
    tag: TAG,
    access: 'member',
    params: Type.Object({
      documentType: choice([...PAYABLE.map((code) => DOCUMENT_TYPES[code].name), ...PAYABLE]),
      documentId: uuid(),
    }),
    responses: { 200: ReconciliationStatus },
    async handler({ reader, caller, params }) {
      const docType = parseDocType(params.documentType);
      if (docType === undefined) throw new ServiceError('invalid_parameter', 'documentType must be a document type');
      assertPermission(caller, `payments_${paymentDirection(docType)}:read`);
      return { status: 200, body: await reconciliationStatus(reader, docType, params.documentId) };
    },
  }),
];

/** Time limit of a registration including matching, so that it is answered within two seconds. */
const ANSWER_MS = 1750;
/** Minimum time for matching. */
const MIN_MATCHING_MS = 250;

/** Waits briefly for the workflow that matches the payment, so that the response includes its outcome. */
async function awaitReconciliation(
  { workflows, database, now }: Deps,
  { tenantId, now: began }: Context,
  answer: RouteResponse,
): Promise<RouteResponse> {
  const { data } = answer.body as { data: { id: string; reconciliation?: unknown } };
  if (data.reconciliation !== 'pending') return answer;
  const left = ANSWER_MS - (now().getTime() - began.getTime());
  await workflows.reconcilePayment({ tenantId, paymentId: data.id }, Math.max(left, MIN_MATCHING_MS));
  const [payment] = await loadPayments(database.reader({ tenantId }), [data.id]);
  return payment === undefined ? answer : { ...answer, body: { data: paymentAnswer(payment) } };
}

/** Matches a new payment in the transaction of its preview. */
async function reconciledAtOnce(
  db: Db,
  ctx: Context,
  direction: PaymentDirection,
  answer: RouteResponse,
): Promise<PreviewedWork> {
  const { data } = answer.body as { data: { id: string } };
  const found = await findForPending(db, data.id);
  if (found === null) return { document: data, complete: true };
  await reconcilePending(db, ctx, data.id, found);
  return { document: paymentAnswer(onlyPayment(await loadPayments(db, [data.id]), direction)), complete: true };
}

function directionRoutes(direction: PaymentDirection): Route[] {
  const { word, Name } = WORDS[direction];
  const path = `/api/payments/${direction}`;
  return [
    listRoute({
      path,
      id: `listPayments${Name}`,
      summary: `Payments ${word}, newest first`,
      tag: TAG,
      access: `payments_${direction}:read`,
      list: paymentList,
      parameters: RANGE,
      row: Payment,
      rows: (request) => paymentRows(request, direction),
    }),
    defineRoute({
      method: 'POST',
      path,
      id: `registerPayment${Name}`,
      summary: `Register a payment ${word}`,
      problems: ['period_closed', 'duplicate', 'invalid_transition', 'nothing_open'],
      description:
        'Applies it to the linked documents and posts its entry. The rest becomes a credit of the partner, to be applied later.',
      tag: TAG,
      access: `payments_${direction}:create`,
      body: PaymentBody,
      responses: { 201: dataBody(Payment) },
      async handler({ db, ctx, body }) {
        const payment = await registerPayment(db, ctx, direction, body);
        return created(`${path}/${payment.id}`, paymentAnswer(payment));
      },
      afterCommit: ({ deps, ctx }, answer) => awaitReconciliation(deps, ctx, answer),
      previewWork: ({ db, ctx }, answer) => reconciledAtOnce(db, ctx, direction, answer),
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/:id`,
      id: `getPayment${Name}`,
      summary: `One payment ${word}`,
      description: 'With the documents that it settles and the unapplied amount.',
      tag: TAG,
      access: `payments_${direction}:read`,
      params: Id,
      responses: { 200: dataBody(Payment) },
      async handler({ reader, params }) {
        return ok(paymentAnswer(onlyPayment(await loadPayments(reader, [params.id]), direction)));
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: `${path}/:id`,
      id: `changePayment${Name}`,
      summary: `Change a payment ${word}`,
      problems: ['period_closed', 'invalid_transition'],
      description:
        'Changes its reference, notes and applications. The status of the documents follows, and amounts no longer applied become ' +
        'a credit of the partner again. Amount, date, method and partner cannot be changed: delete it and register it again.',
      tag: TAG,
      access: `payments_${direction}:update`,
      params: Id,
      body: ChangeBody,
      responses: { 200: dataBody(ChangedPayment) },
      async handler({ db, ctx, params, body, ifMatch }) {
        return ok(changedToJson(await changePayment(db, ctx, direction, params.id, body, ifMatch)));
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/:id`,
      id: `deletePayment${Name}`,
      summary: `Delete a payment ${word}`,
      problems: ['period_closed', 'in_use', 'invalid_transition'],
      description: 'Its documents are outstanding again, and its entries are reversed.',
      tag: TAG,
      access: `payments_${direction}:delete`,
      params: Id,
      responses: { 204: null },
      async handler({ db, ctx, params, ifMatch }) {
        await removePayment(db, ctx, direction, params.id, ifMatch);
        return noContent();
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/:id/return`,
      id: `returnPayment${Name}`,
      summary: `Register the return of a payment ${word}`,
      problems: ['period_closed', 'invalid_transition'],
      description:
        'Creates a payment in the other direction that reopens the settled documents on the day of the return. The ' +
        "payment itself stays as it was. The bank's fees are an expense, or are charged to the partner as an open item.",
      tag: TAG,
      access: `payments_${direction}:create`,
      params: Id,
      body: ReturnBody,
      responses: { 201: dataBody(Payment) },
      async handler({ db, ctx, params, body }) {
        const back = await returnPayment(db, ctx, direction, params.id, body);
        return created(`/api/payments/${back.direction}/${back.id}`, paymentAnswer(back));
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/:id/apply`,
      id: `applyPayment${Name}`,
      summary: `Apply the rest of a payment ${word}`,
      problems: ['period_closed', 'nothing_open', 'invalid_transition'],
      description: '409 `nothing_open` if it is fully applied. If nothing matches, `reconciliation` says why.',
      tag: TAG,
      access: `payments_${direction}:update`,
      params: Id,
      body: ApplyBody,
      responses: { 200: dataBody(Payment) },
      async handler({ db, ctx, params, body, ifMatch }) {
        return ok(paymentAnswer(await applyPayment(db, ctx, direction, params.id, body, ifMatch)));
      },
    }),
  ];
}
