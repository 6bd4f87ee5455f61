/** What the paper of an invoice shows beside the invoice's own rows, frozen when it is posted. Only ever inserted. */
import { bytes, json, optional, uuid } from './columns.ts';
import { keylessTable, table } from './table.ts';

/** A logo as it was uploaded; its id is that of the file. */
export class PaperLogo extends table('paper_logos', { content: bytes() }) {}

/** What is of the company. Its id is made of its content, so that all invoices in between two changes share one. */
export class PaperSettings extends table('paper_settings', {
  content: json<object>(),
  logoId: optional(uuid()),
}) {}

/** What is of the invoice's partner, items and bases. */
export class DocumentPaper extends keylessTable('document_papers', {
  documentId: uuid(),
  settingsId: uuid(),
  content: json<object>(),
}) {}
