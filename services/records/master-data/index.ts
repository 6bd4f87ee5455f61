/** All declared resources. To add one: a declaration in this folder and a line here. */
import type { ResourceDeclaration } from '../resources/declaration.ts';
import { absences } from './absences.ts';
import { accounts } from './accounts.ts';
import { assetGroups } from './asset-groups.ts';
import { assets } from './assets.ts';
import { bankAccounts } from './bank-accounts.ts';
import { bankRules } from './bank-rules.ts';
import { budgetLines } from './budget-lines.ts';
import { budgets } from './budgets.ts';
import { categories } from './categories.ts';
import { commissionRates } from './commission-rates.ts';
import { costCenters } from './cost-centers.ts';
import { customFields } from './custom-fields.ts';
import { departments } from './departments.ts';
import { dunningLevels } from './dunning-levels.ts';
import { employeeContracts } from './employee-contracts.ts';
import { employeeCostShares } from './employee-cost-shares.ts';
import { employees } from './employees.ts';
import { entryTemplates } from './entry-templates.ts';
import { exchangeRates } from './exchange-rates.ts';
import { groupAccountMappings } from './group-account-mappings.ts';
import { groupAdjustments } from './group-adjustments.ts';
import { groupCompanies } from './group-companies.ts';
import { holidays } from './holidays.ts';
import { itemComponents } from './item-components.ts';
import { itemBarcodes } from './item-more-barcodes.ts';
import { itemUnits } from './item-units.ts';
import { items } from './items.ts';
import { loans } from './loans.ts';
import { parentCompanies } from './parent-companies.ts';
import { partnerAddresses } from './partner-addresses.ts';
import { partnerGroups } from './partner-groups.ts';
import { partners } from './partners.ts';
import { payItems } from './pay-items.ts';
import { paymentTerms } from './payment-terms.ts';
import { periods } from './periods.ts';
import { priceLists } from './price-lists.ts';
import { priceRules } from './price-rules.ts';
import { prices } from './prices.ts';
import { projects } from './projects.ts';
import { promotions } from './promotions.ts';
import { rentedProperties } from './rented-properties.ts';
import { reorderRules } from './reorder-rules.ts';
import { salespeople } from './salespeople.ts';
import { sepaMandates } from './sepa-mandates.ts';
import { series } from './series.ts';
import { standardCosts } from './standard-costs.ts';
import { taxes } from './taxes.ts';
import { uom } from './uom.ts';
import { warehouses } from './warehouses.ts';
import { zones } from './zones.ts';

export const RESOURCES: readonly ResourceDeclaration[] = [
  partnerGroups,
  paymentTerms,
  partners,
  partnerAddresses,
  sepaMandates,
  categories,
  items,
  itemUnits,
  itemBarcodes,
  itemComponents,
  reorderRules,
  uom,
  warehouses,
  zones,
  taxes,
  series,
  periods,
  entryTemplates,
  priceLists,
  prices,
  promotions,
  priceRules,
  salespeople,
  commissionRates,
  dunningLevels,
  exchangeRates,
  standardCosts,
  budgets,
  budgetLines,
  accounts,
  groupCompanies,
  groupAccountMappings,
  groupAdjustments,
  rentedProperties,
  parentCompanies,
  projects,
  costCenters,
  assetGroups,
  assets,
  loans,
  bankAccounts,
  bankRules,
  departments,
  employees,
  employeeContracts,
  employeeCostShares,
  payItems,
  absences,
  holidays,
  customFields,
];
