import type { Area } from '../../../domain/ledger/periods/areas.ts';
import { DOCUMENT_TYPES, type DocType } from '../../../domain/trade/documents/types.ts';
import type { EntryDay } from '../../ledger/accounting/write-entry.ts';
import type { DocumentRow } from './stored.ts';

/** The area of the books that documents of a type belong to. */
export function documentArea(docType: DocType): Area {
  return DOCUMENT_TYPES[docType].side === 'sales' ? 'sales' : 'purchases';
}

/** The day of a document in the books: of its entry, for example. */
export function documentDay({ docType, date, periodId }: Pick<DocumentRow, 'docType' | 'date' | 'periodId'>): EntryDay {
  return { date, periodId, area: documentArea(docType) };
}
