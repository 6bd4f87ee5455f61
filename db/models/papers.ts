/** What the paper of an invoice shows beside the invoice's own rows, frozen when it is posted. Only ever inserted. */
import { bytes, flag, json, uuid } from './columns.ts';
import { keylessTable, table } from './table.ts';

/** A logo as it was uploaded. */
export class PaperLogo extends table('paper_logos', { fileId: uuid(), content: bytes() }) {}

/** What is of the company. It is looked for by its hash, so that all invoices between two changes share one. */
export class PaperSettings extends table('paper_settings', { contentHash: uuid(), content: json<object>() }) {}

/** What is of the invoice's partner, items and bases. */
export class DocumentPaper extends keylessTable('document_papers', {
  documentId: uuid(),
  settingsId: uuid(),
  content: json<object>(),
  late: flag(),
}) {}
