/** Entity types: their names in the audit log, and who may read their records. */
import type { ReadAccess } from '../../domain/permissions.ts';
import { DOC_TYPES, DOCUMENT_TYPES } from '../../domain/trade/documents/types.ts';
import { pascalCase } from '../../domain/words.ts';
import * as access from './access/access.ts';
import * as sepa from './bank/sepa.ts';
import * as statements from './bank/statements.ts';
import type { TenantModel } from './base.ts';
import * as recurring from './contracts/recurring.ts';
import * as automations from './integrations/automations.ts';
import * as plugins from './integrations/plugins.ts';
import * as webhooks from './integrations/webhooks.ts';
import * as accounting from './ledger/accounting.ts';
import * as assets from './ledger/assets.ts';
import * as budgets from './ledger/budgets.ts';
import * as consolidation from './ledger/consolidation.ts';
import * as exchange from './ledger/exchange.ts';
import * as loans from './ledger/loans.ts';
import * as verifactu from './ledger/verifactu.ts';
import * as mail from './messages/mail.ts';
import * as notifications from './messages/notifications.ts';
import * as push from './messages/push.ts';
import * as toDos from './messages/to-dos.ts';
import * as tasks from './platform/tasks.ts';
import * as attachments from './records/attachments.ts';
import * as catalogue from './records/catalogue.ts';
import * as comments from './records/comments.ts';
import * as customFields from './records/custom-fields.ts';
import * as masterData from './records/master-data.ts';
import * as people from './records/people.ts';
import * as prices from './records/prices.ts';
import * as badDebts from './trade/bad-debts.ts';
import * as commissions from './trade/commissions.ts';
import * as customerLinks from './trade/customer-links.ts';
import * as dropShipments from './trade/drop-shipments.ts';
import * as dunning from './trade/dunning.ts';
import * as fullInvoices from './trade/full-invoices.ts';
import * as landedCosts from './trade/landed-costs.ts';
import * as payments from './trade/payments.ts';
import * as replenishment from './trade/replenishment.ts';
import * as stock from './trade/stock.ts';

/** The declaration of an entity type by its model. */
export type EntityDeclaration = Pick<typeof TenantModel, 'privateFields' | 'maskSecrets'> & {
  readonly access: ReadAccess | undefined;
};

const MODULES: readonly object[] = [
  access,
  accounting,
  assets,
  attachments,
  automations,
  badDebts,
  budgets,
  catalogue,
  comments,
  commissions,
  consolidation,
  customerLinks,
  customFields,
  dropShipments,
  dunning,
  exchange,
  fullInvoices,
  landedCosts,
  loans,
  mail,
  masterData,
  notifications,
  payments,
  people,
  plugins,
  prices,
  push,
  recurring,
  replenishment,
  sepa,
  statements,
  stock,
  tasks,
  toDos,
  verifactu,
  webhooks,
];

const MODELS = MODULES.flatMap((models) => Object.values(models) as (typeof TenantModel)[]).filter(
  ({ entityType }) => entityType !== undefined,
);

/** Every entity type of the audit log, by name. */
export const ENTITIES: ReadonlyMap<string, EntityDeclaration> = new Map<string, EntityDeclaration>([
  ...MODELS.map((model): [string, EntityDeclaration] => [model.entityType, model]),
  ...['StockAdjustment', 'StockTransfer', 'StockAssembly'].map((kind): [string, EntityDeclaration] => [
    kind,
    stock.StockOperation,
  ]),
  ...DOC_TYPES.map((type): [string, EntityDeclaration] => {
    const { entityType, resource } = DOCUMENT_TYPES[type];
    return [entityType, { access: `${resource}:read`, privateFields: {}, maskSecrets: (values) => values }];
  }),
]);

/** Models whose entity name is not derived from the table's. */
const NAMED = new Map(MODELS.map((model) => [model.tableName, model.entityType]));

/**
 * Entity type of a table's rows: BusinessPartner for partners, else the singular of the table's name, such as
 * StockMovement.
 */
export function entityType(table: string): string {
  const singular = table.replace(/ies$/, 'y').replace(/s$/, '');
  return NAMED.get(table) ?? pascalCase(singular);
}
