/**
 * Does the next thing that is due about a company's invoices at FACe: sends one, asks for the state of one, or asks to cancel one. An
 * invoice is never sent a second time by itself: FACe names no way to find one whose answer was lost, so that people must look.
 */
import type { Context } from '../../../../db/context.ts';
import { query } from '../../../../db/sql.ts';
import { ServiceError } from '../../../../domain/errors.ts';
import {
  cancellationErrors,
  type FaceAnswer,
  type FaceError,
  mayPass,
  readState,
  type SendingOutcome,
  sendingOutcome,
} from '../../../../domain/trade/einvoice/face/answers.ts';
import { OutboundError } from '../../../platform/outbound/errors.ts';
import { NothingSent } from '../../../platform/outbound/identified.ts';
import type { FaceDeps } from './deps.ts';
import { type PreparedFile, prepareFile, usableKeyPair } from './file.ts';
import { askForState, askToCancel, type Gateway, sendInvoice } from './gateway.ts';
import { settleCancellation, settleFailure, settleSending, settleState, settleUnknown } from './settle.ts';
import { dueSubmission, type Submission, storeSubmission } from './submissions.ts';

/** A step as histories show it, without data of invoices: its kind, and the seconds until the next one is due; null for none. */
export interface FaceStep {
  readonly did: 'nothing' | 'send' | 'follow' | 'cancel' | 'give_up';
  readonly seconds: number | null;
}

/** Longer than an exchange with FACe: who has not settled by then is dead. */
const DEAD_AFTER_MS = 180_000;

/** Does what is due. May be repeated at any step. @param ctx without time: each step has its own */
export async function exchangeWithFace(deps: FaceDeps, ctx: Omit<Context, 'now'>): Promise<FaceStep> {
  const due = await deps.database.readTenant(ctx, (reader) => dueSubmission(reader, deps.now()));
  if (due === undefined) return { did: 'nothing', seconds: await secondsLeft(deps, ctx) };
  const did = nextStep(due);
  await WORK[did](deps, ctx, due);
  return { did, seconds: await secondsLeft(deps, ctx) };
}

function nextStep({ status, cancellation }: Submission): Exclude<FaceStep['did'], 'nothing'> {
  if (status === 'sending') return 'give_up';
  if (status === 'waiting') return 'send';
  return cancellation === 'waiting' ? 'cancel' : 'follow';
}

type Work = (deps: FaceDeps, ctx: Omit<Context, 'now'>, due: Submission) => Promise<void>;

const send: Work = async (deps, ctx, due) => {
  const at = (): Context => ({ ...ctx, now: deps.now() });
  const prepared = await prepareOrRefuse(deps, at(), due);
  if ('errors' in prepared) {
    const refusal = { kind: 'refused', errors: prepared.errors } as const;
    return await deps.database.withTenant(ctx, (trx) => settleSending(trx, at(), due, refusal));
  }
  const begun = await deps.database.withTenant(ctx, (trx) => {
    const { now } = at();
    const nextAt = new Date(now.getTime() + DEAD_AFTER_MS);
    return storeSubmission(trx, now, due, ['waiting'], { status: 'sending', sentAt: now, nextAt });
  });
  if (!begun) return;
  const { name, content, gateway } = prepared;
  const sent = await outcome(() => sendInvoice({ ...gateway, now: deps.now() }, { name, content, email: due.email }));
  await deps.database.withTenant(ctx, (trx) => settleSending(trx, at(), due, sent));
};

async function outcome(work: () => Promise<FaceAnswer>): Promise<SendingOutcome> {
  try {
    return sendingOutcome(await work());
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { kind: error instanceof NothingSent ? 'later' : 'uncertain', errors: [asError(error)] };
  }
}

const follow: Work = async (deps, ctx, due) => {
  const answer = await asked(deps, ctx, due, (gateway) => askForState(gateway, due.registryCode as string));
  const state = 'errors' in answer ? answer : readState(answer);
  await deps.database.withTenant(ctx, async (trx) => {
    const at = { ...ctx, now: deps.now() };
    if ('errors' in state) await settleFailure(trx, at, due, state.errors);
    else await settleState(trx, at, due, state);
  });
};

const cancel: Work = async (deps, ctx, due) => {
  const reason = due.cancellationReason as string;
  const answer = await asked(deps, ctx, due, (gateway) => askToCancel(gateway, due.registryCode as string, reason));
  const errors = 'errors' in answer ? answer.errors : cancellationErrors(answer);
  const passes = 'errors' in answer || mayPass(answer);
  await deps.database.withTenant(ctx, async (trx) => {
    const at = { ...ctx, now: deps.now() };
    if (errors !== null && passes) await settleFailure(trx, at, due, errors);
    else await settleCancellation(trx, at, due, errors);
  });
};

const giveUp: Work = (deps, ctx, due) =>
  deps.database.withTenant(ctx, (trx) => settleUnknown(trx, { ...ctx, now: deps.now() }, due, []));

const WORK = { send, follow, cancel, give_up: giveUp } as const;

/** Asks something that may be asked again; what kept it from being answered counts as errors. */
async function asked(
  { database, config, encryptionKeys, now }: FaceDeps,
  ctx: Omit<Context, 'now'>,
  { environment }: Submission,
  ask: (gateway: Gateway) => Promise<FaceAnswer>,
): Promise<FaceAnswer | { readonly errors: readonly FaceError[] }> {
  try {
    const at = { ...ctx, now: now() };
    const pair = await database.readTenant(ctx, (reader) => usableKeyPair(reader, at, encryptionKeys));
    return await ask({ config, environment, pair, now: at.now });
  } catch (error) {
    if (!(error instanceof OutboundError || error instanceof ServiceError)) throw error;
    return { errors: [asError(error)] };
  }
}

/** The file, or why there is none: the invoice, the certificate or the room for files. */
async function prepareOrRefuse(
  deps: FaceDeps,
  ctx: Context,
  due: Submission,
): Promise<PreparedFile | { readonly errors: readonly FaceError[] }> {
  try {
    return await prepareFile(deps, ctx, due);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.isFailure) throw error;
    return { errors: [asError(error)] };
  }
}

function asError(error: OutboundError | ServiceError): FaceError {
  return { code: error.code, text: error.message };
}

async function secondsLeft({ database, now }: FaceDeps, ctx: Omit<Context, 'now'>): Promise<number | null> {
  const [row] = await database.readTenant(ctx, (reader) =>
    query<{ at: string | null }>(
      reader,
      'select min(next_at) as at from face_submissions where next_at is not null',
      {},
    ),
  );
  if (!row?.at) return null;
  return Math.max(0, Math.ceil((new Date(row.at).getTime() - now().getTime()) / 1000));
}
