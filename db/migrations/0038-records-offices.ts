import { describe } from './schema.ts';

/** Each with its meaning. */
const OFFICES = [
  [
    'dir3_accounting_office text',
    'Accounting office of a public body (oficina contable), by its code in the directory DIR3',
  ],
  ['dir3_managing_body text', 'Managing body (órgano gestor), likewise'],
  ['dir3_processing_unit text', 'Processing unit (unidad tramitadora), likewise'],
  ['dir3_proposing_body text', 'Proposing body (órgano proponente), likewise; few want it'],
] as const;

/** Offices of public bodies to which invoices are addressed. */
export const up = `
  alter table partners ${OFFICES.map(([column]) => `add column ${column}`).join(', ')};
  ${describe('partners', 'Customers and suppliers.', OFFICES.map((each) => each.join(', -- ')).join('\n'))}
`;
