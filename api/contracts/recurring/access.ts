/** Who may see and make recurring documents: those who may see and make what these make. */
import { type Fragment, fragment } from '../../../db/queries/fragments.ts';
import {
  DUNNING,
  documentTypeNamed,
  RECURRING_TYPES,
  type RecurringMode,
  type RecurringType,
} from '../../../domain/contracts/recurring/types.ts';
import type { Permission, Resource } from '../../../domain/permissions.ts';
import { DOCUMENT_TYPES } from '../../../domain/trade/documents/types.ts';
import { assertPermission } from '../../permission.ts';
import type { Caller } from '../../route.ts';

function resourceMade(type: RecurringType): Resource {
  if (type === DUNNING) return 'payments_in';
  const docType = documentTypeNamed(type);
  return docType === null ? 'journal_entries' : DOCUMENT_TYPES[docType].resource;
}

/** The types of which a caller may read what is made. */
export function typesReadBy({ permissions }: Pick<Caller, 'permissions'>): readonly RecurringType[] {
  return RECURRING_TYPES.filter((type) => permissions.has(`${resourceMade(type)}:read`));
}

/** The condition of lists for these types. */
export function readableTypes(caller: Pick<Caller, 'permissions'>): readonly Fragment[] {
  return [fragment('document_type = any(?::text[])', [...typesReadBy(caller)])];
}

/** @throws ServiceError forbidden for a caller who may not make such documents, or not go as far */
export function assertMayMake(caller: Caller, type: RecurringType, mode: RecurringMode): void {
  const needed: Permission[] = [`${resourceMade(type)}:create`];
  if (mode !== 'draft') needed.push(`${resourceMade(type)}:update`);
  for (const permission of needed) assertPermission(caller, permission);
}
