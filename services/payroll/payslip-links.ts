/** Links by which employees open their payslip without a login: signed, for one payroll, and only good for a while. */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { notFound, ServiceError } from '../../domain/errors.ts';
import type { EncryptionKeys } from '../encryption/seal.ts';

/** What a link allows: one payslip of one company, until a moment. */
export interface PayslipLink {
  readonly tenantId: string;
  readonly payrollId: string;
  /** Seconds since 1970. */
  readonly expires: number;
}

/** The address, relative to the service. @throws ServiceError unavailable without a key */
export function payslipLink([key]: EncryptionKeys, link: PayslipLink): string {
  if (key === undefined) {
    throw new ServiceError('unavailable', 'Payslips cannot be mailed: start the service with ENCRYPTION_KEY set');
  }
  const { tenantId, payrollId, expires } = link;
  const signature = signatureOf(key, link);
  return `/api/payrolls/${payrollId}/payslip?company=${tenantId}&expires=${expires}&signature=${signature}`;
}

/** @throws ServiceError not_found when no key has signed it so, or it has expired */
export function assertPayslipLink(keys: EncryptionKeys, link: PayslipLink, signature: string, now: Date): void {
  const given = Buffer.from(signature);
  const isSigned = keys.some((key) => {
    const expected = Buffer.from(signatureOf(key, link));
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
  if (!isSigned || link.expires * 1000 <= now.getTime()) throw notFound('The payslip');
}

function signatureOf(key: string, { tenantId, payrollId, expires }: PayslipLink): string {
  const secret = Buffer.from(hkdfSync('sha256', key, '', 'links to payslips', 32));
  return createHmac('sha256', secret).update(`${tenantId} ${payrollId} ${expires}`).digest('hex');
}
