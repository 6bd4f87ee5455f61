/**
 * Invoices of suppliers have a date of their own: until now the one on which they were entered, also where a process of the previous
 * release enters them during the upgrade, which does not know the lost tax of their lines either (0073). Migration 0093 brings the date to
 * earlier ones.
 */
export const up = `
  alter table documents add column document_date date, add column operation_date date,
    add column lost_tax_unknown boolean not null default false;

  create function fill_document_date() returns trigger language plpgsql as $$
  begin
    if tg_op = 'INSERT' then new.lost_tax_unknown := new.document_date is null; end if;
    new.document_date := least(new.document_date, new.date);
    return new;
  end $$;
  create trigger documents_document_date before insert or update of date on documents for each row
    when (new.doc_type = 'PINV' and (new.document_date is null or new.document_date > new.date)) execute function fill_document_date();
`;
