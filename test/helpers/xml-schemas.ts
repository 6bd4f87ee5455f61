/** The schemas of invoices as data. They import one another by name, which is resolved in memory: nothing is fetched. */
import { readdirSync, readFileSync } from 'node:fs';
import {
  XmlBufferInputProvider,
  XmlDocument,
  XmlValidateError,
  XsdValidator,
  xmlRegisterInputProvider,
} from 'libxml2-wasm';

const FOLDER = new URL('../schemas/', import.meta.url);
const SIGNATURES = 'http://www.w3.org/TR/xmldsig-core/xmldsig-core-schema.xsd';
const MAIN = {
  facturae: 'facturae/Facturaev3_2_2.xsd',
  Invoice: 'ubl/maindoc/UBL-Invoice-2.1.xsd',
  CreditNote: 'ubl/maindoc/UBL-CreditNote-2.1.xsd',
  CrossIndustryInvoice: 'cii/CrossIndustryInvoice_100pD16B.xsd',
} as const;
export type Schema = keyof typeof MAIN;

/** Imports that say no place. */
const PLACES: Readonly<Record<string, string>> = {
  'urn:un:unece:uncefact:data:specification:CoreComponentTypeSchemaModule:2': 'CCTS_CCT_SchemaModule.xsd',
  'http://www.w3.org/2000/09/xmldsig#': SIGNATURES,
};

const validators = new Map<Schema, XsdValidator>();

/** Finds the faults of a document by its schema; null for none. */
export function schemaFault(schema: Schema, xml: string): string | null {
  const document = XmlDocument.fromString(xml);
  try {
    validator(schema).validate(document);
    return null;
  } catch (error) {
    if (error instanceof XmlValidateError) return error.details.map(({ message }) => message.trim()).join('\n');
    throw error;
  } finally {
    document.dispose();
  }
}

function validator(schema: Schema): XsdValidator {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const files = Object.fromEntries(allFiles().map((file) => [file, bytes(file)]));
  xmlRegisterInputProvider(
    new XmlBufferInputProvider({ ...files, [SIGNATURES]: bytes('facturae/xmldsig-core-schema.xsd') }),
  );
  const document = XmlDocument.fromBuffer(bytes(MAIN[schema]), { url: MAIN[schema] });
  try {
    const made = XsdValidator.fromDoc(document);
    validators.set(schema, made);
    return made;
  } finally {
    document.dispose();
  }
}

function allFiles(): string[] {
  return readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.xsd'));
}

/** A schema without its document type, whose entities a validator would try to fetch, and with the places of all imports. */
function bytes(file: string): Uint8Array {
  const text = readFileSync(new URL(file, FOLDER), 'utf8').replace(/<!DOCTYPE[^[>]*(\[[\s\S]*?\])?\s*>/, '');
  const placed = text.replace(/<(\w+:)?import\s+namespace="([^"]+)"\s*\/>/g, (whole, prefix = '', namespace) => {
    const place = PLACES[namespace];
    return place === undefined ? whole : `<${prefix}import namespace="${namespace}" schemaLocation="${place}"/>`;
  });
  return Buffer.from(placed);
}
