/** Data on printed invoices that is not in the invoice's own rows, frozen when it is posted. Insert-only. */
import { bytes, json, uuid } from '../columns.ts';
import { keylessTable, table } from '../table.ts';

/** An uploaded logo. */
export class PaperLogo extends table('paper_logos', { fileId: uuid(), content: bytes() }) {}

/** The company's part, identified by its hash, so that all invoices between two changes share one. */
export class PaperSettings extends table('paper_settings', { contentHash: uuid(), content: json<object>() }) {}

/** The invoice's part: its partner, items and bases. */
export class DocumentPaper extends keylessTable('document_papers', {
  documentId: uuid(),
  settingsId: uuid(),
  content: json<object>(),
}) {}
