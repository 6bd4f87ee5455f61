/** Checks invoices that the stand-in for FACe is sent: their signature, and what public bodies want in them. */
import { X509Certificate } from 'node:crypto';
import { createRequire } from 'node:module';
import { DOMParser } from '@xmldom/xmldom';
import type { Node } from '../../domain/xml.ts';
import { descendants, parseXml, textWithin, XmlError } from '../../domain/xml-reader.ts';

/** The part of xml-crypto that is used. Its own types bring those of browsers along. */
interface Verifier {
  loadSignature(signature: object): void;
  checkSignature(xml: string): boolean;
}
const require = createRequire(import.meta.url);
const { SignedXml } = require('xml-crypto') as { SignedXml: new (options: { publicCert: string }) => Verifier };

const DSIG = 'http://www.w3.org/2000/09/xmldsig#';
/** Accounting office, managing body, processing unit. */
const ROLES = ['01', '02', '03'];

/** By which an invoice is told from others. */
export interface InvoiceKey {
  readonly seller: string;
  /** Series and number. */
  readonly number: string;
  readonly date: string;
}

/** Reads an invoice; or what a public body would object to. */
export function checkInvoice(xml: string): { readonly key: InvoiceKey } | { readonly objection: string } {
  let root: Node;
  try {
    root = parseXml(xml);
  } catch (error) {
    if (error instanceof XmlError) return { objection: 'INVALID_INVOICE-100 El fichero no es una factura electrónica' };
    throw error;
  }
  if (!isSigned(xml)) return { objection: 'INVALID_INVOICE-104 La firma no es válida' };
  const [buyer] = descendants(root, 'BuyerParty');
  const roles = [...descendants(root, 'RoleTypeCode')].map(({ content }) => String(content));
  if (buyer === undefined || ROLES.some((role) => !roles.includes(role)))
    return {
      objection:
        'INVALID_INVOICE-110 Faltan unidades administrativas (oficina contable, órgano gestor, unidad tramitadora)',
    };
  const [seller] = descendants(root, 'SellerParty');
  const read = (name: string) => textWithin(root, name) ?? '';
  return {
    key: {
      seller: (seller && textWithin(seller, 'TaxIdentificationNumber')) ?? '',
      number: `${read('InvoiceSeriesCode')}${read('InvoiceNumber')}`,
      date: read('IssueDate'),
    },
  };
}

function isSigned(xml: string): boolean {
  const document = new DOMParser().parseFromString(xml, 'text/xml');
  const [signature] = document.getElementsByTagNameNS(DSIG, 'Signature');
  const [encoded] = signature?.getElementsByTagNameNS(DSIG, 'X509Certificate') ?? [];
  if (signature === undefined || encoded === undefined) return false;
  const { publicKey } = new X509Certificate(Buffer.from(encoded.textContent ?? '', 'base64'));
  const verifier = new SignedXml({ publicCert: String(publicKey.export({ type: 'spki', format: 'pem' })) });
  try {
    verifier.loadSignature(signature);
    return verifier.checkSignature(xml);
  } catch {
    return false;
  }
}
