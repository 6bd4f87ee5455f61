/**
 * Ids of the entries that concern the partner `:partner`, from `:from` to `:to`: those with a line of theirs, whose other lines name
 * nobody, and those of the customs documents of their invoices, which are owed to the customs and name no partner at all.
 */
export const PARTNER_ENTRIES = `select entry_id from journal_lines
    where partner_id = :partner::uuid and date >= :from::date and date <= :to::date
  union all select e.id from documents o join journal_entries e on e.source_id = o.id and e.source_type = 'customs_document'
    where o.partner_id = :partner::uuid and o.doc_type = 'PINV' and e.date >= :from::date and e.date <= :to::date`;
