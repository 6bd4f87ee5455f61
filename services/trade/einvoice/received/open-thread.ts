/** Opens files of suppliers' invoices: in a thread, since a file says how long its reading takes. */
import { X509Certificate } from 'node:crypto';
import { createRequire } from 'node:module';
import { DOMParser } from '@xmldom/xmldom';
import { readInvoice } from '../../../../domain/trade/einvoice/received/read.ts';
import { type ReceivedInvoice, UnreadableInvoice } from '../../../../domain/trade/einvoice/received/received.ts';
import { threadTask } from '../../../platform/threads/task.ts';

/** The part of xml-crypto that is used. Its own types bring those of browsers along. */
interface Verifier {
  loadSignature(signature: object): void;
  getReferences(): readonly { readonly uri?: string }[];
  checkSignature(xml: string): boolean;
}
const require = createRequire(import.meta.url);
const { SignedXml } = require('xml-crypto') as { SignedXml: new (options: { publicCert: string }) => Verifier };

/** none; valid; invalid: something was changed afterwards; unknown: signed in a way that is not understood. */
export type SignatureState = 'none' | 'valid' | 'invalid' | 'unknown';

export interface OpenedInvoice {
  readonly invoice: ReceivedInvoice;
  readonly signature: { readonly state: SignatureState; readonly signer: string | null };
}

/** Says in words what is wrong with the file. */
export interface Unopened {
  readonly problem: string;
}

/** Names of the XML within PDFs of Factur-X and ZUGFeRD. */
const EMBEDDED = /^(factur-x|zugferd-invoice|xrechnung)\.xml$/i;
const DSIG = 'http://www.w3.org/2000/09/xmldsig#';

async function open(content: Uint8Array): Promise<OpenedInvoice | Unopened> {
  try {
    const xml = decoded(isPdf(content) ? await embedded(content) : content);
    return { invoice: readInvoice(xml), signature: checkSignature(xml) };
  } catch (error) {
    if (error instanceof UnreadableInvoice) return { problem: error.message };
    throw error;
  }
}

function isPdf(content: Uint8Array): boolean {
  return Buffer.from(content.subarray(0, 1024)).includes('%PDF-');
}

async function embedded(pdf: Uint8Array): Promise<Uint8Array> {
  // Only PDFs need it, and it is large.
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const task = getDocument({ data: new Uint8Array(pdf), verbosity: 0, isEvalSupported: false });
  try {
    const files: Readonly<Record<string, { filename: string; content: Uint8Array }>> | null = await (
      await task.promise
    ).getAttachments();
    const found = Object.values(files ?? {}).find(({ filename }) => EMBEDDED.test(filename));
    if (found === undefined) throw new UnreadableInvoice('is a PDF without an invoice in it (Factur-X or ZUGFeRD)');
    return found.content;
  } catch (error) {
    if (error instanceof UnreadableInvoice) throw error;
    throw new UnreadableInvoice('is a PDF that cannot be read');
  } finally {
    await task.destroy();
  }
}

/** The text by its byte order mark, or by the encoding that it declares. @throws UnreadableInvoice if it is of none */
function decoded(content: Uint8Array): string {
  const start = Buffer.from(content.subarray(0, 200));
  const [, declared] = /^[^>]*encoding\s*=\s*["']([\w.:-]+)["']/.exec(start.toString('latin1')) ?? [];
  const marked =
    start[0] === 0xff && start[1] === 0xfe ? 'utf-16le' : start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : null;
  const encoding = marked ?? declared ?? 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(content);
  } catch {
    throw new UnreadableInvoice(`is not text in ${encoding}, as it says`);
  }
}

/** Whether the document is as it was signed. Who may sign for whom is for people to tell. */
function checkSignature(xml: string): OpenedInvoice['signature'] {
  if (!xml.includes(DSIG)) return { state: 'none', signer: null };
  const document = new DOMParser().parseFromString(xml, 'text/xml');
  const [signature] = document.getElementsByTagNameNS(DSIG, 'Signature');
  if (signature === undefined) return { state: 'none', signer: null };
  const [encoded] = signature.getElementsByTagNameNS(DSIG, 'X509Certificate');
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(Buffer.from(encoded?.textContent ?? '', 'base64'));
  } catch {
    return { state: 'unknown', signer: null };
  }
  const signer = /(?:^|\n)CN=(.+)/.exec(certificate.subject)?.[1] ?? null;
  return { state: verified(xml, signature, certificate), signer };
}

function verified(xml: string, signature: object, { publicKey }: X509Certificate): SignatureState {
  const verifier = new SignedXml({ publicCert: String(publicKey.export({ type: 'spki', format: 'pem' })) });
  try {
    verifier.loadSignature(signature);
    const isWhole = verifier.getReferences().some(({ uri }) => uri === '');
    return verifier.checkSignature(xml) && isWhole ? 'valid' : 'invalid';
  } catch (error) {
    return /not supported/.test(String(error)) ? 'unknown' : 'invalid';
  }
}

export default threadTask(open);
