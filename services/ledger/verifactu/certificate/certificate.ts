/** The certificate with which a company sends its records: one at a time, its key encrypted. */
import { Changes } from '../../../../db/changes/changes.ts';
import type { Context } from '../../../../db/context.ts';
import type { Db, Reader } from '../../../../db/database.ts';
import { newId } from '../../../../db/ids.ts';
import { fromRow, type JsonRow } from '../../../../db/models/base.ts';
import { VerifactuCertificate } from '../../../../db/models/ledger/verifactu.ts';
import { prepared } from '../../../../db/sql.ts';
import { notFound } from '../../../../domain/errors.ts';
import { type CertificateKind, daysLeft } from '../../../../domain/ledger/verifactu/certificate.ts';
import { certificatePlace, type EncryptionKeys, seal, unseal } from '../../../platform/encryption/seal.ts';
import { loadSettings } from '../../../platform/settings/settings.ts';
import { wakeSender } from '../sending/wake.ts';
import type { KeyPair, OpenedCertificate } from './open.ts';

/** A certificate as clients see it: never its key. */
export interface ShownCertificate {
  readonly kind: CertificateKind;
  readonly holder: string;
  readonly holderTaxId: string | null;
  /** Whether it names the company itself; another one needs the agency's authorization. */
  readonly isOwn: boolean;
  readonly issuer: string;
  readonly serial: string;
  readonly validFrom: string;
  readonly validUntil: string;
  readonly daysLeft: number;
}

/** Stores a certificate in place of the one before, and has waiting records sent with it. */
export async function replaceCertificate(
  trx: Db,
  ctx: Context,
  keys: EncryptionKeys,
  { key, chain, ...certificate }: OpenedCertificate,
): Promise<ShownCertificate> {
  const before = await findCertificate(trx);
  const id = before?.id ?? newId();
  const values = {
    ...certificate,
    validFrom: certificate.validFrom.toISOString(),
    validUntil: certificate.validUntil.toISOString(),
    sealed: seal(keys, certificatePlace({ tenantId: ctx.tenantId, id }), JSON.stringify({ key, chain })),
    toldDays: null,
  };
  const changes = new Changes(ctx);
  const after =
    before === null
      ? changes.create(VerifactuCertificate, { id, ...values })
      : changes.change(VerifactuCertificate, before, values);
  await changes.write(trx);
  await wakeSender(trx, ctx);
  return await shown(trx, ctx, after);
}

/** Reads the company's certificate. @throws ServiceError not_found */
export async function readCertificate(reader: Reader, ctx: Pick<Context, 'now'>): Promise<ShownCertificate> {
  const found = await findCertificate(reader);
  if (found === null) throw notFound('The certificate');
  return await shown(reader, ctx, found);
}

/** Removes the company's certificate: its records wait for another one. @throws ServiceError not_found */
export async function removeCertificate(trx: Db, ctx: Context): Promise<void> {
  const found = await findCertificate(trx);
  if (found === null) throw notFound('The certificate');
  await new Changes(ctx).delete(VerifactuCertificate, found).write(trx);
}

/** A certificate with its key, as the sender needs it; null if the company has none. */
export async function loadKeyPair(
  reader: Reader,
  tenantId: string,
  keys: EncryptionKeys,
): Promise<(KeyPair & { readonly kind: CertificateKind; readonly validUntil: string }) | null> {
  const row = await findCertificate(reader);
  if (row === null) return null;
  const pair = JSON.parse(unseal(keys, certificatePlace({ tenantId, id: row.id }), row.sealed)) as KeyPair;
  return { ...pair, kind: row.kind, validUntil: row.validUntil };
}

async function findCertificate(reader: Reader): Promise<VerifactuCertificate | null> {
  const [row] = await prepared<JsonRow>(reader, 'select * from verifactu_certificates', {});
  return row === undefined ? null : fromRow(VerifactuCertificate, row);
}

async function shown(
  reader: Reader,
  { now }: Pick<Context, 'now'>,
  { kind, holder, holderTaxId, issuer, serial, validFrom, validUntil }: VerifactuCertificate,
): Promise<ShownCertificate> {
  const { taxId } = await loadSettings(reader, 'company');
  const isOwn = holderTaxId === taxId;
  const left = daysLeft(new Date(validUntil), now);
  return { kind, holder, holderTaxId, isOwn, issuer, serial, validFrom, validUntil, daysLeft: left };
}
