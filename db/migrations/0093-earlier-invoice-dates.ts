import { perTenant } from './per-tenant.ts';

/** Earlier invoices of suppliers are of the date on which they were entered. */
export const up = perTenant(
  "update documents set document_date = date where doc_type = 'PINV' and document_date is null",
);
