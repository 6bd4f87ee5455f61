/** Certificates for trying things out: an authority of one's own, the stand-in's certificate, and those of companies. */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import forge from 'node-forge';

const DAY_MS = 86_400_000;
/** Certificates of the authority and the stand-in, and the beginnings of all: valid by any clock that somebody may have set. */
const LONG_DAYS = 7000;
/** As qualified certificates name organizations (ETSI EN 319 412-1). */
const ORGANIZATION_ID = '2.5.4.97';

interface Signer {
  readonly key: forge.pki.rsa.PrivateKey;
  readonly certificate: forge.pki.Certificate;
}

export interface Authority {
  /** Its certificate in PEM, which clients and servers trust. */
  readonly pem: string;
  /** A key and certificate for this machine, in PEM. */
  readonly server: { readonly key: string; readonly cert: string };
  /** Issues a certificate to a company, as a PKCS#12 file. */
  issue(holder: Holder): Buffer;
}

export interface Holder {
  readonly name: string;
  readonly taxId: string;
  readonly password: string;
  /** Days from now on which it begins and ends; long ago and in two years by default. */
  readonly fromDays?: number;
  readonly days?: number;
  /** How the file is encrypted; 3des as old programs write it. */
  readonly encryption?: 'aes256' | '3des';
  /** Whether the file leaves out the key. */
  readonly withoutKey?: boolean;
}

/**
 * Opens the authority of a folder, which is made on first use: by one of several stand-ins that start at once.
 * @param now the time from which certificates are valid
 */
export function openAuthority(folder: string, now: Date): Authority {
  const always = { from: onDay(now, -LONG_DAYS), until: onDay(now, LONG_DAYS) };
  mkdirSync(folder, { recursive: true });
  const key = forge.pki.privateKeyFromPem(
    madeOnce(join(folder, 'authority.key.pem'), () => forge.pki.privateKeyToPem(generateKey())),
  );
  const pem = madeOnce(join(folder, 'authority.pem'), () => {
    const made = sign({ subject: [{ shortName: 'CN', value: 'Autoridad de pruebas' }], ...always }, null, key);
    return forge.pki.certificateToPem(made.certificate);
  });
  const signer = { key, certificate: forge.pki.certificateFromPem(pem) };
  const own = sign({ subject: [{ shortName: 'CN', value: 'localhost' }], ...always }, signer);
  return {
    pem,
    server: { key: forge.pki.privateKeyToPem(own.key), cert: forge.pki.certificateToPem(own.certificate) },
    issue: (holder) => issue(signer, holder, now),
  };
}

/** Reads a file, which is made whole if there is none; that of another process counts if it was faster. */
function madeOnce(path: string, make: () => string): string {
  if (existsSync(path)) return readFileSync(path, 'utf8');
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, make(), { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(path, 'utf8');
}

function onDay(now: Date, days: number): Date {
  return new Date(now.getTime() + days * DAY_MS);
}

function issue(signer: Signer, holder: Holder, now: Date): Buffer {
  const {
    name,
    taxId,
    password,
    fromDays = -LONG_DAYS,
    days = 730,
    encryption = 'aes256',
    withoutKey = false,
  } = holder;
  const { key, certificate } = sign(
    {
      subject: [
        { shortName: 'CN', value: `00000000T PERSONA DE PRUEBA (R: ${taxId})` },
        { shortName: 'O', value: name },
        { type: ORGANIZATION_ID, value: `VATES-${taxId}` },
        { type: '2.5.4.5', value: 'IDCES-00000000T' },
      ],
      from: onDay(now, fromDays),
      until: onDay(now, days),
    },
    signer,
  );
  const asn1 = forge.pkcs12.toPkcs12Asn1(withoutKey ? null : key, [certificate, signer.certificate], password, {
    algorithm: encryption,
  });
  return Buffer.from(forge.asn1.toDer(asn1).getBytes(), 'binary');
}

interface Request {
  readonly subject: forge.pki.CertificateField[];
  readonly from: Date;
  readonly until: Date;
}

/** Makes a key. Node does that many times faster than the library. */
function generateKey(): forge.pki.rsa.PrivateKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return forge.pki.privateKeyFromPem(privateKey.export({ type: 'pkcs1', format: 'pem' }).toString());
}

/** @param signer null signs itself, as an authority */
function sign({ subject, from, until }: Request, signer: Signer | null, key = generateKey()): Signer {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.setRsaPublicKey(key.n, key.e);
  certificate.serialNumber = `01${randomBytes(8).toString('hex')}`;
  certificate.validity.notBefore = from;
  certificate.validity.notAfter = until;
  const names = subject.map((one) => ({ ...one, valueTagClass: forge.asn1.Type.UTF8 as never }));
  certificate.setSubject(names);
  certificate.setIssuer(signer === null ? names : signer.certificate.subject.attributes);
  certificate.setExtensions(
    signer === null
      ? [
          { name: 'basicConstraints', cA: true, critical: true },
          { name: 'keyUsage', keyCertSign: true },
        ]
      : [
          { name: 'basicConstraints', cA: false },
          {
            name: 'subjectAltName',
            altNames: [
              { type: 2, value: 'localhost' },
              { type: 7, ip: '127.0.0.1' },
            ],
          },
        ],
  );
  certificate.sign(signer?.key ?? key, forge.md.sha256.create());
  return { key, certificate };
}
