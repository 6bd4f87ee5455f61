/** Lines of a partner are found by the index that also has their accounts; another one would only make entries slower. */
export const up = 'drop index journal_lines_partner;';
