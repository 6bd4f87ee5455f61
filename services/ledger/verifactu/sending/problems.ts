/** Notes what keeps the records of a chain from being sent. */
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import { query } from '../../../../db/sql.ts';
import type { AgencyError } from '../../../../domain/ledger/verifactu/answers.ts';
import { type ProblemCode, retrySeconds, tellsPeople } from '../../../../domain/ledger/verifactu/sending.ts';
import { tellOfProblem } from './tell.ts';

export interface Found {
  readonly chainId: string;
  readonly code: ProblemCode;
  readonly error: AgencyError | null;
}

/** Notes a problem, since when it exists, and tells people of it if it is new. @returns number of failures in a row */
export async function noteProblem(trx: Db, ctx: Context, { chainId, code, error }: Found): Promise<number> {
  const [noted] = await query<{ failures: number; known: ProblemCode | null }>(
    trx,
    `update verifactu_chains c set failures = c.failures + 1,
       problem = jsonb_build_object('code', :code::text, 'error', :error::jsonb,
         'since', coalesce(case when before.problem->>'code' = :code then before.problem->>'since' end, :now::text))
     from (select id, problem from verifactu_chains where id = :chainId::uuid for update) before
     where c.id = before.id returning c.failures, before.problem->>'code' as known`,
    { chainId, code, error: error === null ? null : JSON.stringify(error), now: ctx.now.toISOString() },
  );
  const { failures = 1, known = null } = noted ?? {};
  if (tellsPeople(code, known, failures)) await tellOfProblem(trx, ctx, { code, error });
  return failures;
}

/** Notes that a message got no answer, or was refused as a whole: it is sent again after a wait. @returns seconds of the wait */
export async function noteFailure(trx: Db, ctx: Context, submissionId: string, found: Found): Promise<number> {
  await query(trx, 'update verifactu_submissions set error = :error::jsonb where id = :submissionId::uuid', {
    submissionId,
    error: JSON.stringify(found.error),
  });
  const seconds = retrySeconds(found.code, await noteProblem(trx, ctx, found));
  await sendNoSooner(trx, ctx, found.chainId, seconds);
  return seconds;
}

/** Keeps the next message of a chain back for some seconds. */
export async function sendNoSooner(trx: Db, { now }: Context, chainId: string, seconds: number): Promise<void> {
  await query(trx, 'update verifactu_chains set next_send_at = :at::timestamptz where id = :chainId::uuid', {
    chainId,
    at: new Date(now.getTime() + seconds * 1000).toISOString(),
  });
}
