/** Mails as companies word them. Until now they were the service's own, which apply where there is none. */
import { tenantTable } from './schema.ts';

export const up = `
  ${tenantTable(
    'email_templates',
    `doc_type text not null,
     language text not null,
     subject text not null,
     body text not null,
     body_html text,
     constraint email_templates_doc_type_key unique (tenant_id, doc_type, language)`,
  )}
`;
