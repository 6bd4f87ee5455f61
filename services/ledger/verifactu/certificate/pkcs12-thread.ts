/** Opens PKCS#12 files, as browsers and authorities give certificates out: in a thread, since a file says how long its decryption takes. */
import forge from 'node-forge';
import { threadTask } from '../../../platform/threads/task.ts';

export interface Pkcs12 {
  /** The file in base64. */
  readonly file: string;
  readonly password: string;
}

/** Texts in PEM, times in milliseconds. */
export interface OpenedPkcs12 {
  readonly key: string;
  /** The certificate of the key, then those of its authorities. */
  readonly chain: readonly string[];
  /** Names of the holder, by object identifier. */
  readonly subject: Readonly<Record<string, string>>;
  readonly issuer: string;
  readonly serial: string;
  readonly validFrom: number;
  readonly validUntil: number;
}

export type Pkcs12Problem = 'unreadable' | 'wrong_password' | 'no_key' | 'no_certificate';

function open({ file, password }: Pkcs12): OpenedPkcs12 | Pkcs12Problem {
  let asn1: forge.asn1.Asn1;
  try {
    asn1 = forge.asn1.fromDer(forge.util.createBuffer(Buffer.from(file, 'base64').toString('binary')));
  } catch {
    return 'unreadable'; // Whatever is wrong with the bytes, the remedy is another file.
  }
  try {
    return contents(forge.pkcs12.pkcs12FromAsn1(asn1, false, password));
  } catch (error) {
    // The library has no codes: what it says of a wrong password is all that tells it from a file of another kind.
    return /MAC could not be verified|Invalid password/i.test(String(error)) ? 'wrong_password' : 'unreadable';
  }
}

function contents(pkcs12: forge.pkcs12.Pkcs12Pfx): OpenedPkcs12 | Pkcs12Problem {
  const bags = pkcs12.safeContents.flatMap(({ safeBags }) => safeBags);
  const key = bags.find(({ key }) => key != null)?.key as forge.pki.rsa.PrivateKey | undefined;
  if (key === undefined) return 'no_key';
  const certificates = bags.flatMap(({ cert }) => cert ?? []);
  const own = certificates.find(({ publicKey }) => (publicKey as forge.pki.rsa.PublicKey).n?.equals(key.n) === true);
  if (own === undefined) return 'no_certificate';
  const { subject, issuer, serialNumber, validity } = own;
  return {
    key: forge.pki.privateKeyToPem(key),
    chain: [own, ...certificates.filter((each) => each !== own)].map((each) => forge.pki.certificateToPem(each)),
    subject: Object.fromEntries(subject.attributes.map(({ type, value }) => [String(type), decoded(value)])),
    issuer: decoded((issuer.getField('CN') ?? issuer.getField('O'))?.value),
    serial: serialNumber,
    validFrom: validity.notBefore.getTime(),
    validUntil: validity.notAfter.getTime(),
  };
}

/** The library gives UTF-8 as a string of bytes. */
function decoded(value: unknown): string {
  const bytes = Buffer.from(typeof value === 'string' ? value : '', 'latin1');
  const text = bytes.toString('utf8');
  return text.includes('\uFFFD') ? bytes.toString('latin1') : text;
}

export default threadTask(open);
