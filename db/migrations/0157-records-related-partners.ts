/** Partners related to the company, whose interest model 193 declares apart. */
export const up = `
  alter table partners add column related boolean not null default false;
  comment on column partners.related is
    'Whether it is related to the company: shareholders, directors, their families, companies of its group';
`;
