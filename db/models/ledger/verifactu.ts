/** The certificate with which a company sends its records to the tax agency. Chains and records are written by statements of their own. */
import type { CertificateKind } from '../../../domain/ledger/verifactu/certificate.ts';
import { bytes, instant, integer, optional, text } from '../columns.ts';
import { versionedTable } from '../table.ts';

export class VerifactuCertificate extends versionedTable('verifactu_certificates', {
  kind: text<CertificateKind>(),
  holder: text(),
  holderTaxId: optional(text()),
  issuer: text(),
  serial: text(),
  validFrom: instant(),
  validUntil: instant(),
  /** Key and certificates, encrypted. */
  sealed: bytes(),
  /** The fewest days before its end of which people were told. */
  toldDays: optional(integer()),
}) {
  static override entityType = 'VerifactuCertificate';
  static override access = 'company:read' as const;
  static override hidden: readonly string[] = ['tenantId', 'sealed', 'toldDays'];
}
