/** Entries that concern a partner, for the reports that take one. */
import { Type } from 'typebox';
import { CUSTOMS_SOURCE } from '../../../domain/ledger/accounting/customs.ts';
import { uuid } from '../../platform/validation/schemas.ts';

/** The parameter of reports on `PARTNER_ENTRIES`. */
export const ENTRIES_PARTNER = {
  partner_id: Type.Optional(
    uuid({
      description: 'Only entries with a line of this partner, and customs documents of their invoices, with all lines',
    }),
  ),
};

/**
 * Ids of the entries that concern the partner `:partner`, from `:from` to `:to`: those with a line of theirs, whose other lines name
 * nobody, and those of the customs documents of their invoices, which are owed to the customs and name no partner at all.
 */
export const PARTNER_ENTRIES = `select entry_id from journal_lines
    where partner_id = :partner::uuid and date >= :from::date and date <= :to::date
  union all select e.id from documents o join journal_entries e on e.source_id = o.id and e.source_type = '${CUSTOMS_SOURCE}'
    where o.partner_id = :partner::uuid and o.doc_type = 'PINV' and e.date >= :from::date and e.date <= :to::date`;

/** The partner of the line `l`, or that of the first other line of its entry, as a lateral query. */
export const LINE_PARTNER = `lateral (
    select o.partner_id from journal_lines o
    where o.entry_id = l.entry_id and o.partner_id is not null
    order by o.line_number = l.line_number desc, o.line_number limit 1
  )`;
