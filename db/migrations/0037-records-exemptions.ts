/** Why taxes are not charged, as records for the tax agency and invoices as data must say. */
export const up = `
  alter table taxes
    add column exemption_reason text,
    add column exemption_article text,
    add constraint taxes_exemption_reason_check check (case kind
      when 'exempt' then exemption_reason in ('E1', 'E2', 'E3', 'E4', 'E5', 'E6')
      when 'not_subject' then exemption_reason in ('N1', 'N2')
      else exemption_reason is null end);
  comment on column taxes.exemption_reason is 'Why sales bear no VAT (lists L9 and L10 of Veri*factu); null for what is usual for the kind';
  comment on column taxes.exemption_article is 'Article of law that invoices cite instead of the usual one';
`;
