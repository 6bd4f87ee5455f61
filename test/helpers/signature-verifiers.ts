/** Two independent verifiers of signed documents. */
import { webcrypto, X509Certificate } from 'node:crypto';
import { createRequire } from 'node:module';
import { DOMImplementation, DOMParser, XMLSerializer } from '@xmldom/xmldom';

// Without their types, which bring those of browsers along.
const require = createRequire(import.meta.url);
const { SignedXml } = require('xml-crypto');
const xades = require('xadesjs');
require('xml-core').setNodeDependencies({ DOMParser, XMLSerializer, DOMImplementation, xpath: require('xpath') });
xades.Application.setEngine('node', webcrypto);

const DSIG = 'http://www.w3.org/2000/09/xmldsig#';

/** Whether xml-crypto takes the signature, by the certificate in the document. */
export function firstVerifier(xml: string): boolean {
  const document = new DOMParser().parseFromString(xml, 'text/xml');
  const [, certificate = ''] = /<ds:X509Certificate>([^<]+)</.exec(xml) ?? [];
  const { publicKey } = new X509Certificate(Buffer.from(certificate, 'base64'));
  const verifier = new SignedXml({ publicCert: String(publicKey.export({ type: 'spki', format: 'pem' })) });
  verifier.loadSignature(document.getElementsByTagNameNS(DSIG, 'Signature')[0]);
  try {
    return verifier.checkSignature(xml);
  } catch {
    return false;
  }
}

/** Whether xadesjs takes the signature. */
export async function secondVerifier(xml: string): Promise<boolean> {
  const document = xades.Parse(xml);
  const signed = new xades.SignedXml(document);
  signed.LoadXml(document.getElementsByTagNameNS(DSIG, 'Signature')[0]);
  return await signed.Verify().catch(() => false);
}
