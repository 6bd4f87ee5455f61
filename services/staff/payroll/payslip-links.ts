/**
 * Links with which employees open a payslip without logging in: signed, for one payroll, and valid for a limited time.
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { notFound, ServiceError } from '../../../domain/errors.ts';
import type { EncryptionKeys } from '../../platform/encryption/seal.ts';

/** The payslip that a link opens, and its expiry. */
export interface PayslipLink {
  readonly tenantId: string;
  readonly payrollId: string;
  /** Seconds since 1970. */
  readonly expires: number;
}

/** Builds the address, relative to the service. @throws ServiceError unavailable without a key */
export function payslipLink([key]: EncryptionKeys, link: PayslipLink): string {
  if (key === undefined) {
    throw new ServiceError('unavailable', 'Payslips cannot be mailed: start the service with ENCRYPTION_KEY set');
  }
  const { tenantId, payrollId, expires } = link;
  const signature = computeSignature(key, link);
  return `/api/payrolls/${payrollId}/payslip?company=${tenantId}&expires=${expires}&signature=${signature}`;
}

/** Checks a link. @throws ServiceError not_found when no key produces its signature, or it has expired */
export function assertPayslipLink(keys: EncryptionKeys, link: PayslipLink, signature: string, now: Date): void {
  const given = Buffer.from(signature);
  const isSigned = keys.some((key) => {
    const expected = Buffer.from(computeSignature(key, link));
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
  if (!isSigned || link.expires * 1000 <= now.getTime()) throw notFound('The payslip');
}

function computeSignature(key: string, { tenantId, payrollId, expires }: PayslipLink): string {
  const secret = Buffer.from(hkdfSync('sha256', key, '', 'links to payslips', 32));
  return createHmac('sha256', secret).update(`${tenantId} ${payrollId} ${expires}`).digest('hex');
}
