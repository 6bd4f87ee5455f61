/** Events of master data by which rules are triggered; written only for companies that have such rules. */
import { isDeepStrictEqual } from 'node:util';
import type { DomainEvent } from '../../../db/changes/trail.ts';
import type { TenantModel } from '../../../db/models/base.ts';
import type { HookScope, ResourceDeclaration } from './declaration.ts';

/** Members that differ after every change. */
const ALWAYS_OTHER = ['version', 'updatedAt'];

/**
 * Builds the event of a new or changed row: `partner.created`, `partner.updated`.
 * @param before null for a new row
 * @returns none for resources that are not watched, and for rows of a file
 */
export function ruleEvents(
  { watched, model }: ResourceDeclaration,
  { isImport }: HookScope,
  before: TenantModel | null,
  after: TenantModel,
): DomainEvent[] {
  if (watched === undefined || isImport === true) return [];
  const { itemId } = after as TenantModel & { readonly itemId?: string };
  const about = { [`${watched}_id`]: after.id, ...(itemId === undefined ? {} : { item_id: itemId }) };
  if (before === null) return [{ name: `${watched}.created`, payload: about, forRules: true }];
  const [old, next] = [model.toJson({ ...before }), model.toJson({ ...after })];
  const fields = Object.keys(next).filter(
    (name) => !ALWAYS_OTHER.includes(name) && !isDeepStrictEqual(old[name], next[name]),
  );
  return [{ name: `${watched}.updated`, payload: { ...about, changed_fields: fields }, forRules: true }];
}
