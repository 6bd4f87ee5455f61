/**
 * The signature of a Facturae document: XAdES-EPES by the policy of Facturae 3.1, enveloped as the last child of the root. This builds its
 * elements; digests and the signature itself are computed by the caller.
 */
import { type Node, node } from '../../../xml.ts';

const DSIG = 'http://www.w3.org/2000/09/xmldsig#';
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';
const XADES = 'http://uri.etsi.org/01903/v1.3.2#';
const POLICY = {
  id: 'http://www.facturae.es/politica_de_firma_formato_facturae/politica_de_firma_formato_facturae_v3_1.pdf',
  text: 'Política de Firma FacturaE v3.1',
  sha1: 'Ohixl6upD6av8N7pEvDABhEL6hM=',
} as const;
/** Ids within the document. */
const ID = {
  signature: 'Signature',
  document: 'Signature-Document',
  properties: 'Signature-SignedProperties',
  keyInfo: 'Signature-KeyInfo',
} as const;

/** The namespace that the signed properties have from the element around them. */
export const XADES_NAMESPACE = { 'xmlns:xades': XADES } as const;

/** The certificate as the signature describes it. Digests and numbers are in base64 unless said otherwise. */
export interface Signer {
  /** The certificate and its authorities, as DER. */
  readonly chain: readonly string[];
  readonly modulus: string;
  readonly exponent: string;
  /** SHA-256 of the certificate. */
  readonly digest: string;
  /** Name of its authority (RFC 2253). */
  readonly issuer: string;
  /** As a decimal number. */
  readonly serial: string;
}

/** The key with its certificates: without those of the authorities, public bodies may not find them. */
export function keyInfo({ chain, modulus, exponent }: Signer): Node {
  return node(
    'ds:KeyInfo',
    [
      node(
        'ds:X509Data',
        chain.map((one) => node('ds:X509Certificate', one)),
      ),
      node('ds:KeyValue', [node('ds:RSAKeyValue', [node('ds:Modulus', modulus), node('ds:Exponent', exponent)])]),
    ],
    { Id: ID.keyInfo },
  );
}

/** @param signedAt ISO 8601 */
export function signedProperties({ digest, issuer, serial }: Signer, signedAt: string): Node {
  const certificate = node('xades:Cert', [
    node('xades:CertDigest', [method('ds:DigestMethod', SHA256), node('ds:DigestValue', digest)]),
    node('xades:IssuerSerial', [node('ds:X509IssuerName', issuer), node('ds:X509SerialNumber', serial)]),
  ]);
  const policy = node('xades:SignaturePolicyId', [
    node('xades:SigPolicyId', [node('xades:Identifier', POLICY.id), node('xades:Description', POLICY.text)]),
    node('xades:SigPolicyHash', [method('ds:DigestMethod', `${DSIG}sha1`), node('ds:DigestValue', POLICY.sha1)]),
  ]);
  const format = node(
    'xades:DataObjectFormat',
    [
      node('xades:Description', 'Factura electrónica'),
      node('xades:ObjectIdentifier', [
        node('xades:Identifier', 'urn:oid:1.2.840.10003.5.109.10', { Qualifier: 'OIDAsURN' }),
      ]),
      node('xades:MimeType', 'text/xml'),
    ],
    { ObjectReference: `#${ID.document}` },
  );
  return node(
    'xades:SignedProperties',
    [
      node('xades:SignedSignatureProperties', [
        node('xades:SigningTime', signedAt),
        node('xades:SigningCertificate', [certificate]),
        node('xades:SignaturePolicyIdentifier', [policy]),
        node('xades:SignerRole', [node('xades:ClaimedRoles', [node('xades:ClaimedRole', 'emisor')])]),
      ]),
      node('xades:SignedDataObjectProperties', [format]),
    ],
    { Id: ID.properties },
  );
}

/** The part that is signed: digests of the document, of the properties and of the key. */
export function signedInfo(digests: Readonly<Record<'document' | 'properties' | 'keyInfo', string>>): Node {
  const reference = (attributes: Readonly<Record<string, string>>, digest: string, transform?: Node) =>
    node(
      'ds:Reference',
      [
        transform === undefined ? undefined : node('ds:Transforms', [transform]),
        method('ds:DigestMethod', SHA256),
        node('ds:DigestValue', digest),
      ],
      attributes,
    );
  return node('ds:SignedInfo', [
    method('ds:CanonicalizationMethod', 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'),
    method('ds:SignatureMethod', 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'),
    reference(
      { Id: ID.document, Type: `${DSIG}Object`, URI: '' },
      digests.document,
      method('ds:Transform', `${DSIG}enveloped-signature`),
    ),
    reference({ Type: 'http://uri.etsi.org/01903#SignedProperties', URI: `#${ID.properties}` }, digests.properties),
    reference({ URI: `#${ID.keyInfo}` }, digests.keyInfo),
  ]);
}

/** @param value the signature of the canonical `signedInfo` */
export function signature(
  info: Node,
  value: string,
  { key, properties }: { readonly key: Node; readonly properties: Node },
): Node {
  const qualifying = node('xades:QualifyingProperties', [properties], {
    ...XADES_NAMESPACE,
    Target: `#${ID.signature}`,
  });
  return node('ds:Signature', [info, node('ds:SignatureValue', value), key, node('ds:Object', [qualifying])], {
    Id: ID.signature,
  });
}

function method(name: string, algorithm: string): Node {
  return node(name, '', { Algorithm: algorithm });
}
