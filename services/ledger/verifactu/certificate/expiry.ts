/** Warns companies before the certificate ends with which their records are sent. */
import type { Context } from '../../../../db/context.ts';
import type { Database, Db } from '../../../../db/database.ts';
import { query } from '../../../../db/sql.ts';
import { daysLeft, FIRST_WARNING_DAYS, warningDue } from '../../../../domain/ledger/verifactu/certificate.ts';
import { tellOfCertificate } from '../sending/tell.ts';

interface Ending {
  readonly holder: string;
  readonly valid_until: string;
  readonly told_days: number | null;
}

/** Finds the certificates of all companies of which a warning is due. */
export async function findEndingCertificates(
  database: Database,
  now: Date,
): Promise<{ readonly tenantId: string; readonly certificateId: string }[]> {
  const rows = await database.withSystem((trx) =>
    query<Ending & { readonly tenant_id: string; readonly id: string }>(
      trx,
      `select tenant_id, id, holder, valid_until, told_days from verifactu_certificates
       where valid_until < :now::timestamptz + make_interval(days => :days) and told_days is distinct from 0`,
      { now: now.toISOString(), days: FIRST_WARNING_DAYS },
    ),
  );
  return rows
    .filter((row) => isDue(row, now) !== null)
    .map(({ tenant_id, id }) => ({ tenantId: tenant_id, certificateId: id }));
}

/** Tells the company, unless another process has. */
export async function warnOfCertificate(trx: Db, ctx: Context, id: string): Promise<void> {
  const [row] = await query<Ending>(
    trx,
    'select holder, valid_until, told_days from verifactu_certificates where id = :id::uuid for update',
    { id },
  );
  const due = row === undefined ? null : isDue(row, ctx.now);
  if (row === undefined || due === null) return;
  await query(trx, 'update verifactu_certificates set told_days = :due where id = :id::uuid', { id, due });
  await tellOfCertificate(trx, ctx, row.holder, daysLeft(new Date(row.valid_until), ctx.now));
}

function isDue({ valid_until, told_days }: Ending, now: Date): number | null {
  return warningDue(daysLeft(new Date(valid_until), now), told_days);
}
