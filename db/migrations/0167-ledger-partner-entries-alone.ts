/** The index with the entries does what this one did; two would only make entries slower. */
export const up = 'drop index journal_lines_partner_account;';
