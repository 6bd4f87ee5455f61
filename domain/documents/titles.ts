/** Titles of documents for operators: by type and number, never by partner. */
import { DOCUMENT_TYPES, type DocType } from './types.ts';

/** `Sales invoice SINV2026-00017`; without a number, `Sales invoice draft`. */
export function documentTitle(docType: DocType, code: string | null | undefined): string {
  return `${typeTitle(docType)} ${code ?? 'draft'}`;
}

/** `Sales invoice` */
export function typeTitle(docType: DocType): string {
  const words = DOCUMENT_TYPES[docType].name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
