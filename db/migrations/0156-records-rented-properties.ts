import { annotated, reference, tenantTable } from './schema.ts';

/** Properties that the company rents, which model 180 names one by one. */
export const up = `
  ${tenantTable(
    'rented_properties',
    'Properties that the company rents from others.',
    `
    partner_id uuid not null, -- Landlord
    name text not null, -- Name
    cost_center_id uuid, -- Cost center of its rents, which tells it from others of the landlord
    cadastral_reference text, -- Cadastral reference; null if it has none
    street_type text not null, -- Type of way, by the codes of the INE: CL, AV
    street text not null, -- Name of the way
    number integer, -- Number; null if it has none
    stairs text, -- Stairs
    floor text, -- Floor
    door text, -- Door
    details text, -- Further parts of the address
    municipality text not null, -- Municipality
    municipality_code text, -- Code of the municipality by the INE
    zip_code text not null check (zip_code ~ '^[0-9]{5}$'), -- Postal code, whose first two digits are the province
    constraint rented_properties_name_key unique (tenant_id, partner_id, name),
    constraint rented_properties_cost_center_id_key unique (tenant_id, partner_id, cost_center_id),
    ${reference('rented_properties', 'partner_id', 'partners')},
    ${reference('rented_properties', 'cost_center_id', 'cost_centers')}
  `,
  )}
  create index rented_properties_list on rented_properties (tenant_id, name, id);
  create index rented_properties_cost_center on rented_properties (tenant_id, cost_center_id) where cost_center_id is not null;
  ${annotated('rented_properties')}
`;
