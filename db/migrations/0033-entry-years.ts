/**
 * An entry is numbered in the fiscal year that its day is in when it is committed. The start of the year may have changed since its
 * statement began: the transaction is then repeated (40001), and finds the new one.
 */
export const up = `
  create function check_entry_year() returns trigger language plpgsql as $$
  begin
    if new.fiscal_year <> fiscal_year_of(new.tenant_id, new.date) then
      raise exception 'the fiscal year begins on another day since entry % was begun', new.id using errcode = 'serialization_failure';
    end if;
    return null;
  end $$;
  create constraint trigger journal_entries_year after insert on journal_entries
    deferrable initially deferred for each row execute function check_entry_year();
`;
