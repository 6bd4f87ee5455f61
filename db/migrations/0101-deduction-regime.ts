/** A purchase is deducted as the company was taxed when it was made, also when it is posted or taken back after that has changed. */
export const up = `
  alter table documents add column deduction_regime text,
    add constraint documents_deduction_regime_check check (deduction_regime in ('surcharge', 'special')) not valid;
`;
