/** Signs Facturae documents with a company's certificate. */
import { createHash, createPublicKey, sign, X509Certificate } from 'node:crypto';
import { NAMESPACES } from '../../../../domain/trade/einvoice/facturae/document.ts';
import {
  keyInfo,
  type Signer,
  signature,
  signedInfo,
  signedProperties,
  XADES_NAMESPACE,
} from '../../../../domain/trade/einvoice/facturae/signature.ts';
import { canonical, DECLARATION, type Node } from '../../../../domain/xml.ts';
import type { KeyPair } from '../../../ledger/verifactu/certificate/open.ts';

/** The signed document as text. It must stay as it is, byte for byte. */
export function signFacturae(document: Node, { key, chain }: KeyPair, signedAt: Date): string {
  const signer = describe(chain);
  const info = keyInfo(signer);
  const properties = signedProperties(signer, signedAt.toISOString().replace(/\.\d+Z$/, 'Z'));
  const signed = signedInfo({
    document: digest(canonical(document)),
    properties: digest(canonical(properties, { ...NAMESPACES, ...XADES_NAMESPACE })),
    keyInfo: digest(canonical(info, NAMESPACES)),
  });
  const value = sign('sha256', Buffer.from(canonical(signed, NAMESPACES)), key).toString('base64');
  const envelope = signature(signed, value, { key: info, properties });
  return facturaeText({ ...document, content: [...(document.content as readonly Node[]), envelope] });
}

/** A document as text. */
export function facturaeText(document: Node): string {
  return `${DECLARATION}${canonical(document)}`;
}

function describe(chain: KeyPair['chain']): Signer {
  const certificates = chain.map((pem) => new X509Certificate(pem));
  const [own] = certificates as [X509Certificate, ...X509Certificate[]];
  const { n = '', e = '' } = createPublicKey(own.publicKey.export({ type: 'spki', format: 'pem' })).export({
    format: 'jwk',
  });
  const base64 = (url: string | undefined) => Buffer.from(url ?? '', 'base64url').toString('base64');
  return {
    chain: certificates.map(({ raw }) => raw.toString('base64')),
    modulus: base64(n),
    exponent: base64(e),
    digest: digest(own.raw),
    issuer: issuerName(own.issuer),
    serial: BigInt(`0x${own.serialNumber}`).toString(),
  };
}

/** The name of an authority as in RFC 2253: the last part first. @param lines `C=ES`, `O=…`, as Node names it */
export function issuerName(lines: string): string {
  const escapedPart = (part: string) => {
    const [type, ...value] = part.split('=');
    return `${type}=${value
      .join('=')
      .replace(/([,+"\\<>;])/g, '\\$1')
      .replace(/^([# ])| $/, '\\$&')}`;
  };
  return lines.split('\n').reverse().map(escapedPart).join(',');
}

function digest(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('base64');
}
