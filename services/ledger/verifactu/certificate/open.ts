/** Opens the file of a certificate that a company uploads, and checks that records can be sent with it. */
import { invalidMember, type ServiceError } from '../../../../domain/errors.ts';
import { type CertificateKind, certificateHolder } from '../../../../domain/ledger/verifactu/certificate.ts';
import { RunEnded, runInThread, threadModule } from '../../../platform/threads/threads.ts';
import type { OpenedPkcs12, Pkcs12, Pkcs12Problem } from './pkcs12-thread.ts';

const THREAD = threadModule(import.meta.url, './pkcs12-thread');

/** A key with its certificates, in PEM. */
export interface KeyPair {
  readonly key: string;
  readonly chain: readonly string[];
}

export interface OpenedCertificate extends KeyPair {
  readonly kind: CertificateKind;
  readonly holder: string;
  readonly holderTaxId: string | null;
  readonly issuer: string;
  readonly serial: string;
  readonly validFrom: Date;
  readonly validUntil: Date;
}

const PROBLEMS: Readonly<Record<Pkcs12Problem, readonly [member: string, code: string, message: string]>> = {
  unreadable: ['/file', 'invalid_format', 'must be a PKCS#12 file (.p12 or .pfx) in base64'],
  wrong_password: ['/password', 'wrong_password', 'must be the password of the file'],
  no_key: ['/file', 'no_key', 'must contain an RSA key; export the certificate again, with its private key'],
  no_certificate: ['/file', 'no_certificate', 'must contain the certificate of its key'],
};

/**
 * Opens a file. Takes a moment, so call it without a connection.
 * @throws ServiceError validation_failed naming what is wrong with file or password; too_many_requests
 */
export async function openCertificate(
  tenantId: string,
  { kind, ...file }: Pkcs12 & { readonly kind: CertificateKind },
  now: Date,
): Promise<OpenedCertificate> {
  const opened = await inThread(tenantId, file);
  if (typeof opened === 'string') throw invalidMember(...PROBLEMS[opened]);
  const { key, chain, subject, issuer, serial } = opened;
  const [validFrom, validUntil] = [new Date(opened.validFrom), new Date(opened.validUntil)];
  if (validUntil <= now) throw invalidMember('/file', 'expired', `has expired on ${validUntil.toISOString()}`);
  if (validFrom > now) throw invalidMember('/file', 'not_valid_yet', `is valid only from ${validFrom.toISOString()}`);
  const { name, taxId } = certificateHolder(subject);
  return { key, chain, kind, holder: name, holderTaxId: taxId, issuer, serial, validFrom, validUntil };
}

async function inThread(tenantId: string, file: Pkcs12): Promise<OpenedPkcs12 | Pkcs12Problem> {
  try {
    return await runInThread<Pkcs12, OpenedPkcs12 | Pkcs12Problem>(tenantId, THREAD, file);
  } catch (error) {
    if (error instanceof RunEnded) throw tooSlow();
    throw error;
  }
}

function tooSlow(): ServiceError {
  const message = 'takes too long to decrypt; export the certificate again, with fewer iterations';
  return invalidMember('/file', 'too_expensive', message);
}
