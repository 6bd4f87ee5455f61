/** Loans that were in other books before. Their movement has no entry. */
export const up = `
  alter table loan_movements drop constraint loan_movements_kind_check,
    add constraint loan_movements_kind_check
      check (kind in ('drawing', 'takeover', 'instalment', 'repayment', 'reclassification')) not valid;
`;
