/** Checks messages against the schemas of the tax agency. */
import { readFileSync } from 'node:fs';
import {
  XmlBufferInputProvider,
  XmlDocument,
  XmlValidateError,
  XsdValidator,
  xmlRegisterInputProvider,
} from 'libxml2-wasm';

const FOLDER = new URL('schemas/', import.meta.url);
/** The names by which the schemas import one another. */
const IMPORTED: Readonly<Record<string, string>> = {
  'SuministroInformacion.xsd': 'SuministroInformacion.xsd',
  'http://www.w3.org/TR/xmldsig-core/xmldsig-core-schema.xsd': 'xmldsig-core-schema.xsd',
};

let validators: ReadonlyMap<string, XsdValidator> | undefined;

/**
 * Finds what is wrong with an element by its schema.
 * @param schema SuministroLR for messages, RespuestaSuministro for answers
 * @param xml the element that the schema declares, without envelope
 * @returns the first fault; null for none
 */
export function schemaFault(schema: 'SuministroLR' | 'RespuestaSuministro', xml: string): string | null {
  validators ??= new Map(
    ['SuministroLR', 'RespuestaSuministro'].map((name) => [name, validator(`${name}.xsd`)] as const),
  );
  const document = XmlDocument.fromString(xml);
  try {
    validators.get(schema)?.validate(document);
    return null;
  } catch (error) {
    if (error instanceof XmlValidateError) return error.details[0]?.message.trim() ?? error.message;
    throw error;
  } finally {
    document.dispose();
  }
}

function validator(file: string): XsdValidator {
  const contents = Object.entries(IMPORTED).map(([name, imported]) => [name, bytes(imported)] as const);
  xmlRegisterInputProvider(new XmlBufferInputProvider(Object.fromEntries(contents)));
  const schema = XmlDocument.fromBuffer(bytes(file), { url: file });
  try {
    return XsdValidator.fromDoc(schema);
  } finally {
    schema.dispose();
  }
}

/** The document type of a schema, whose own entities a validator would try to fetch, is left out. */
function bytes(file: string): Uint8Array {
  const text = readFileSync(new URL(file, FOLDER), 'utf8');
  return Buffer.from(text.replace(/<!DOCTYPE[^[>]*(\[[\s\S]*?\])?\s*>/, ''));
}
