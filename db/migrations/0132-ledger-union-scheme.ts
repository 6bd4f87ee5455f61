const MODELS = ['111', '115', '130', '180', '190', '303', '347', '349', '369', '390'];

/** Taxes of other member states, which sales to their consumers bear under the Union scheme, and the return that declares them. */
export const up = `
  alter table taxes
    add column consumption_country text,
    add column rate_kind text,
    add constraint taxes_rate_kind_check check (case when consumption_country is null then rate_kind is null
      else kind = 'vat' and surcharge_rate = 0 and rate_kind in ('standard', 'reduced') end) not valid;
  comment on column taxes.consumption_country is 'Member state whose tax it is, if not the company''s own';
  comment on column taxes.rate_kind is 'Whether that state has it as its standard rate, or as a reduced one';
  alter table tax_returns drop constraint tax_returns_model_check,
    add constraint tax_returns_model_check check (model in (${MODELS.map((model) => `'${model}'`).join(', ')})) not valid;
`;
