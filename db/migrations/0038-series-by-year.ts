/** There is one default series for each year, and one for the years without a default of their own. */
export const up = `
  drop index series_is_default_key;
  create unique index series_is_default_key on series (tenant_id, doc_type, rectifying, coalesce(year, 0)) where is_default;
`;
