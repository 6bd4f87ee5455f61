/**
 * Search attributes, by which workflows are found in the Temporal UI. Keywords only (PostgreSQL allows ten); ids, states and numbers of
 * documents only, because they are never encrypted.
 */
import { defineSearchAttributeKey, type SearchAttributePair } from '@temporalio/common';

export const TENANT_ID = defineSearchAttributeKey('TenantId', 'KEYWORD');
/** The entity type as in the audit log: SalesInvoice, … */
export const ENTITY_TYPE = defineSearchAttributeKey('EntityType', 'KEYWORD');
export const ENTITY_ID = defineSearchAttributeKey('EntityId', 'KEYWORD');
/** The document's full number; drafts have none. */
export const DOCUMENT_CODE = defineSearchAttributeKey('DocumentCode', 'KEYWORD');
export const DOCUMENT_STATUS = defineSearchAttributeKey('DocumentStatus', 'KEYWORD');
export const PARTNER_ID = defineSearchAttributeKey('PartnerId', 'KEYWORD');
/** The webhook or automation that the workflow runs for. */
export const RULE_ID = defineSearchAttributeKey('RuleId', 'KEYWORD');
/** The company's short name. */
export const COMPANY = defineSearchAttributeKey('Company', 'KEYWORD');
/** The kind of work: document, webhook, import, payroll … */
export const KIND = defineSearchAttributeKey('Kind', 'KEYWORD');
/** How it ended, or what it is waiting for. */
export const OUTCOME = defineSearchAttributeKey('Outcome', 'KEYWORD');

/** The values of `Outcome`; a workflow that has done its work and needs nobody has none. */
export const OUTCOMES = ['failed', 'cancelled', 'refused', 'skipped', 'waiting'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Names to register in the namespace. */
export const SEARCH_ATTRIBUTES: readonly string[] = [
  TENANT_ID,
  ENTITY_TYPE,
  ENTITY_ID,
  DOCUMENT_CODE,
  DOCUMENT_STATUS,
  PARTNER_ID,
  RULE_ID,
  COMPANY,
  KIND,
  OUTCOME,
].map((key) => key.name);

/** The search attributes of a workflow; missing values are left out. */
export function searchAttributes(values: {
  readonly tenantId: string;
  readonly entityType?: string | undefined;
  readonly entityId?: string | undefined;
  readonly documentCode?: string | null | undefined;
  readonly documentStatus?: string | undefined;
  readonly partnerId?: string | undefined;
  readonly ruleId?: string | undefined;
  /** The middle of the id unless given. */
  readonly kind?: string | undefined;
}): SearchAttributePair[] {
  const pairs: SearchAttributePair[] = [{ key: TENANT_ID, value: values.tenantId }];
  if (values.entityType !== undefined) pairs.push({ key: ENTITY_TYPE, value: values.entityType });
  if (values.entityId !== undefined) pairs.push({ key: ENTITY_ID, value: values.entityId });
  if (values.documentCode != null) pairs.push({ key: DOCUMENT_CODE, value: values.documentCode });
  if (values.documentStatus !== undefined) pairs.push({ key: DOCUMENT_STATUS, value: values.documentStatus });
  if (values.partnerId !== undefined) pairs.push({ key: PARTNER_ID, value: values.partnerId });
  if (values.ruleId !== undefined) pairs.push({ key: RULE_ID, value: values.ruleId });
  if (values.kind !== undefined) pairs.push({ key: KIND, value: values.kind });
  return pairs;
}
