/**
 * The migrations in order. 0001 to 0015 are the schema of version 1.0.0, in the order in which a person reads it; docs/schema.md is
 * generated from it. They have been applied, so they stay as they are: the runner refuses a migration that has changed.
 *
 * Every later migration is additive, because processes of the version before keep working while it is applied, and until they are
 * replaced: it neither drops nor renames tables, views and columns, nor changes the type of a column, nor demands a value that those
 * processes do not write (`not null` needs a default). Its name is a number, the wing and the subject, as in `0016-trade-quotes`. It
 * has one of three forms:
 * - statements, in one transaction that gives up soon if it has to wait for a lock. A new constraint on a filled table is added as `not
 *   valid`, and validated by the next migration. Each new table and column has its meaning (`tenantTable`, `table`, `describe`).
 * - `concurrently(…)`, for indexes of tables that may have rows.
 * - `perTenant(…)`, to change rows: for each tenant in a transaction of its own.
 *
 * test/structure/migrations.test.ts checks these rules, test/db/migrations applies the migrations to data of version 1.0.0.
 */
import * as access from './0001-access.ts';
import * as platform from './0002-platform.ts';
import * as recordsAnnotations from './0003-records-annotations.ts';
import * as recordsPartners from './0004-records-partners.ts';
import * as recordsItems from './0005-records-items.ts';
import * as ledger from './0006-ledger.ts';
import * as tradeDocuments from './0007-trade-documents.ts';
import * as tradeStock from './0008-trade-stock.ts';
import * as tradePayments from './0009-trade-payments.ts';
import * as bank from './0010-bank.ts';
import * as staff from './0011-staff.ts';
import * as integrations from './0012-integrations.ts';
import * as messages from './0013-messages.ts';
import * as reports from './0014-reports.ts';
import * as operation from './0015-operation.ts';
import * as accessFounders from './0016-access-founders.ts';
import * as integrationsHeaders from './0017-integrations-headers.ts';
import * as integrationsHeadersSealed from './0018-integrations-headers-sealed.ts';
import * as platformStorage from './0020-platform-storage.ts';
import * as platformStorageCounted from './0021-platform-storage-counted.ts';
import * as accessKeys from './0022-access-keys.ts';
import * as messagesPaced from './0023-messages-paced.ts';
import * as staffPaidDays from './0024-staff-paid-days.ts';
import * as tradeCustomsDocuments from './0026-trade-customs-documents.ts';
import * as staffTimeRecords from './0027-staff-time-records.ts';
import * as staffLeaveRequests from './0028-staff-leave-requests.ts';
import * as integrationsAnswers from './0029-integrations-answers.ts';
import * as tradeReleasedNotes from './0030-trade-released-notes.ts';
import * as integrationsMoreTriggers from './0031-integrations-more-triggers.ts';
import * as messagesToDos from './0032-messages-to-dos.ts';
import * as staffTaxData from './0033-staff-tax-data.ts';
import * as staffHolidays from './0034-staff-holidays.ts';
import * as ledgerVerifactu from './0035-ledger-verifactu.ts';
import * as ledgerVerifactuSending from './0036-ledger-verifactu-sending.ts';
import * as recordsExemptions from './0037-records-exemptions.ts';
import * as recordsOffices from './0038-records-offices.ts';
import * as tradeRectifications from './0039-trade-rectifications.ts';
import * as tradeFace from './0040-trade-face.ts';
import * as ledgerInheritedChains from './0041-ledger-inherited-chains.ts';
import * as tradeFullInvoices from './0042-trade-full-invoices.ts';
import * as tradeSubstitutions from './0043-trade-substitutions.ts';
import * as tradeFullInvoiceSearch from './0044-trade-full-invoice-search.ts';
import * as tradeFullInvoiceCodes from './0045-trade-full-invoice-codes.ts';
import * as platformTaskPermissions from './0046-platform-task-permissions.ts';
import * as operationRestores from './0047-operation-restores.ts';
import * as platformTraces from './0048-platform-traces.ts';
import * as platformEventOrder from './0049-platform-event-order.ts';
import * as platformEventOrderIndex from './0050-platform-event-order-index.ts';
import * as accessKeyPermissions from './0051-access-key-permissions.ts';
import * as accessShortNames from './0052-access-short-names.ts';
import * as accessShortNamesIndex from './0053-access-short-names-index.ts';
import * as platformTakenTasks from './0054-platform-taken-tasks.ts';
import * as accessOwnRoles from './0055-access-own-roles.ts';
import * as accessOwnRolesIndex from './0056-access-own-roles-index.ts';
import * as accessOwnRolesChecked from './0057-access-own-roles-checked.ts';
import * as contractsRecurring from './0058-contracts-recurring.ts';
import * as tradeQuotations from './0059-trade-quotations.ts';
import * as tradeQuotationsChecked from './0060-trade-quotations-checked.ts';
import * as tradeQuotationSeries from './0061-trade-quotation-series.ts';
import * as tradeDiscounts from './0062-trade-discounts.ts';
import * as recordsPriceRules from './0063-records-price-rules.ts';
import * as tradeCharges from './0064-trade-charges.ts';
import * as tradeSalespeople from './0065-trade-salespeople.ts';
import * as tradeSalespeopleChecked from './0066-trade-salespeople-checked.ts';
import * as tradeSalespeopleIndex from './0067-trade-salespeople-index.ts';
import * as tradeLandedCosts from './0068-trade-landed-costs.ts';
import * as tradeLandedCostsChecked from './0069-trade-landed-costs-checked.ts';
import * as tradeLandedCostsIndex from './0070-trade-landed-costs-index.ts';
import * as tradeSerials from './0071-trade-serials.ts';
import * as tradeSerialsIndex from './0072-trade-serials-index.ts';
import * as tradeReplenishment from './0073-trade-replenishment.ts';
import * as tradeReplenishmentChecked from './0074-trade-replenishment-checked.ts';
import * as tradeCustomerLinks from './0075-trade-customer-links.ts';
import * as tradeDunning from './0076-trade-dunning.ts';
import * as tradeDunningPace from './0077-trade-dunning-pace.ts';
import * as tradeCurrencies from './0078-trade-currencies.ts';
import * as ledgerCurrencyIndex from './0079-ledger-currency-index.ts';
import * as staffCostShares from './0080-staff-cost-shares.ts';
import * as tradeKits from './0081-trade-kits.ts';
import * as tradeKitsIndex from './0082-trade-kits-index.ts';
import * as tradeDropShipments from './0083-trade-drop-shipments.ts';
import * as tradeStandardCosts from './0084-trade-standard-costs.ts';
import * as tradeStandardCostsChecked from './0085-trade-standard-costs-checked.ts';
import * as ledgerPartnerIndex from './0086-ledger-partner-index.ts';
import * as ledgerPartnerIndexAlone from './0087-ledger-partner-index-alone.ts';
import * as ledgerAssets from './0090-ledger-assets.ts';
import * as ledgerAreaLocks from './0093-ledger-area-locks.ts';
import * as ledgerAreaLocksChecked from './0094-ledger-area-locks-checked.ts';
import * as ledgerBudgets from './0095-ledger-budgets.ts';
import * as ledgerDeferrals from './0096-ledger-deferrals.ts';
import * as ledgerDimensions from './0102-ledger-dimensions.ts';
import * as ledgerDimensionsChecked from './0103-ledger-dimensions-checked.ts';
import * as ledgerDimensionsIndex from './0104-ledger-dimensions-index.ts';
import * as ledgerCashBasis from './0105-ledger-cash-basis.ts';
import * as ledgerCashBasisChecked from './0106-ledger-cash-basis-checked.ts';
import * as ledgerCashBasisIndex from './0107-ledger-cash-basis-index.ts';
import * as ledgerInvestmentGoods from './0108-ledger-investment-goods.ts';
import * as ledgerTaxReturnDetails from './0115-ledger-tax-return-details.ts';
import * as ledgerTaxReturnDetailsChecked from './0116-ledger-tax-return-details-checked.ts';
import * as contractsDueEntries from './0120-contracts-due-entries.ts';
import * as contractsDueEntriesIndex from './0121-contracts-due-entries-index.ts';
import * as ledgerEntryTemplates from './0122-ledger-entry-templates.ts';
import * as ledgerLoans from './0123-ledger-loans.ts';
import * as ledgerUnionScheme from './0132-ledger-union-scheme.ts';
import * as ledgerUnionSchemeChecked from './0133-ledger-union-scheme-checked.ts';
import * as ledgerUnionSchemeIndex from './0134-ledger-union-scheme-index.ts';

export interface Migration {
  readonly name: string;
  /** Statements of one transaction, indexes of filled tables, or changes to rows tenant by tenant. */
  readonly up: string | import('./concurrent-indexes.ts').ConcurrentIndexes | import('./per-tenant.ts').PerTenant;
}

export const MIGRATIONS: readonly Migration[] = [
  { name: '0001-access', up: access.up },
  { name: '0002-platform', up: platform.up },
  { name: '0003-records-annotations', up: recordsAnnotations.up },
  { name: '0004-records-partners', up: recordsPartners.up },
  { name: '0005-records-items', up: recordsItems.up },
  { name: '0006-ledger', up: ledger.up },
  { name: '0007-trade-documents', up: tradeDocuments.up },
  { name: '0008-trade-stock', up: tradeStock.up },
  { name: '0009-trade-payments', up: tradePayments.up },
  { name: '0010-bank', up: bank.up },
  { name: '0011-staff', up: staff.up },
  { name: '0012-integrations', up: integrations.up },
  { name: '0013-messages', up: messages.up },
  { name: '0014-reports', up: reports.up },
  { name: '0015-operation', up: operation.up },
  { name: '0016-access-founders', up: accessFounders.up },
  { name: '0017-integrations-headers', up: integrationsHeaders.up },
  { name: '0018-integrations-headers-sealed', up: integrationsHeadersSealed.up },
  { name: '0020-platform-storage', up: platformStorage.up },
  { name: '0021-platform-storage-counted', up: platformStorageCounted.up },
  { name: '0022-access-keys', up: accessKeys.up },
  { name: '0023-messages-paced', up: messagesPaced.up },
  { name: '0024-staff-paid-days', up: staffPaidDays.up },
  { name: '0026-trade-customs-documents', up: tradeCustomsDocuments.up },
  { name: '0027-staff-time-records', up: staffTimeRecords.up },
  { name: '0028-staff-leave-requests', up: staffLeaveRequests.up },
  { name: '0029-integrations-answers', up: integrationsAnswers.up },
  { name: '0030-trade-released-notes', up: tradeReleasedNotes.up },
  { name: '0031-integrations-more-triggers', up: integrationsMoreTriggers.up },
  { name: '0032-messages-to-dos', up: messagesToDos.up },
  { name: '0033-staff-tax-data', up: staffTaxData.up },
  { name: '0034-staff-holidays', up: staffHolidays.up },
  { name: '0035-ledger-verifactu', up: ledgerVerifactu.up },
  { name: '0036-ledger-verifactu-sending', up: ledgerVerifactuSending.up },
  { name: '0037-records-exemptions', up: recordsExemptions.up },
  { name: '0038-records-offices', up: recordsOffices.up },
  { name: '0039-trade-rectifications', up: tradeRectifications.up },
  { name: '0040-trade-face', up: tradeFace.up },
  { name: '0041-ledger-inherited-chains', up: ledgerInheritedChains.up },
  { name: '0042-trade-full-invoices', up: tradeFullInvoices.up },
  { name: '0043-trade-substitutions', up: tradeSubstitutions.up },
  { name: '0044-trade-full-invoice-search', up: tradeFullInvoiceSearch.up },
  { name: '0045-trade-full-invoice-codes', up: tradeFullInvoiceCodes.up },
  { name: '0046-platform-task-permissions', up: platformTaskPermissions.up },
  { name: '0047-operation-restores', up: operationRestores.up },
  { name: '0048-platform-traces', up: platformTraces.up },
  { name: '0049-platform-event-order', up: platformEventOrder.up },
  { name: '0050-platform-event-order-index', up: platformEventOrderIndex.up },
  { name: '0051-access-key-permissions', up: accessKeyPermissions.up },
  { name: '0052-access-short-names', up: accessShortNames.up },
  { name: '0053-access-short-names-index', up: accessShortNamesIndex.up },
  { name: '0054-platform-taken-tasks', up: platformTakenTasks.up },
  { name: '0055-access-own-roles', up: accessOwnRoles.up },
  { name: '0056-access-own-roles-index', up: accessOwnRolesIndex.up },
  { name: '0057-access-own-roles-checked', up: accessOwnRolesChecked.up },
  { name: '0058-contracts-recurring', up: contractsRecurring.up },
  { name: '0059-trade-quotations', up: tradeQuotations.up },
  { name: '0060-trade-quotations-checked', up: tradeQuotationsChecked.up },
  { name: '0061-trade-quotation-series', up: tradeQuotationSeries.up },
  { name: '0062-trade-discounts', up: tradeDiscounts.up },
  { name: '0063-records-price-rules', up: recordsPriceRules.up },
  { name: '0064-trade-charges', up: tradeCharges.up },
  { name: '0065-trade-salespeople', up: tradeSalespeople.up },
  { name: '0066-trade-salespeople-checked', up: tradeSalespeopleChecked.up },
  { name: '0067-trade-salespeople-index', up: tradeSalespeopleIndex.up },
  { name: '0068-trade-landed-costs', up: tradeLandedCosts.up },
  { name: '0069-trade-landed-costs-checked', up: tradeLandedCostsChecked.up },
  { name: '0070-trade-landed-costs-index', up: tradeLandedCostsIndex.up },
  { name: '0071-trade-serials', up: tradeSerials.up },
  { name: '0072-trade-serials-index', up: tradeSerialsIndex.up },
  { name: '0073-trade-replenishment', up: tradeReplenishment.up },
  { name: '0074-trade-replenishment-checked', up: tradeReplenishmentChecked.up },
  { name: '0075-trade-customer-links', up: tradeCustomerLinks.up },
  { name: '0076-trade-dunning', up: tradeDunning.up },
  { name: '0077-trade-dunning-pace', up: tradeDunningPace.up },
  { name: '0078-trade-currencies', up: tradeCurrencies.up },
  { name: '0079-ledger-currency-index', up: ledgerCurrencyIndex.up },
  { name: '0080-staff-cost-shares', up: staffCostShares.up },
  { name: '0081-trade-kits', up: tradeKits.up },
  { name: '0082-trade-kits-index', up: tradeKitsIndex.up },
  { name: '0083-trade-drop-shipments', up: tradeDropShipments.up },
  { name: '0084-trade-standard-costs', up: tradeStandardCosts.up },
  { name: '0085-trade-standard-costs-checked', up: tradeStandardCostsChecked.up },
  { name: '0086-ledger-partner-index', up: ledgerPartnerIndex.up },
  { name: '0087-ledger-partner-index-alone', up: ledgerPartnerIndexAlone.up },
  { name: '0090-ledger-assets', up: ledgerAssets.up },
  { name: '0093-ledger-area-locks', up: ledgerAreaLocks.up },
  { name: '0094-ledger-area-locks-checked', up: ledgerAreaLocksChecked.up },
  { name: '0095-ledger-budgets', up: ledgerBudgets.up },
  { name: '0096-ledger-deferrals', up: ledgerDeferrals.up },
  { name: '0102-ledger-dimensions', up: ledgerDimensions.up },
  { name: '0103-ledger-dimensions-checked', up: ledgerDimensionsChecked.up },
  { name: '0104-ledger-dimensions-index', up: ledgerDimensionsIndex.up },
  { name: '0105-ledger-cash-basis', up: ledgerCashBasis.up },
  { name: '0106-ledger-cash-basis-checked', up: ledgerCashBasisChecked.up },
  { name: '0107-ledger-cash-basis-index', up: ledgerCashBasisIndex.up },
  { name: '0108-ledger-investment-goods', up: ledgerInvestmentGoods.up },
  { name: '0115-ledger-tax-return-details', up: ledgerTaxReturnDetails.up },
  { name: '0116-ledger-tax-return-details-checked', up: ledgerTaxReturnDetailsChecked.up },
  { name: '0120-contracts-due-entries', up: contractsDueEntries.up },
  { name: '0121-contracts-due-entries-index', up: contractsDueEntriesIndex.up },
  { name: '0122-ledger-entry-templates', up: ledgerEntryTemplates.up },
  { name: '0123-ledger-loans', up: ledgerLoans.up },
  { name: '0132-ledger-union-scheme', up: ledgerUnionScheme.up },
  { name: '0133-ledger-union-scheme-checked', up: ledgerUnionSchemeChecked.up },
  { name: '0134-ledger-union-scheme-index', up: ledgerUnionSchemeIndex.up },
];
