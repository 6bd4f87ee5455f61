/** Stores what has become of an invoice at FACe, and tells whoever follows it. */
import { Changes } from '../../../../db/changes/changes.ts';
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import type { Role } from '../../../../domain/permissions.ts';
import type { FaceError, FaceState, SendingOutcome } from '../../../../domain/trade/einvoice/face/answers.ts';
import { faceNotice, type NoticeKind } from '../../../../domain/trade/einvoice/face/notices.ts';
import {
  FOLLOWED,
  followSeconds,
  retrySeconds,
  type SubmissionStatus,
  statusByCode,
  tellsPeople,
} from '../../../../domain/trade/einvoice/face/statuses.ts';
import { notifyRoles } from '../../../messages/notifications/notify.ts';
import { type Submission, storeSubmission } from './submissions.ts';

const ROLES: readonly Role[] = ['owner', 'admin', 'accountant'];
/** An answer may come after somebody else took its exchange for dead. */
const UNSETTLED = ['waiting', 'sending', 'uncertain'] as const;

/** Stores the outcome of sending an invoice. */
export async function settleSending(trx: Db, ctx: Context, due: Submission, outcome: SendingOutcome): Promise<void> {
  if (outcome.kind === 'registered') {
    const { registryCode, code } = outcome;
    const nextAt = after(ctx, followSeconds('registered', 0) as number);
    const stored = { status: 'registered', registryCode, code, nextAt, failures: 0, errors: null } as const;
    if (await storeSubmission(trx, ctx.now, due, UNSETTLED, stored))
      await emit(trx, ctx, { ...due, ...stored }, 'facturae.sent');
  } else if (outcome.kind === 'refused') {
    await settleRefusal(trx, ctx, due, outcome.errors);
  } else if (outcome.kind === 'uncertain') {
    await settleUnknown(trx, ctx, due, outcome.errors);
  } else {
    const failures = due.failures + 1;
    const nextAt = after(ctx, retrySeconds(failures));
    const stored = { status: 'waiting', failures, nextAt, errors: outcome.errors } as const;
    await storeSubmission(trx, ctx.now, due, UNSETTLED, stored);
    if (tellsPeople(failures)) await tell(trx, ctx, due, 'unreachable', outcome.errors[0] ?? null);
  }
}

async function settleRefusal(trx: Db, ctx: Context, due: Submission, errors: readonly FaceError[]): Promise<void> {
  const stored = { status: 'refused', nextAt: null, errors } as const;
  if (!(await storeSubmission(trx, ctx.now, due, UNSETTLED, stored))) return;
  await emit(trx, ctx, { ...due, ...stored }, 'facturae.refused');
  await tell(trx, ctx, due, 'refused', errors[0] ?? null);
}

/**
 * Notes that nobody knows whether FACe has the invoice.
 * @param from statuses in which it may be
 */
export async function settleUnknown(
  trx: Db,
  ctx: Context,
  due: Submission,
  errors: readonly FaceError[],
  from: readonly SubmissionStatus[] = ['sending'],
): Promise<void> {
  const stored = { status: 'uncertain', nextAt: null, errors } as const;
  if (!(await storeSubmission(trx, ctx.now, due, from, stored))) return;
  await emit(trx, ctx, { ...due, ...stored }, 'facturae.refused');
  await tell(trx, ctx, due, 'uncertain', errors[0] ?? null);
}

/** Notes that FACe could not be asked: it is asked again. */
export async function settleFailure(
  trx: Db,
  ctx: Context,
  due: Submission,
  errors: readonly FaceError[],
): Promise<void> {
  const failures = due.failures + 1;
  const nextAt = after(ctx, retrySeconds(failures));
  await storeSubmission(trx, ctx.now, due, FOLLOWED, { failures, nextAt, errors });
  if (tellsPeople(failures)) await tell(trx, ctx, due, 'unreachable', errors[0] ?? null);
}

/** Stores the state of an invoice that FACe has. */
export async function settleState(trx: Db, ctx: Context, due: Submission, state: FaceState): Promise<void> {
  const status = (state.code === null ? undefined : statusByCode(state.code)) ?? due.status;
  const cancellation = state.cancellation ?? due.cancellation;
  const hasMoved = status !== due.status || cancellation !== due.cancellation;
  const seconds = followSeconds(status, hasMoved ? 0 : stillSeconds(ctx, due));
  const { code, comment } = state;
  const nextAt = seconds === null ? null : after(ctx, seconds);
  const stored = { status, code, comment, cancellation, nextAt, failures: 0, errors: null };
  if (!(await storeSubmission(trx, ctx.now, due, FOLLOWED, stored)) || !hasMoved) return;
  await emit(trx, ctx, { ...due, ...stored }, 'facturae.updated');
  if (status === 'rejected') await tell(trx, ctx, due, 'rejected', comment);
  else if (cancellation === 'refused' && due.cancellation !== 'refused')
    await tell(trx, ctx, due, 'cancellation_refused', comment);
}

/** Stores whether FACe has taken the request to cancel. @param errors null if it has */
export async function settleCancellation(
  trx: Db,
  ctx: Context,
  due: Submission,
  errors: readonly FaceError[] | null,
): Promise<void> {
  const cancellation = errors === null ? 'asked' : 'refused';
  const nextAt = after(ctx, followSeconds(due.status, 0) as number);
  const stored = { cancellation, nextAt, failures: 0, errors } as const;
  if (!(await storeSubmission(trx, ctx.now, due, FOLLOWED, stored))) return;
  await emit(trx, ctx, { ...due, ...stored }, 'facturae.updated');
  if (errors !== null) await tell(trx, ctx, due, 'cancellation_refused', errors[0] ?? null);
}

function stillSeconds({ now }: Context, { changedAt }: Submission): number {
  return Math.max(0, (now.getTime() - new Date(changedAt).getTime()) / 1000);
}

function after({ now }: Context, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000);
}

type Told = Pick<Submission, 'id' | 'documentId' | 'number' | 'status' | 'registryCode' | 'code' | 'comment'> &
  Pick<Submission, 'cancellation' | 'errors'>;

async function emit(
  trx: Db,
  ctx: Context,
  told: Told,
  name: 'facturae.sent' | 'facturae.refused' | 'facturae.updated',
) {
  const payload = {
    submission_id: told.id,
    document_id: told.documentId,
    number: told.number,
    status: told.status,
    registry_code: told.registryCode,
    code: told.code,
    comment: told.comment,
    cancellation: told.cancellation,
    error_code: told.errors?.[0]?.code ?? null,
    error_text: told.errors?.[0]?.text ?? null,
  };
  await new Changes(ctx).emit({ type: 'SalesInvoice', id: told.documentId }, { name, payload }).write(trx);
}

async function tell(
  trx: Db,
  ctx: Context,
  { number, documentId }: Submission,
  kind: NoticeKind,
  said: FaceError | string | null,
): Promise<void> {
  const actionUrl = `/api/face/submissions?documentId=${documentId}`;
  await notifyRoles(trx, ctx, ROLES, 'system_alert', { ...faceNotice(kind, number, said), actionUrl });
}
