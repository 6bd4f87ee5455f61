const MODELS = ['111', '115', '123', '130', '180', '190', '193', '303', '347', '349', '369', '390', '420', '425'];

/** Returns of IGIC. */
export const up = `
  alter table tax_returns drop constraint tax_returns_model_check,
    add constraint tax_returns_model_check check (model in (${MODELS.map((model) => `'${model}'`).join(', ')})) not valid;
`;
