/** Decides requests for leave (decision 0252): each once. */
import { Absence } from '../../../db/models/records/people.ts';
import { patchRow } from '../../../db/write.ts';
import { ServiceError } from '../../../domain/errors.ts';
import type { HookScope } from '../resources/declaration.ts';
import { prepareAbsence } from './absences.ts';
import { tellDecided } from './leave-notices.ts';

/**
 * Approves a request, with the checks of a new absence; requests overlap with no other absence as it is.
 * @param current locked
 * @throws ServiceError invalid_transition if it is decided; validation_failed if it is no longer within the employment
 */
export async function approveLeave(scope: HookScope, current: Absence): Promise<Absence> {
  assertRequested(current);
  const { employeeId, from, to } = current;
  await prepareAbsence(scope.trx, employeeId, { from, to }, current);
  return await decide(scope, current, { status: 'approved' });
}

/** Refuses a request. @param current locked @throws ServiceError invalid_transition if it is decided */
export async function refuseLeave(scope: HookScope, current: Absence, refusalReason: string): Promise<Absence> {
  assertRequested(current);
  return await decide(scope, current, { status: 'refused', refusalReason });
}

async function decide(
  { trx, ctx }: HookScope,
  current: Absence,
  decision: Partial<Pick<Absence, 'status' | 'refusalReason'>>,
): Promise<Absence> {
  const decided = { decidedBy: ctx.userId, decidedAt: ctx.now.toISOString() };
  const row = await patchRow(trx, ctx, Absence, current, { ...decision, ...decided });
  await tellDecided(trx, ctx, row);
  return row;
}

function assertRequested({ status }: Absence): void {
  if (status === 'requested') return;
  const hint = status === 'refused' ? 'request it again' : 'change or delete it instead';
  throw new ServiceError('invalid_transition', `It cannot be decided because it is already ${status}; ${hint}`);
}
