/** Names of what every company has, in the language of its chart of accounts. */
import type { SeedNames } from './defaults.ts';

const ENGLISH: SeedNames = {
  ...{ UD: 'Unit', KG: 'Kilogram', L: 'Litre', M: 'Metre', CJ: 'Box', BL: 'Blister', H: 'Hour' },
  ...{ CLI: 'Customers', PRO: 'Suppliers', ALM1: 'Main warehouse' },
  ...{ SO: 'Sales orders', SDN: 'Sales delivery notes', SINV: 'Sales invoices', RSINV: 'Rectifying sales invoices' },
  ...{
    SQ: 'Sales quotations',
    PR: 'Purchase requests',
    PO: 'Purchase orders',
    PDN: 'Goods receipts',
    PINV: 'Purchase invoices',
  },
  RPINV: 'Rectifying purchase invoices',
};

const FRENCH: SeedNames = {
  ...{ UD: 'Unité', KG: 'Kilogramme', L: 'Litre', M: 'Mètre', CJ: 'Boîte', BL: 'Blister', H: 'Heure' },
  ...{ CLI: 'Clients', PRO: 'Fournisseurs', ALM1: 'Entrepôt principal' },
  ...{
    SQ: 'Devis',
    SO: 'Commandes clients',
    SDN: 'Bons de livraison',
    SINV: 'Factures',
    RSINV: 'Factures rectificatives',
  },
  ...{ PR: 'Demandes de prix', PO: 'Commandes fournisseurs', PDN: 'Bons de réception' },
  ...{ PINV: "Factures d'achat", RPINV: "Factures d'achat rectificatives" },
};

const PORTUGUESE: SeedNames = {
  ...{ UD: 'Unidade', KG: 'Quilograma', L: 'Litro', M: 'Metro', CJ: 'Caixa', BL: 'Blíster', H: 'Hora' },
  ...{ CLI: 'Clientes', PRO: 'Fornecedores', ALM1: 'Armazém principal' },
  ...{
    SQ: 'Orçamentos',
    SO: 'Encomendas de clientes',
    SDN: 'Guias de remessa',
    SINV: 'Faturas',
    RSINV: 'Faturas retificativas',
  },
  ...{ PR: 'Pedidos de cotação', PO: 'Encomendas a fornecedores', PDN: 'Guias de entrada' },
  ...{ PINV: 'Faturas de compra', RPINV: 'Faturas de compra retificativas' },
};

const GERMAN: SeedNames = {
  ...{ UD: 'Stück', KG: 'Kilogramm', L: 'Liter', M: 'Meter', CJ: 'Karton', BL: 'Blister', H: 'Stunde' },
  ...{ CLI: 'Kunden', PRO: 'Lieferanten', ALM1: 'Hauptlager' },
  ...{ SQ: 'Angebote', SO: 'Aufträge', SDN: 'Lieferscheine', SINV: 'Rechnungen', RSINV: 'Rechnungskorrekturen' },
  ...{ PR: 'Preisanfragen', PO: 'Bestellungen', PDN: 'Wareneingänge' },
  ...{ PINV: 'Eingangsrechnungen', RPINV: 'Korrekturen von Eingangsrechnungen' },
};

/** By language; Spanish names are those of defaults.ts. */
const NAMES: Readonly<Record<string, SeedNames>> = {
  es: {},
  en: ENGLISH,
  fr: FRENCH,
  pt: PORTUGUESE,
  de: GERMAN,
};

/** @param language of the chart; names in another one than these are English */
export function seedNames(language: string): SeedNames {
  return NAMES[language] ?? ENGLISH;
}
