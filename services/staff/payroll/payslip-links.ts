/**
 * Links with which employees open a payslip without logging in: signed, for one payroll, and valid for a limited time.
 */
import { notFound, ServiceError } from '../../../domain/errors.ts';
import type { EncryptionKeys } from '../../platform/encryption/seal.ts';
import { type Grant, isSigned, sign } from '../../platform/encryption/signatures.ts';

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
  const signature = sign(key, PURPOSE, granted(link));
  return `/api/payrolls/${payrollId}/payslip?company=${tenantId}&expires=${expires}&signature=${signature}`;
}

/** Checks a link. @throws ServiceError not_found when no key produces its signature, or it has expired */
export function assertPayslipLink(keys: EncryptionKeys, link: PayslipLink, signature: string, now: Date): void {
  const isValid = isSigned(keys, PURPOSE, granted(link), signature);
  if (!isValid || link.expires * 1000 <= now.getTime()) throw notFound('The payslip');
}

const PURPOSE = 'links to payslips';

function granted({ tenantId, payrollId, expires }: PayslipLink): Grant {
  return [tenantId, payrollId, expires];
}
