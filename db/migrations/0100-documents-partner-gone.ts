/** `documents_of_partner` begins with the columns of this one. */
export const up = 'drop index documents_partner';
