/** Checks the loans that were there before. */
export const up = 'alter table loan_movements validate constraint loan_movements_kind_check;';
