/** Tells those who keep the books that records are refused, or cannot be sent. */
import type { Context } from '../../../../db/context.ts';
import type { Db } from '../../../../db/database.ts';
import type { AgencyError } from '../../../../domain/ledger/verifactu/answers.ts';
import { certificateEnds, recordsRefused, sendingFails } from '../../../../domain/ledger/verifactu/notices.ts';
import type { ProblemCode } from '../../../../domain/ledger/verifactu/sending.ts';
import type { AlertText } from '../../../../domain/messages/notifications/alerts.ts';
import type { Role } from '../../../../domain/permissions.ts';
import { notifyRoles } from '../../../messages/notifications/notify.ts';

const ROLES: readonly Role[] = ['owner', 'admin', 'accountant'];

/** Tells of records that the agency refused, or wants corrected: one notice for a message, however many they are. */
export async function tellOfRefusals(
  trx: Db,
  ctx: Context,
  refused: { readonly count: number; readonly error: AgencyError | null },
): Promise<void> {
  await tell(trx, ctx, recordsRefused(refused.count, refused.error), '/api/verifactu/records?status[ne]=accepted');
}

/** Tells what keeps records from being sent. */
export async function tellOfProblem(
  trx: Db,
  ctx: Context,
  { code, error }: { readonly code: ProblemCode; readonly error: AgencyError | null },
): Promise<void> {
  await tell(trx, ctx, sendingFails(code, error), '/api/verifactu');
}

/** Tells that the certificate ends. @param days whole days left; negative if it has ended */
export async function tellOfCertificate(trx: Db, ctx: Context, holder: string, days: number): Promise<void> {
  await tell(trx, ctx, certificateEnds(holder, days), '/api/verifactu/certificate');
}

async function tell(trx: Db, ctx: Context, text: AlertText, actionUrl: string): Promise<void> {
  await notifyRoles(trx, ctx, ROLES, 'system_alert', { ...text, actionUrl });
}
