const MODELS = ['111', '115', '130', '180', '190', '303', '347', '349', '390'];

/** Informative returns and those of withheld tax, with the people whom they declare. */
export const up = `
  alter table tax_returns add column details jsonb not null default '{}',
    drop constraint tax_returns_model_check,
    add constraint tax_returns_model_check check (model in (${MODELS.map((model) => `'${model}'`).join(', ')})) not valid;
  comment on column tax_returns.details is 'People whom the return declares, by list, as they were at its filing';
  comment on column tax_returns.model is 'Number of the form: 303';
`;
