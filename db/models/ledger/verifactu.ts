/** Records of invoices for the tax agency, written by a statement of their own and never changed; and the certificate to send them with. */
import type { CertificateKind } from '../../../domain/ledger/verifactu/certificate.ts';
import type { Annulment, Link, Registration } from '../../../domain/ledger/verifactu/records.ts';
import { bytes, instant, integer, json, optional, text, uuid } from '../columns.ts';
import { table, versionedTable } from '../table.ts';

export class VerifactuRecord extends table('verifactu_records', {
  chainId: uuid(),
  seq: integer(),
  kind: text<'registration' | 'annulment'>(),
  documentId: uuid(),
  record: json<Registration | Annulment>(),
  version: text(),
  previous: optional(json<NonNullable<Link['previous']>>()),
  generatedAt: instant(),
  generatedText: text(),
  hashedText: text(),
  hash: text(),
}) {
  static override entityType = 'VerifactuRecord';
  static override access = 'tax_returns:read' as const;
}

/** The certificate with which records are sent. */
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
