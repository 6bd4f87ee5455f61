/** Ids of the entries with a line of the partner `:partner`, from `:from` to `:to`: their other lines name nobody. */
export const PARTNER_ENTRIES = `select entry_id from journal_lines
  where partner_id = :partner::uuid and date >= :from::date and date <= :to::date`;
