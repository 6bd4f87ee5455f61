/** The constraint's name tells clients which members are taken together. */
export const up = `
  alter table email_templates rename constraint email_templates_doc_type_key to email_templates_doc_type__language_key`;
